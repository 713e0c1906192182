// Statistics of commits and people, by hand.
import { checkExamples, type Example, FEB } from './examples.ts';

const daily_commits = [
  { committer_id: 1, authored_on: '2026-02-03', commit_count: 3 },
  { committer_id: 1, authored_on: '2026-02-04', commit_count: 1 },
  { committer_id: 2, authored_on: '2026-02-04', commit_count: 2 },
  // a Saturday, and a holiday in the week after the next
  { committer_id: 3, authored_on: '2026-02-07', commit_count: 1 },
  { committer_id: 3, authored_on: '2026-02-16', commit_count: 1 },
];
const commits = [
  { id: 1, author_id: 1, authored_on: '2026-02-03', delta: 6000 },
  { id: 2, author_id: 1, authored_on: '2026-02-04', delta: 3000 },
  { id: 3, author_id: 2, authored_on: '2026-02-05', delta: 1000, on_default_branch: false },
  { id: 4, author_id: 2, authored_on: '2026-02-05', delta: 9000, rolled_up: false },
];
const issues = [
  { id: 1, key: 'A-1', type: 'Bug', is_bug: true },
  { id: 2, key: 'A-2', type: 'Story' },
];
const issue_commits = [
  { commit_id: 1, issue_id: 1, issue_count: 2 },
  { commit_id: 1, issue_id: 2, issue_count: 2 },
  { commit_id: 2, issue_id: 2, issue_count: 1 },
];

const examples: Example[] = [
  { segment: 'commit_count', facts: { daily_commits }, gives: { Commits: { [FEB]: 8 } } },
  {
    segment: 'active_committer_in_week_count',
    when: 'in a month is the mean of its active weeks',
    facts: { daily_commits },
    // three in the week of the 2nd, one in the week of the 16th, none in the others
    gives: { 'Active developers per week': { [FEB]: 2 } },
  },
  {
    segment: 'active_committer_in_week_count',
    when: 'on a day is its week’s',
    facts: { daily_commits },
    interval: 'daily',
    range: { from: '2026-02-05', to: '2026-02-06' },
    gives: { 'Active developers per week': { '2026-02-05': 3, '2026-02-06': 3 } },
  },
  {
    segment: 'active_committer_in_week_count',
    when: 'in a month that ends with the range before its first Thursday is that of its own week',
    // August began on a Saturday, in a week of July
    facts: {
      daily_commits: [
        { committer_id: 1, authored_on: '2026-07-28' },
        { committer_id: 2, authored_on: '2026-08-03' },
        { committer_id: 3, authored_on: '2026-08-04' },
      ],
    },
    range: { from: '2026-07-01', to: '2026-08-05' },
    gives: { 'Active developers per week': { '2026-07-01': 1, '2026-08-01': 2 } },
  },
  {
    segment: 'active_committer_per_date_count',
    facts: { daily_commits },
    // 1 on the 3rd and 2 on the 4th over 19 business days
    gives: { 'Active developers per day': { [FEB]: 0.1579 } },
  },
  {
    segment: 'active_committer_per_date_count',
    when: 'is over the days that have come',
    facts: { daily_commits },
    scope: { now: new Date('2026-02-05T12:00:00Z') },
    // over four business days, Monday to Thursday
    gives: { 'Active developers per day': { [FEB]: 0.75 } },
  },
  {
    segment: 'minutes_used',
    facts: {
      commits,
      commit_traits: [
        { commit_id: 1, minutes_used: 120 },
        { commit_id: 2, minutes_used: 30 },
      ],
    },
    gives: { 'Coding time': { [FEB]: 150 } },
  },
  {
    segment: 'delta_velocity',
    facts: {
      commits,
      commit_traits: [
        { commit_id: 1, minutes_used: 120 },
        { commit_id: 2, minutes_used: 30 },
      ],
    },
    gives: { 'Diff Delta per hour': { [FEB]: 3.6 } },
  },
  {
    segment: 'release_phase',
    facts: {
      commits,
      releases: [{ id: 1, released_at: '2026-02-10T00:00:00Z' }],
      release_commits: [{ commit_id: 1, release_id: 1 }],
    },
    gives: { Released: { [FEB]: 6 }, 'Awaiting release': { [FEB]: 3 }, 'In development': { [FEB]: 1 } },
  },
  {
    segment: 'pull_request_phase',
    facts: {
      commits,
      commit_traits: [
        { commit_id: 1, pull_request_phase: 'Under review' },
        { commit_id: 2, pull_request_phase: 'After merge' },
      ],
    },
    gives: { 'Under review': { [FEB]: 6 }, 'After merge': { [FEB]: 3 }, 'No pull request': { [FEB]: 1 } },
  },
  {
    segment: 'ticket_type',
    facts: { commits, issues, issue_commits },
    gives: { Story: { [FEB]: 6 }, Bug: { [FEB]: 3 }, 'No issue': { [FEB]: 1 } },
  },
  {
    segment: 'issue_external_identifier',
    facts: { commits, issues, issue_commits },
    gives: { 'A-2': { [FEB]: 6 }, 'A-1': { [FEB]: 3 }, 'No issue': { [FEB]: 1 } },
  },
  {
    segment: 'inside_bounds_sprint_name',
    facts: {
      commits,
      teams: [{ id: 1, slug: 'a', name: 'A' }],
      team_members: [{ team_id: 1, committer_id: 1 }],
      sprints: [
        { id: 1, team_id: 1, name: 'S1', starts_at: '2026-02-02T00:00:00Z', ends_at: '2026-02-04T00:00:00Z' },
        { id: 2, team_id: 1, name: 'S2', starts_at: '2026-02-04T00:00:00Z', ends_at: '2026-02-09T00:00:00Z' },
      ],
    },
    gives: { S1: { [FEB]: 6 }, S2: { [FEB]: 3 }, 'No sprint': { [FEB]: 1 } },
  },
  {
    segment: 'inside_bounds_sprint_name',
    when: 'takes the sprint that began first where two overlap, and none of another team',
    facts: {
      commits,
      teams: [
        { id: 1, slug: 'a', name: 'A' },
        { id: 2, slug: 'b', name: 'B' },
      ],
      team_members: [{ team_id: 1, committer_id: 1 }],
      sprints: [
        { id: 1, team_id: 1, name: 'S1', starts_at: '2026-02-02T00:00:00Z', ends_at: '2026-02-06T00:00:00Z' },
        { id: 2, team_id: 1, name: 'S2', starts_at: '2026-02-03T00:00:00Z', ends_at: '2026-02-09T00:00:00Z' },
        { id: 3, team_id: 2, name: 'S3', starts_at: '2026-02-01T00:00:00Z', ends_at: '2026-02-28T00:00:00Z' },
      ],
    },
    gives: { S1: { [FEB]: 9 }, 'No sprint': { [FEB]: 1 } },
  },
  {
    segment: 'bug_work_percent',
    facts: { commits, commit_traits: [{ commit_id: 1, bug_share: 500 }] },
    gives: { 'Bug work share': { [FEB]: 30 } },
  },
  {
    segment: 'opex_ratio',
    when: 'shows what nothing is said of by itself',
    facts: {
      commits,
      commit_traits: [
        { commit_id: 1, opex_share: 500 },
        { commit_id: 2, opex_share: 0 },
      ],
    },
    gives: { OpEx: { [FEB]: 0.3 }, Unclassified: { [FEB]: 0.1 } },
  },
];

checkExamples(examples);
