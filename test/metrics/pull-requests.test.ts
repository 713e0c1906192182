// Statistics of pull requests, by hand. Business hours are 9 to 17; the 2nd of February is a Monday.
import { expect, test } from 'vitest';
import type { KnownData } from '../../src/metrics/availability.ts';
import { summarize } from '../../src/metrics/summarize.ts';
import { createFactsKit } from '../world/facts-kit.ts';
import { checkExamples, type Example, FEB, FEBRUARY } from './examples.ts';

const pull_requests = [
  {
    id: 1,
    author_id: 1,
    first_commit_authored_at: '2026-02-02T09:00:00Z',
    opened_at: '2026-02-02T13:00:00Z',
    first_review_at: '2026-02-02T14:00:00Z',
    first_human_review_at: '2026-02-03T11:00:00Z',
    merged_at: '2026-02-04T13:00:00Z',
    closed_at: '2026-02-04T13:00:00Z',
    released_at: '2026-02-05T17:00:00Z',
  },
  // over a weekend, reviewed by nobody
  {
    id: 2,
    author_id: 2,
    first_commit_authored_at: '2026-02-06T13:00:00Z',
    opened_at: '2026-02-06T13:00:00Z',
    merged_at: '2026-02-09T13:00:00Z',
    closed_at: '2026-02-09T13:00:00Z',
  },
  { id: 3, author_id: 2, opened_at: '2026-02-10T09:00:00Z', closed_at: '2026-02-10T17:00:00Z' },
  // still open, and a draft, and one of a bot
  { id: 4, author_id: 1, opened_at: '2026-02-27T13:00:00Z' },
  { id: 5, author_id: 1, opened_at: '2026-02-27T13:00:00Z', is_draft: true },
  { id: 6, is_author_bot: true, opened_at: '2026-02-10T09:00:00Z', closed_at: '2026-02-20T09:00:00Z' },
];
const facts = { pull_requests };
const reviewed = {
  pull_requests,
  pull_request_commits: [
    { pull_request_id: 1, ordinal: 1, repo_id: 1, sha: Buffer.alloc(20, 1) },
    { pull_request_id: 1, ordinal: 2, repo_id: 1, sha: Buffer.alloc(20, 2) },
  ],
  pull_request_reviews: [
    { id: 1, pull_request_id: 1, reviewer_id: 2, submitted_at: '2026-02-03T11:00:00Z' },
    { id: 2, pull_request_id: 1, reviewer_id: 2, submitted_at: '2026-02-04T11:00:00Z' },
    { id: 3, pull_request_id: 1, reviewer_id: 3, submitted_at: '2026-02-04T12:00:00Z' },
    { id: 4, pull_request_id: 1, is_bot: true, submitted_at: '2026-02-02T14:00:00Z' },
    { id: 5, pull_request_id: 2, reviewer_id: 2, is_by_author: true, submitted_at: '2026-02-06T14:00:00Z' },
  ],
  pull_request_comments: [
    { id: 1, pull_request_id: 1, author_id: 2, commented_at: '2026-02-03T11:00:00Z' },
    { id: 2, pull_request_id: 1, author_id: 3, commented_at: '2026-02-03T12:00:00Z' },
    { id: 3, pull_request_id: 1, author_id: 1, is_by_author: true, commented_at: '2026-02-03T13:00:00Z' },
    { id: 4, pull_request_id: 1, is_bot: true, commented_at: '2026-02-03T13:00:00Z' },
  ],
};

const draftAgain = {
  pull_requests: [{ id: 5, author_id: 1, opened_at: '2026-02-24T13:00:00Z', is_draft: true }],
  pull_request_events: [
    { pull_request_id: 5, external_id: 'd1', kind: 'draft', occurred_at: '2026-02-24T14:00:00Z' },
    { pull_request_id: 5, external_id: 'r', kind: 'ready', occurred_at: '2026-02-24T15:00:00Z' },
    { pull_request_id: 5, external_id: 'd2', kind: 'draft', occurred_at: '2026-02-25T10:00:00Z' },
  ],
};

const examples: Example[] = [
  // a draft is not open for review yet
  { segment: 'prs_opened', facts, gives: { 'Pull requests opened': { [FEB]: 4 } } },
  {
    segment: 'prs_opened',
    when: 'falls on the entity’s date',
    facts: { pull_requests: [{ author_id: 1, opened_at: '2026-02-03T03:00:00Z' }] },
    interval: 'daily',
    range: { from: '2026-02-01', to: '2026-02-03' },
    scope: { zone: 'America/New_York' },
    gives: { 'Pull requests opened': { '2026-02-02': 1 } },
  },
  {
    segment: 'prs_opened',
    when: 'counts one that was ready and is a draft again',
    facts: draftAgain,
    gives: { 'Pull requests opened': { [FEB]: 1 } },
  },
  {
    segment: 'pr_awaiting_review_count',
    when: 'counts until it is a draft again',
    facts: draftAgain,
    interval: 'daily',
    range: { from: '2026-02-23', to: '2026-02-26' },
    gives: { 'Pull requests awaiting review': { '2026-02-24': 1 } },
  },
  {
    segment: 'pr_awaiting_review_hours',
    when: 'end when it is a draft again',
    facts: draftAgain,
    // 13 to 17 on Tuesday, 9 to 10 on Wednesday
    gives: { 'Hours awaiting review': { [FEB]: 5 } },
  },
  {
    segment: 'days_to_first_pr',
    when: 'are up to one that was ready and is a draft again',
    facts: { ...draftAgain, commits: [{ id: 1, author_id: 1, authored_on: '2026-02-20' }] },
    gives: { 'Days to first pull request': { [FEB]: 4 } },
  },
  { segment: 'pr_abandoned_count', facts, gives: { 'Pull requests abandoned': { [FEB]: 1 } } },
  { segment: 'pr_merged_without_any_review_count', facts, gives: { 'Merged without any review': { [FEB]: 1 } } },
  {
    segment: 'pr_merged_without_human_review_count',
    facts: {
      pull_requests: [
        ...pull_requests,
        {
          id: 7,
          author_id: 1,
          opened_at: '2026-02-02T09:00:00Z',
          first_review_at: '2026-02-02T10:00:00Z',
          merged_at: '2026-02-02T11:00:00Z',
          closed_at: '2026-02-02T11:00:00Z',
        },
      ],
    },
    gives: { 'Merged without a person’s review': { [FEB]: 2 } },
  },
  {
    segment: 'pr_awaiting_review_count',
    facts,
    interval: 'daily',
    range: { from: '2026-02-02', to: '2026-02-04' },
    gives: { 'Pull requests awaiting review': { '2026-02-02': 1 } },
  },
  {
    segment: 'pr_awaiting_review_count',
    when: 'counts what waits now in the interval that is not over',
    facts,
    scope: { now: new Date('2026-02-27T15:00:00Z') },
    gives: { 'Pull requests awaiting review': { [FEB]: 1 } },
  },
  {
    segment: 'pr_awaiting_review_count',
    when: 'says nothing about intervals that have not begun',
    facts,
    scope: { now: new Date('2026-02-27T15:00:00Z') },
    interval: 'daily',
    range: { from: '2026-02-27', to: '2026-03-02' },
    gives: { 'Pull requests awaiting review': { '2026-02-27': 1 } },
  },
  {
    segment: 'pr_awaiting_review_count',
    when: 'says nothing about a range that has not begun',
    facts,
    scope: { now: new Date('2026-01-15T15:00:00Z') },
    gives: {},
  },
  {
    segment: 'pr_awaiting_review_hours',
    when: 'are those within each day',
    facts,
    interval: 'daily',
    range: { from: '2026-02-02', to: '2026-02-03' },
    // 13 to 17 on Monday, 9 to 11 on Tuesday
    gives: { 'Hours awaiting review': { '2026-02-02': 4, '2026-02-03': 2 } },
  },
  {
    segment: 'pr_average_hours_awaiting_first_review',
    facts,
    gives: { 'Hours to first review': { [FEB]: 6 } },
  },
  // 2.5 days, and 0.5 on Friday plus 0.5 on Monday
  { segment: 'pr_cycle', facts, gives: { 'Pull request cycle time': { [FEB]: 1.75 } } },
  {
    segment: 'pr_cycle',
    when: 'at its 90th percentile',
    facts,
    statistic: 'p90',
    gives: { 'Pull request cycle time': { [FEB]: 2.35 } },
  },
  { segment: 'pr_lead_time', facts, gives: { 'Pull request lead time': { [FEB]: 4 } } },
  // 2 days, 1 day and 1 day
  { segment: 'pr_resolved_days', facts, gives: { 'Days pull requests were open': { [FEB]: 1.3333 } } },
  {
    segment: 'pr_resolved_days',
    when: 'as a median',
    facts,
    statistic: 'median',
    gives: { 'Days pull requests were open': { [FEB]: 1 } },
  },
  { segment: 'pr_review_count', when: 'with those of bots', facts: reviewed, gives: { Reviews: { [FEB]: 4 } } },
  {
    segment: 'pr_review_count',
    when: 'without those of bots when people are asked for',
    facts: reviewed,
    scope: { personIds: [1, 2, 3], isAboutPeople: true },
    gives: { Reviews: { [FEB]: 3 } },
  },
  { segment: 'prs_reviewed', facts: reviewed, gives: { 'Pull requests reviewed': { [FEB]: 1 } } },
  {
    segment: 'prs_reviewed',
    when: 'by reviewer',
    facts: reviewed,
    by: 'committer',
    gives: { 'User 2': { [FEB]: 1 }, 'User 3': { [FEB]: 1 } },
  },
  { segment: 'commits_reviewed', facts: reviewed, gives: { 'Commits reviewed': { [FEB]: 4 } } },
  {
    segment: 'pr_comments_left',
    facts: reviewed,
    by: 'committer',
    gives: { 'User 2': { [FEB]: 1 }, 'User 3': { [FEB]: 1 } },
  },
  { segment: 'pr_comments_received', facts: reviewed, by: 'committer', gives: { 'User 1': { [FEB]: 2 } } },
  {
    segment: 'days_to_first_pr',
    facts: {
      pull_requests: [...pull_requests, { id: 9, author_id: 1, opened_at: '2026-01-24T13:00:00Z', is_draft: true }],
      commits: [
        { id: 1, author_id: 1, authored_on: '2026-01-23' },
        { id: 2, author_id: 2, authored_on: '2026-02-02' },
      ],
    },
    // 10 days and 4 days
    gives: { 'Days to first pull request': { [FEB]: 7 } },
  },
  {
    segment: 'days_to_first_pr',
    when: 'begins with the first commit of the whole history',
    facts: {
      pull_requests: pull_requests.slice(0, 1),
      commits: [{ id: 1, author_id: 1, authored_on: '2026-01-23' }],
      committer_identities: [
        { committer_id: 1, address_key: 'one@example.com', first_authored_at: '2025-02-02T09:00:00Z' },
      ],
    },
    gives: { 'Days to first pull request': { [FEB]: 365 } },
  },
];

checkExamples(examples);

test('the mean work of a pull request is that of those that were merged and of which it is worked out', async () => {
  const kit = await createFactsKit();
  const merged = { author_id: 1, opened_at: '2026-02-02T13:00:00Z', merged_at: '2026-02-04T13:00:00Z' };
  const work = async () => {
    const known: KnownData = {
      kinds: new Set(['commits', 'pull_requests']),
      commits: { from: null, allFrom: null },
      releases: { from: null, allFrom: null },
      unseenPeople: 0,
      unfinished: [],
      isDeriving: false,
      derivedOtherwise: [],
    };
    const figures = { segment: 'prs_opened', range: FEBRUARY, scope: kit.scope(), statistic: 'mean', known } as const;
    return (await summarize(kit.store, figures)).find(({ key }) => key === 'delta_per_pr')!.value;
  };
  await kit.insert(
    'pull_requests',
    { id: 1, ...merged },
    { id: 2, author_id: 1, opened_at: '2026-02-02T13:00:00Z', work_delta: null },
    { id: 3, ...merged, merged_at: '2026-01-30T13:00:00Z', work_delta: 900_000 },
  );
  expect(await work()).toBeNull();
  await kit.insert('pull_requests', { id: 4, ...merged, work_delta: 30_000 }, { id: 5, ...merged, work_delta: 0 });
  expect(await work()).toBe(15);
});
