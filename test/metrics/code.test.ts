// Statistics of code, by hand.
import { checkExamples, type Example, FEB } from './examples.ts';

/** Developer 1 on the 3rd in repo one: 96 changed lines, 10 points. Developer 2 on the 10th in repo two: 4 lines, 2 points. */
const daily_work = [
  {
    committer_id: 1,
    repo_id: 1,
    authored_on: '2026-02-03',
    commit_count: 3,
    delta_added: 6000,
    delta_updated: 3000,
    delta_deleted: 900,
    delta_find_replaced: 100,
    delta_new: 6000,
    delta_lt_2w: 1000,
    delta_lt_1m: 500,
    delta_lt_1y: 500,
    delta_lt_2y: 1200,
    delta_gte_2y: 800,
    lines_added: 50,
    lines_deleted: 10,
    lines_moved: 5,
    lines_updated: 20,
    lines_find_replaced: 3,
    lines_copy_pasted: 8,
    lines_copied: 4,
    lines_churned: 12,
    duplicate_lines: 6,
    calls: 164,
  },
  { committer_id: 2, repo_id: 2, authored_on: '2026-02-10', delta_added: 2000, delta_new: 2000, lines_added: 4 },
];
const facts = { daily_work };
const daily_facts = [
  { committer_id: 1, authored_on: '2026-02-03', category: 1, delta_added: 3000, doc_delta: 500 },
  { committer_id: 1, authored_on: '2026-02-03', category: 2, delta_added: 1000 },
  { committer_id: 1, authored_on: '2026-02-03', category: 3, delta_updated: 2000 },
  { committer_id: 1, authored_on: '2026-02-03', category: 10, delta_deleted: 4000, doc_delta: 1500 },
];

/** The same, and 400 lines of files that line statistics leave out. */
const on = { committer_id: 1, repo_id: 1, authored_on: '2026-02-05' };
const withLeftOut = {
  daily_work: [
    ...daily_work,
    { ...on, category: 13, lines_added: 300, lines_churned: 300, duplicate_lines: 300, calls: 999 },
  ],
  daily_facts: [
    { ...on, category: 14, lines_added: 10 },
    { ...on, category: 16, lines_deleted: 75, lines_churned: 30 },
    { ...on, category: 17, lines_updated: 15 },
  ],
  daily_commits: [{ ...on, authored_on: '2026-02-06', delta_added: 500 }],
};

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const examples: Example[] = [
  { segment: 'none', facts, gives: { 'Diff Delta': { [FEB]: 12 } } },
  {
    segment: 'none',
    when: 'by repo and week',
    facts,
    by: 'repo',
    interval: 'weekly',
    range: { from: '2026-02-02', to: '2026-02-15' },
    gives: { one: { '2026-02-02': 10 }, two: { '2026-02-09': 2 } },
  },
  { segment: 'none', when: 'of one repo', facts, scope: { repoIds: [2] }, gives: { 'Diff Delta': { [FEB]: 2 } } },
  {
    segment: 'none',
    when: 'by repo path',
    facts,
    by: 'repo_path',
    gives: { 'org/one': { [FEB]: 10 }, 'org/two': { [FEB]: 2 } },
  },
  {
    segment: 'none',
    when: 'with child identities folded into their root',
    facts: { ...facts, committers: [{ id: 4, root_committer_id: 1 }], daily_ai: [] },
    by: 'committer',
    gives: { 'User 1': { [FEB]: 10 }, 'User 2': { [FEB]: 2 } },
  },
  {
    segment: 'operation',
    facts,
    gives: {
      Added: { [FEB]: 8 },
      Updated: { [FEB]: 3 },
      Deleted: { [FEB]: 0.9 },
      'Find/Replaced': { [FEB]: 0.1 },
    },
  },
  {
    segment: 'provenance',
    facts,
    gives: {
      'New code': { [FEB]: 8 },
      'Less than two weeks': { [FEB]: 1 },
      'Less than one month': { [FEB]: 0.5 },
      'Less than one year': { [FEB]: 0.5 },
      'One to two years': { [FEB]: 1.2 },
      'More than two years': { [FEB]: 0.8 },
    },
  },
  {
    segment: 'code_category',
    facts: { daily_facts },
    gives: {
      Documentation: { [FEB]: 4 },
      Tests: { [FEB]: 2.5 },
      Backend: { [FEB]: 2.5 },
      'Test fixtures': { [FEB]: 1 },
    },
  },
  { segment: 'documentation_delta', facts: { daily_facts }, gives: { 'Documentation Diff Delta': { [FEB]: 4 } } },
  {
    segment: 'quality_cornerstones_percent',
    facts: { daily_facts, daily_commits: [{ committer_id: 1, authored_on: '2026-02-03', delta_added: 10_000 }] },
    gives: { Tests: { [FEB]: 25 }, 'Test fixtures': { [FEB]: 10 }, Documentation: { [FEB]: 40 } },
  },
  { segment: 'repo', facts, gives: { one: { [FEB]: 10 }, two: { [FEB]: 2 } } },
  {
    segment: 'team',
    facts: {
      ...facts,
      teams: [
        { id: 1, slug: 'a', name: 'Team A' },
        { id: 2, slug: 'b', name: 'Team B' },
      ],
      team_members: [
        { team_id: 1, committer_id: 1 },
        { team_id: 2, committer_id: 1 },
        { team_id: 2, committer_id: 2, from_on: '2026-02-11' },
      ],
    },
    gives: { 'Team A': { [FEB]: 10 }, 'Team B': { [FEB]: 10 } },
  },
  {
    segment: 'team',
    when: 'counts only the repos that a team was given',
    facts: {
      daily_work: [
        { committer_id: 1, repo_id: 1, authored_on: '2026-02-03', delta_added: 1000 },
        { committer_id: 1, repo_id: 2, authored_on: '2026-02-03', delta_added: 5000 },
      ],
      teams: [{ id: 1, slug: 'a', name: 'Team A' }],
      team_members: [{ team_id: 1, committer_id: 1 }],
      team_repos: [{ team_id: 1, organization_slug: 'org', repo_slug: 'two' }],
    },
    gives: { 'Team A': { [FEB]: 5 } },
  },
  {
    segment: 'team',
    when: 'counts nothing for a team whose repos are not imported',
    facts: {
      daily_work: [{ committer_id: 1, repo_id: 1, authored_on: '2026-02-03', delta_added: 1000 }],
      teams: [
        { id: 1, slug: 'a', name: 'Team A' },
        { id: 2, slug: 'b', name: 'Team B' },
      ],
      team_members: [
        { team_id: 1, committer_id: 1 },
        { team_id: 2, committer_id: 1 },
      ],
      team_repos: [{ team_id: 1, organization_slug: 'org', repo_slug: 'not-imported' }],
    },
    gives: { 'Team B': { [FEB]: 1 } },
  },
  {
    segment: 'diff_delta_per_committer',
    when: 'folds all but the 20 largest groups, and divides what is folded by its own people',
    facts: {
      committers: numbers(4, 25).map((id) => ({ id })),
      daily_work: numbers(1, 25).map((id) => ({
        committer_id: id,
        authored_on: '2026-02-03',
        delta_added: id * 1000,
      })),
    },
    by: 'committer',
    // 1 + 2 + 3 + 4 + 5 points of five people
    gives: { ...Object.fromEntries(numbers(6, 25).map((id) => [`User ${id}`, { [FEB]: id }])), Other: { [FEB]: 3 } },
  },
  { segment: 'diff_delta_per_committer', facts, gives: { 'Diff Delta per developer': { [FEB]: 6 } } },
  {
    segment: 'line_operation_counts',
    facts,
    gives: {
      Added: { [FEB]: 50 },
      Deleted: { [FEB]: 10 },
      Moved: { [FEB]: 5 },
      Updated: { [FEB]: 20 },
      'Find/Replaced': { [FEB]: 3 },
      'Copy/Pasted': { [FEB]: 12 },
    },
  },
  {
    segment: 'left_out_line_percent',
    facts: withLeftOut,
    gives: {
      Autogenerated: { [FEB]: 60 },
      Localization: { [FEB]: 15 },
      Data: { [FEB]: 3 },
      'Third-party': { [FEB]: 2 },
    },
  },
  {
    segment: 'left_out_line_percent',
    when: 'of what the entity leaves out',
    facts: withLeftOut,
    scope: { lineCategories: [13, 10] },
    gives: { Localization: { [FEB]: 15 }, Data: { [FEB]: 3 }, 'Third-party': { [FEB]: 2 } },
  },
  {
    segment: 'churn_line_percent',
    when: 'of processed files',
    facts: withLeftOut,
    gives: { 'Churned share': { [FEB]: 12 } },
  },
  {
    segment: 'churn_line_percent',
    when: 'with a kind of files that the entity counts too',
    facts: withLeftOut,
    scope: { lineCategories: [10, 16] },
    // 12 of 100 lines, and 30 of 75
    gives: { 'Churned share': { [FEB]: 24 } },
  },
  {
    segment: 'duplicate_line_count_per_mil',
    when: 'of processed files',
    facts: withLeftOut,
    gives: { 'Duplicate lines per 1,000': { [FEB]: 60 } },
  },
  {
    segment: 'none',
    when: 'of all files',
    facts: withLeftOut,
    gives: { 'Diff Delta': { [FEB]: 12.5 } },
  },
  { segment: 'copy_line_counts', facts, gives: { 'Copy/Pasted': { [FEB]: 12 }, Moved: { [FEB]: 5 } } },
  { segment: 'copy_move_percent', facts, gives: { 'Copy/Pasted': { [FEB]: 12 }, Moved: { [FEB]: 5 } } },
  { segment: 'copy_paste_percent', facts, gives: { 'Copied share': { [FEB]: 12 } } },
  { segment: 'churn_line_count', facts, gives: { 'Churned lines': { [FEB]: 12 } } },
  { segment: 'churn_line_percent', facts, gives: { 'Churned share': { [FEB]: 12 } } },
  { segment: 'duplicate_block_line_count', facts, gives: { 'Duplicate lines': { [FEB]: 6 } } },
  { segment: 'duplicate_line_count_per_mil', facts, gives: { 'Duplicate lines per 1,000': { [FEB]: 60 } } },
  { segment: 'connective_per_mil', facts, gives: { 'Calls per 1,000 new lines': { [FEB]: 2000 } } },
];

checkExamples(examples);
