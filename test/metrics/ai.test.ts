// Statistics of AI-credited work, of reported AI use, and by cohort, by hand.
import { CATEGORY_IDS } from '../../src/domain/commits/line-model.ts';
import { checkExamples, type Example, FEB } from './examples.ts';

/** 100 changed lines of developer 1, 60 of them in commits with evidence; 20 lines and 2 points are credited. */
const daily_work = [
  {
    committer_id: 1,
    authored_on: '2026-02-03',
    commit_count: 4,
    ai_commit_count: 1,
    lines_added: 70,
    lines_deleted: 30,
    delta_added: 10_000,
    known_lines_changed: 60,
    unknown_lines_added: 28,
    unknown_lines_deleted: 12,
    unknown_delta: 4000,
  },
];
const daily_ai = [
  {
    committer_id: 1,
    authored_on: '2026-02-03',
    ai_lines_changed: 20_000,
    ai_lines_added: 15_000,
    ai_lines_deleted: 5000,
    ai_delta: 2000,
    commit_count: 1,
  },
];
const credited = { daily_work, daily_ai };
/** The tool reported 50 lines on that day: half of 100 changed ones, so half of the 40 without evidence. */
const withUsage = {
  ...credited,
  ai_usages: [{ committer_id: 1, used_on: '2026-02-03', lines_added: 50, llm_model_name: 'gpt' }],
};

const usage = {
  committer_id: 1,
  used_on: '2026-02-03',
  lines_added: 40,
  lines_deleted: 10,
  prompted_suggest_count: 20,
  prompted_accept_count: 5,
  tab_suggest_count: 100,
  tab_accept_count: 30,
  cost_microcents: 250_000_000,
};
const ai_usages = [
  usage,
  { committer_id: 2, used_on: '2026-02-04', lines_added: 60, llm_model_name: 'n', ai_provider_em: 'custom' },
  // nobody's: counted while nobody in particular is asked for
  { used_on: '2026-02-05', cost_microcents: 50_000_000 },
];
const facts = { ai_usages };

/** A lock file of 1,000 lines in the commit with evidence, and 200 lines of data in one without. */
const on = { committer_id: 1, repo_id: 1, authored_on: '2026-02-03' };
const withLeftOut = {
  ...withUsage,
  daily_facts: [
    { ...on, category: 13, lines_added: 1000, known_lines_changed: 1000 },
    { ...on, category: 17, lines_deleted: 200, unknown_lines_deleted: 200, unknown_delta: 1000 },
  ],
  daily_ai: [
    ...daily_ai,
    { ...on, category: 13, ai_lines_changed: 1_000_000, ai_lines_added: 1_000_000, commit_count: 0 },
  ],
};

const credit: Example[] = [
  {
    segment: 'ai_code_line_percent',
    when: 'of processed files, above the line and below it',
    facts: withLeftOut,
    gives: { 'AI share of changed lines': { [FEB]: 40 } },
  },
  {
    segment: 'ai_code_line_percent',
    when: 'of processed files of one repo',
    facts: withLeftOut,
    scope: { repoIds: [1] },
    gives: { 'AI share of changed lines': { [FEB]: 40 } },
  },
  {
    segment: 'commit_ai_lines_added_count',
    when: 'of processed files',
    facts: withLeftOut,
    gives: { claude: { [FEB]: 15 }, gpt: { [FEB]: 14 } },
  },
  {
    segment: 'delta_from_llms',
    when: 'of all files',
    facts: withLeftOut,
    // half of the 4 points without evidence, and of the point in data
    gives: { claude: { [FEB]: 2 }, gpt: { [FEB]: 2.5 } },
  },
  {
    segment: 'commit_count_with_ai_lines',
    when: 'of all files',
    facts: withLeftOut,
    gives: { 'Commits with AI': { [FEB]: 1 } },
  },
  { segment: 'ai_code_line_percent', facts: credited, gives: { 'AI share of changed lines': { [FEB]: 20 } } },
  {
    segment: 'ai_code_line_percent',
    when: 'credits lines without evidence by what tools reported',
    facts: withUsage,
    gives: { 'AI share of changed lines': { [FEB]: 40 } },
  },
  {
    segment: 'ai_code_line_percent',
    when: 'credits at most four fifths of them',
    facts: { ...credited, ai_usages: [{ committer_id: 1, used_on: '2026-02-03', lines_added: 900 }] },
    gives: { 'AI share of changed lines': { [FEB]: 52 } },
  },
  // commit_count_with_ai_lines ÷ commit_count
  { segment: 'ai_commit_rate', facts: credited, gives: { 'AI share of commits': { [FEB]: 25 } } },
  {
    segment: 'commit_ai_lines_committed_count',
    facts: withUsage,
    gives: { claude: { [FEB]: 20 }, gpt: { [FEB]: 20 } },
  },
  { segment: 'commit_ai_lines_added_count', facts: withUsage, gives: { claude: { [FEB]: 15 }, gpt: { [FEB]: 14 } } },
  { segment: 'commit_ai_lines_deleted_count', facts: withUsage, gives: { claude: { [FEB]: 5 }, gpt: { [FEB]: 6 } } },
  { segment: 'commit_count_with_ai_lines', facts: credited, gives: { 'Commits with AI': { [FEB]: 1 } } },
  {
    segment: 'commit_count_with_ai_lines',
    when: 'by provider',
    facts: credited,
    by: 'ai_provider',
    gives: { vendorC_platform: { [FEB]: 1 } },
  },
  { segment: 'delta_from_llms', facts: withUsage, gives: { claude: { [FEB]: 2 }, gpt: { [FEB]: 2 } } },
  {
    segment: 'delta_per_ai_dollar',
    facts: { ...credited, ai_usages: [{ committer_id: 2, used_on: '2026-02-20', cost_microcents: 400_000_000 }] },
    gives: { 'Diff Delta per AI dollar': { [FEB]: 0.5 } },
  },
];

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
/** The kit has three already. */
const people = (count: number) =>
  numbers(count)
    .slice(3)
    .map((id) => ({ id }));
/** Of a person, of whom the first has used most. */
const usageOf = (n: number, llm_model_name: string) => ({
  committer_id: n,
  used_on: '2026-02-05',
  llm_model_name,
  cost_microcents: (100 - n) * 1_000_000,
});

const use: Example[] = [
  { segment: 'ai_cost_cents', facts, gives: { m: { [FEB]: 300 } } },
  {
    segment: 'ai_cost_cents',
    when: 'of a model that costs nothing, beside one of which nobody says what it costs',
    facts: { ai_usages: [...ai_usages, { ...usage, llm_model_name: 'free', cost_microcents: 0 }] },
    gives: { m: { [FEB]: 300 }, free: { [FEB]: 0 } },
  },
  {
    segment: 'ai_cost_cents',
    when: 'is unknown where no tool reports it',
    facts: { ai_usages: [{ committer_id: 2, used_on: '2026-02-04', lines_added: 60, llm_model_name: 'n' }] },
    gives: { n: { [FEB]: null } },
  },
  {
    segment: 'ai_active_minutes',
    when: 'by person is unknown of one whose tool reports none',
    facts: {
      ai_usages: [
        { committer_id: 1, used_on: '2026-02-04', active_seconds: 600 },
        { committer_id: 2, used_on: '2026-02-04', lines_added: 60 },
      ],
    },
    by: 'committer',
    gives: { 'User 1': { [FEB]: 10 }, 'User 2': { [FEB]: null } },
  },
  {
    segment: 'composite_ai_use',
    when: 'is unknown where a tool reports nothing but cost',
    facts: { ai_usages: [{ committer_id: 1, used_on: '2026-02-04', cost_microcents: 5_000_000 }] },
    gives: { m: { [FEB]: null } },
  },
  {
    segment: 'ai_cost_cents',
    when: 'of one person',
    facts,
    scope: { personIds: [1], isAboutPeople: true },
    gives: { m: { [FEB]: 250 } },
  },
  {
    segment: 'ai_cost_cents',
    when: 'by cohort, of which nobody’s use is in none',
    facts,
    by: 'ai_cohort',
    gives: { 'Power - m': { [FEB]: 250 } },
  },
  {
    segment: 'ai_cost_cents',
    when: 'by team, of which the one of everybody is none',
    facts: {
      teams: [
        { id: 21, slug: 'red', name: 'Red' },
        { id: 22, slug: 'all-contributors', name: 'All contributors', is_default: true },
      ],
      ai_usages: [
        { team_id: 21, used_on: '2026-02-05', cost_microcents: 50_000_000 },
        { team_id: 22, used_on: '2026-02-05', cost_microcents: 70_000_000 },
      ],
    },
    by: 'team',
    gives: { 'Red - m': { [FEB]: 50 } },
  },
  {
    segment: 'ai_cost_cents',
    when: 'by person: those with a model of their own are as many series as people',
    facts: { committers: people(6), ai_usages: numbers(6).map((n) => usageOf(n, `model-${n}`)) },
    by: 'committer',
    gives: Object.fromEntries(numbers(6).map((n) => [`User ${n} - model-${n}`, { [FEB]: 100 - n }])),
  },
  {
    segment: 'ai_cost_cents',
    when: 'by person: the largest keep their names as long as there are twenty series',
    facts: {
      committers: people(12),
      ai_usages: numbers(12).flatMap((n) => [usageOf(n, 'm'), usageOf(n, 'n')]),
    },
    by: 'committer',
    gives: Object.fromEntries([
      ...numbers(9).flatMap((n) => ['m', 'n'].map((model) => [`User ${n} - ${model}`, { [FEB]: 100 - n }])),
      ...['m', 'n'].map((model) => [`Other - ${model}`, { [FEB]: 300 - 10 - 11 - 12 }]),
    ]),
  },
  { segment: 'ai_lines_added_count', facts, gives: { n: { [FEB]: 60 }, m: { [FEB]: 40 } } },
  { segment: 'ai_lines_deleted_count', facts, gives: { m: { [FEB]: 10 } } },
  {
    segment: 'ai_provider_line_change_count',
    facts,
    gives: { custom: { [FEB]: 60 }, vendorA_assistant: { [FEB]: 50 } },
  },
  {
    segment: 'ai_provider_line_change_count',
    when: 'of one provider',
    facts,
    scope: { aiProvider: 'custom' },
    gives: { custom: { [FEB]: 60 } },
  },
  { segment: 'ai_prompt_acceptance_percent', facts, gives: { 'Prompted suggestions kept': { [FEB]: 25 } } },
  { segment: 'ai_tab_acceptance_percent', facts, gives: { 'Completions taken': { [FEB]: 30 } } },
  {
    segment: 'ai_tab_acceptance_percent',
    when: 'leaves out what a tool took without telling what it offered',
    facts: { ai_usages: [...ai_usages, { committer_id: 3, used_on: '2026-02-03', tab_accept_count: 70 }] },
    gives: { 'Completions taken': { [FEB]: 30 } },
  },
  { segment: 'all_accept_count', facts, gives: { m: { [FEB]: 35 } } },
  { segment: 'all_suggestion_count', facts, gives: { m: { [FEB]: 120 } } },
  // 5 × 1 + 15 × 0.5 + 30 × 0.2 + 50 × 0.02
  { segment: 'composite_ai_use', facts, gives: { m: { [FEB]: 19.5 }, n: { [FEB]: 1.2 } } },
  {
    segment: 'active_llm_user_per_date_count',
    facts,
    interval: 'daily',
    range: { from: '2026-02-03', to: '2026-02-06' },
    gives: { 'AI users per day': { '2026-02-03': 1, '2026-02-04': 1 } },
  },
  // two users, seen on the 3rd and the 4th: idle on the 17 and 16 business days after, of 19
  { segment: 'inactive_llm_user_per_date_count', facts, gives: { 'Idle AI users per day': { [FEB]: 1.7368 } } },
  {
    segment: 'inactive_llm_user_per_date_count',
    when: 'says nothing about days that have not come',
    facts: { ...facts, ai_seats: [{ committer_id: 3, ai_provider_em: 'custom', from_on: '2026-02-05' }] },
    scope: { now: new Date('2026-02-05T12:00:00Z') },
    interval: 'daily',
    range: { from: '2026-02-04', to: '2026-02-13' },
    gives: {
      'Idle AI users per day': {
        ...{ '2026-02-04': 1, '2026-02-05': 3, '2026-02-06': null, '2026-02-07': null, '2026-02-08': null },
        ...{ '2026-02-09': null, '2026-02-10': null, '2026-02-11': null, '2026-02-12': null, '2026-02-13': null },
      },
    },
  },
  // and a third with a seat for a week that was not used: 5 days more
  {
    segment: 'inactive_llm_user_per_date_count',
    when: 'counts a seat that is not used',
    facts: {
      ...facts,
      ai_seats: [
        { committer_id: 3, ai_provider_em: 'custom', from_on: '2026-02-09', until_on: '2026-02-14' },
        { committer_id: 1, ai_provider_em: 'custom', from_on: '2026-02-01' },
      ],
    },
    interval: 'daily',
    range: { from: '2026-02-12', to: '2026-02-17' },
    // a weekend and a holiday between them
    gives: {
      'Idle AI users per day': {
        ...{ '2026-02-12': 3, '2026-02-13': 3, '2026-02-14': null, '2026-02-15': null, '2026-02-16': null },
        '2026-02-17': 2,
      },
    },
  },
  {
    segment: 'ai_engaged_committer_count',
    facts: { ai_usages: [...ai_usages, { committer_id: 3, used_on: '2026-02-03', tab_suggest_count: 5 }] },
    gives: { 'Engaged AI users': { [FEB]: 2 } },
  },
  {
    segment: 'ai_inactive_committer_count',
    facts: {
      ai_usages,
      daily_work: [
        { committer_id: 1, authored_on: '2026-02-10' },
        { committer_id: 3, authored_on: '2026-02-10' },
      ],
    },
    gives: { 'Developers without AI': { [FEB]: 1 } },
  },
  {
    segment: 'ai_inactive_committer_count',
    when: 'judges each interval by itself',
    facts: { ai_usages, daily_work: [{ committer_id: 1, authored_on: '2026-02-10' }] },
    interval: 'weekly',
    range: { from: '2026-02-02', to: '2026-02-15' },
    gives: { 'Developers without AI': { '2026-02-09': 1 } },
  },
];

/** Week of the 2nd: developer 1 has 13 interactions on 2 days (6.5 a day: Regular), developer 2 none. */
const members = {
  ai_usages: [
    { committer_id: 1, used_on: '2026-02-03', prompted_suggest_count: 3, tab_accept_count: 8 },
    // 40 lines stand for 2 interactions where nothing else is reported
    { committer_id: 1, used_on: '2026-02-04', lines_added: 40 },
  ],
  daily_work: [
    {
      committer_id: 1,
      authored_on: '2026-02-04',
      commit_count: 6,
      delta_added: 9000,
      lines_copy_pasted: 4,
      duplicate_lines: 12,
    },
    { committer_id: 2, authored_on: '2026-02-05', commit_count: 2, delta_added: 1000, duplicate_lines: 2 },
    { committer_id: 3, authored_on: '2026-02-05', commit_count: 1, delta_added: 3000 },
  ],
};
const week = { interval: 'weekly', range: { from: '2026-02-02', to: '2026-02-08' } } as const;
const W = '2026-02-02';

const cohorts: Example[] = [
  {
    segment: 'active_committer_cohorts',
    facts: members,
    ...week,
    gives: { 'Non-user': { [W]: 2 }, Regular: { [W]: 1 } },
  },
  {
    segment: 'active_committer_cohorts',
    when: 'draws the lines between cohorts at 2, 5 and 10 a day',
    facts: {
      committers: [4, 5, 6, 7, 8].map((id) => ({ id })),
      ai_usages: [2, 3, 4, 5, 6, 7, 8].map((id, index) => ({
        committer_id: id,
        used_on: '2026-02-03',
        prompted_suggest_count: [1, 2, 3, 4, 5, 10, 11][index],
      })),
      daily_work: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ committer_id: id, authored_on: '2026-02-03' })),
    },
    ...week,
    gives: {
      'Non-user': { [W]: 1 },
      Sparse: { [W]: 2 },
      Periodic: { [W]: 2 },
      Regular: { [W]: 2 },
      Power: { [W]: 1 },
    },
  },
  {
    segment: 'commit_count_cohorts_per_committer',
    facts: members,
    ...week,
    gives: { 'Non-user': { [W]: 1.5 }, Regular: { [W]: 6 } },
  },
  {
    segment: 'delta_cohorts_per_committer',
    facts: members,
    ...week,
    gives: { 'Non-user': { [W]: 2 }, Regular: { [W]: 9 } },
  },
  {
    segment: 'delta_cohorts_per_committer',
    when: 'over a month divides by the members of its weeks',
    facts: members,
    // one Regular member in one of four weeks: a quarter of a member
    gives: { 'Non-user': { [FEB]: 8 }, Regular: { [FEB]: 36 } },
  },
  {
    segment: 'churn_line_count_cohorts_per_committer',
    when: 'charges whoever had written the line',
    facts: {
      ...members,
      commits: [
        { id: 1, author_id: 2, authored_on: '2026-02-05' },
        { id: 2, author_id: 1, authored_on: '2026-02-03' },
      ],
      line_flows: [
        {
          commit_id: 1,
          origin_commit_id: 2,
          age: 'lt_2w',
          flow_index: 0,
          category: 10,
          lines_updated: 3,
          lines_deleted: 4,
        },
        { commit_id: 1, origin_commit_id: 2, age: 'lt_1y', flow_index: 1, category: 10, lines_updated: 9 },
      ],
    },
    ...week,
    gives: { 'Non-user': { [W]: 0 }, Regular: { [W]: 7 } },
  },
  {
    segment: 'copy_paste_line_count_cohorts_per_committer',
    facts: members,
    ...week,
    gives: { 'Non-user': { [W]: 0 }, Regular: { [W]: 4 } },
  },
  {
    segment: 'duplicate_line_count_cohorts',
    facts: members,
    ...week,
    gives: { 'Non-user': { [W]: 2 }, Regular: { [W]: 12 } },
  },
  {
    segment: 'duplicate_line_count_cohorts_per_committer',
    facts: members,
    ...week,
    gives: { 'Non-user': { [W]: 1 }, Regular: { [W]: 12 } },
  },
  {
    segment: 'abandoned_pr_cohorts',
    facts: {
      ...members,
      pull_requests: [
        { author_id: 1, opened_at: '2026-02-01T00:00:00Z', closed_at: '2026-02-06T00:00:00Z' },
        { author_id: 2, opened_at: '2026-02-01T00:00:00Z', closed_at: '2026-02-06T00:00:00Z' },
        {
          author_id: 2,
          opened_at: '2026-02-01T00:00:00Z',
          closed_at: '2026-02-06T00:00:00Z',
          merged_at: '2026-02-06T00:00:00Z',
        },
      ],
    },
    ...week,
    gives: { 'Non-user': { [W]: 1 }, Regular: { [W]: 1 } },
  },
];

/** Three of the four lines behind a defect were written by developer 1 in the week of the 2nd. */
const origins = {
  ...members,
  commits: [
    { id: 1, author_id: 1, authored_on: '2026-02-04', delta: 3000, contributor_kind: 'mixed' },
    { id: 2, author_id: 2, authored_on: '2026-02-05', delta: 1000, contributor_kind: 'human' },
    { id: 3, author_id: 3, authored_on: '2026-02-11' },
  ],
  critical_defects: [{ id: 1, detected_at: '2026-02-10T10:00:00Z' }],
  defect_origins: [
    { defect_id: 1, fix_commit_id: 3, origin_commit_id: 1, lines: 3, ai_lines: 1500 },
    { defect_id: 1, fix_commit_id: 3, origin_commit_id: 2, lines: 1, ai_lines: 0 },
  ],
};
const epics = {
  ...members,
  commits: origins.commits,
  issues: [
    { id: 1, key: 'E-1', is_epic: true, resolved_at: '2026-02-12T00:00:00Z' },
    { id: 2, key: 'E-2', epic_key: 'E-1' },
  ],
  issue_commits: [
    { commit_id: 1, issue_id: 2, issue_count: 1 },
    { commit_id: 2, issue_id: 2, issue_count: 1 },
  ],
};

/** Fixes of lines that were written on days of which tools reported use. */
const used = {
  daily_work: [
    { committer_id: 1, authored_on: '2025-12-30', lines_added: 8, unknown_lines_added: 8 },
    { committer_id: 1, authored_on: '2026-02-03', lines_added: 10, unknown_lines_added: 10 },
    { committer_id: 2, authored_on: '2026-02-03', lines_added: 6, known_lines_changed: 6 },
  ],
  ai_usages: [
    { committer_id: 1, used_on: '2025-12-30', lines_added: 4 },
    { committer_id: 1, used_on: '2026-02-03', lines_added: 5 },
    { committer_id: 2, used_on: '2026-02-03', lines_added: 5 },
  ],
  commits: [
    { id: 1, author_id: 1, authored_on: '2026-02-03' },
    { id: 2, author_id: 2, authored_on: '2026-02-03', contributor_kind: 'human' },
    { id: 3, author_id: 2, authored_on: '2026-02-10' },
  ],
  critical_defects: [{ id: 1, detected_at: '2026-02-09T00:00:00Z' }],
  defect_origins: [
    { defect_id: 1, fix_commit_id: 3, origin_commit_id: 1, lines: 4, ai_lines: 0 },
    { defect_id: 1, fix_commit_id: 3, origin_commit_id: 2, lines: 3, ai_lines: 0 },
  ],
};
const shares: Example[] = [
  {
    segment: 'defect_originated_cohorts',
    facts: origins,
    gives: { 'Non-user': { [FEB]: 0.25 }, Regular: { [FEB]: 0.75 } },
  },
  {
    segment: 'defect_originated_cohorts_per_committer',
    facts: origins,
    gives: { 'Non-user': { [FEB]: 0.5 }, Regular: { [FEB]: 3 } },
  },
  {
    segment: 'epic_resolved_count_cohorts',
    facts: epics,
    gives: { 'Non-user': { [FEB]: 0.25 }, Regular: { [FEB]: 0.75 } },
  },
  {
    segment: 'epic_resolved_count_cohorts_per_committer',
    facts: epics,
    gives: { 'Non-user': { [FEB]: 0.5 }, Regular: { [FEB]: 3 } },
  },
  { segment: 'ai_defect_line_triaged_count', facts: origins, gives: { 'AI lines behind defects': { [FEB]: 1.5 } } },
  {
    segment: 'ai_defect_rate',
    when: 'divides by the AI lines of the 90 days up to the interval’s end',
    facts: {
      ...origins,
      daily_ai: [
        { committer_id: 1, authored_on: '2025-12-20', ai_lines_changed: 20_000 },
        { committer_id: 1, authored_on: '2026-02-20', ai_lines_changed: 10_000 },
        // 91 days before the end
        { committer_id: 1, authored_on: '2025-11-30', ai_lines_changed: 90_000 },
      ],
    },
    // and by the 3.2 lines that are credited to reported use
    gives: { 'AI defect rate': { [FEB]: 4.5181 } },
  },
  ...[{}, { repoIds: [1] }].flatMap((scope): Example[] => {
    const when = `knows AI lines by reported use${scope.repoIds === undefined ? '' : ' in a repo'}`;
    return [
      // 4 lines at 5 of 10, and 3 of a commit that had evidence against it
      {
        segment: 'ai_defect_line_triaged_count',
        when,
        facts: used,
        scope,
        gives: { 'AI lines behind defects': { [FEB]: 2 } },
      },
      // of 5 of that day, and of 4 of another 60 days before
      { segment: 'ai_defect_rate', when, facts: used, scope, gives: { 'AI defect rate': { [FEB]: 22.2222 } } },
    ];
  }),
  {
    segment: 'ai_defect_line_triaged_count',
    when: 'by reported use is by the tool that reported it',
    facts: used,
    by: 'ai_provider',
    gives: { other: { [FEB]: 0 }, vendorA_assistant: { [FEB]: 2 } },
  },
];

/** Written on the 2nd by a commit with a record, one with a mark and one without anything; the last commit is of the 20th. */
const commitOn = (id: number, authored_on: string, author_id = 1) => ({ id, authored_on, author_id });
const fileOf = (commit_id: number, measures: object) => ({
  commit_id,
  file_index: 0,
  category: CATEGORY_IDS.backend,
  path: 'a',
  status: 'added',
  ...measures,
});
const markOf = (commit_id: number, source: string) => ({
  commit_id,
  source,
  position: 0,
  model: 'claude',
  provider: 'vendorC_platform',
});
const flowOf = (commit_id: number, origin_commit_id: number, counts: object, flow_index = 0) => ({
  commit_id,
  origin_commit_id,
  flow_index,
  age: 'lt_2w',
  category: CATEGORY_IDS.backend,
  ...counts,
});
const lives = {
  commits: [
    commitOn(801, '2026-02-02'),
    commitOn(802, '2026-02-02'),
    commitOn(803, '2026-02-02', 2),
    commitOn(804, '2026-02-05'),
    commitOn(805, '2026-02-11'),
    commitOn(806, '2026-02-20', 2),
  ],
  commit_files: [
    fileOf(801, { lines_added: 40, ai_lines_changed: 40_000 }),
    fileOf(802, { lines_added: 10, lines_updated: 10, ai_lines_changed: 20_000 }),
    fileOf(803, { lines_added: 100, lines_moved: 50 }),
    fileOf(806, { lines_added: 8 }),
  ],
  commit_ai: [markOf(801, 'note'), markOf(802, 'co_author')],
  line_flows: [
    // moves and what they move are none of it
    flowOf(804, 801, { lines_deleted: 10, lines_moved: 5, ai_lines: 15_000 }),
    flowOf(805, 802, { lines_updated: 5, ai_lines: 5000 }),
    flowOf(805, 803, { lines_deleted: 25, lines_find_replaced: 25 }, 1),
  ],
  daily_ai: [
    { committer_id: 1, authored_on: '2026-02-02', source: 'note', ai_lines_changed: 40_000 },
    { committer_id: 1, authored_on: '2026-02-02', source: 'co_author', ai_lines_changed: 20_000 },
  ],
};
const percentAt = (group: string, values: readonly (number | null)[]) =>
  Object.fromEntries([3, 7, 14].map((days, at) => [`${group}, ${days} days`, { [FEB]: values[at]! }]));

const SURVIVED = {
  ...percentAt('AI by record', [75, 75, 75]),
  ...percentAt('AI by mark', [100, 100, 75]),
  ...percentAt('Rest', [100, 100, 50]),
  // of what was followed so long: nothing of the 20th, and after 21 days nothing at all
  ...Object.fromEntries(
    ['AI by record', 'AI by mark', 'Rest'].flatMap((group) =>
      [21, 90].map((days) => [`${group}, ${days} days`, { [FEB]: null }]),
    ),
  ),
};

const further: readonly Example[] = [
  {
    segment: 'line_survival_percent',
    facts: lives,
    gives: SURVIVED,
  },
  {
    segment: 'line_survival_percent',
    when: 'follows lines no further for a commit of a machine whose clock is ahead',
    // Nothing was read after the 20th, though a line is of the year 2029.
    facts: { ...lives, commits: [...lives.commits, commitOn(807, '2029-03-01')] },
    gives: SURVIVED,
  },
  {
    segment: 'line_survival_percent',
    when: 'ends lines by a commit of an earlier day too, also of one before the range',
    facts: {
      ...lives,
      commits: [...lives.commits, commitOn(808, '2026-01-20'), commitOn(809, '2025-10-01')],
      line_flows: [
        ...lives.line_flows,
        flowOf(808, 803, { lines_deleted: 10 }),
        // longer before than any commit is looked for, whatever the range
        flowOf(809, 803, { lines_deleted: 20 }),
      ],
    },
    gives: { ...SURVIVED, ...percentAt('Rest', [90, 90, 40]) },
  },
  {
    segment: 'ai_churn_line_percent',
    when: 'weighs what was rewritten as what was written',
    facts: lives,
    // 10 lines by record and 5 × 0.7 by a mark, of 40 and 20 × 0.7
    gives: { 'Churn of AI lines': { [FEB]: (100 * 13.5) / 54 } },
  },
  {
    segment: 'ai_evidence_coverage_percent',
    facts: credited,
    gives: { 'Evidence coverage': { [FEB]: 60 } },
  },
  {
    segment: 'error_masking_per_mil',
    facts: {
      daily_work: [
        {
          committer_id: 1,
          authored_on: '2026-02-03',
          lines_added: 250,
          lines_copy_pasted: 50,
          lines_updated: 100,
          lines_deleted: 50,
          error_masks: 3,
        },
      ],
    },
    gives: { 'Errors hidden per 1,000 new lines': { [FEB]: 7.5 } },
  },
  {
    segment: 'prompt_count',
    facts: {
      ai_usages: [
        { ...usage, prompt_count: 7 },
        { ...usage, used_on: '2026-02-04', llm_model_name: 'n', prompt_count: 5 },
      ],
    },
    gives: { m: { [FEB]: 7 }, n: { [FEB]: 5 } },
  },
  {
    segment: 'ai_token_count',
    facts: {
      ai_usages: [{ ...usage, tokens_input: 7, tokens_output: 3, tokens_cache_read: 90, tokens_cache_write: 1 }],
    },
    gives: { m: { [FEB]: 101 } },
  },
  {
    segment: 'ai_active_minutes',
    facts: { ai_usages: [{ ...usage, active_seconds: 90 }] },
    gives: { 'Minutes with AI tools': { [FEB]: 1.5 } },
  },
  {
    segment: 'ai_active_minutes',
    when: 'counts one source of a day',
    facts: {
      ai_usages: [
        { ...usage, active_seconds: 90 },
        { ...usage, source_em: 'otlp', active_seconds: 600 },
      ],
    },
    gives: { 'Minutes with AI tools': { [FEB]: 1.5 } },
  },
  {
    segment: 'seat_used_percent',
    facts: {
      // the second seat ended before, the third is of another tool than the one that was used
      ai_seats: [
        { committer_id: 1, ai_provider_em: 'vendorA_assistant', from_on: '2026-01-10' },
        { committer_id: 2, ai_provider_em: 'vendorA_assistant', from_on: '2026-01-10', until_on: '2026-02-01' },
        { committer_id: 1, ai_provider_em: 'vendorB_editor', from_on: '2026-02-10' },
        { committer_id: 3, ai_provider_em: 'vendorA_assistant', from_on: '2026-01-10' },
      ],
      ai_usages: [usage],
    },
    gives: { 'Seats in use': { [FEB]: 33.3333 } },
  },
];

checkExamples([...credit, ...use, ...cohorts, ...shares, ...further]);
