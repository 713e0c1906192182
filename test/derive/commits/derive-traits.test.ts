// What is worked out about commits across repos, pull requests and issues.
import { beforeAll, expect, test } from 'vitest';
import { bugShare, deriveTraits } from '../../../src/derive/commits/derive-traits.ts';
import { estimateMinutes } from '../../../src/derive/commits/estimate-minutes.ts';
import { workShares } from '../../../src/derive/commits/work-class.ts';
import { ENTITY_SETTINGS, type EntitySettings } from '../../../src/domain/access/entity-settings.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';

const SETTINGS = Object.fromEntries(
  Object.entries(ENTITY_SETTINGS).map(([key, row]) => [key, row.default]),
) as EntitySettings;

const hour = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const timed = (...list: [number, string][]) => list.map(([day, at], id) => ({ id, day, minute: hour(at) }));

test.each([
  ['the first day counts from the opening hour', timed([1, '10:30']), [90]],
  ['later commits of a day count from the one before', timed([1, '10:00'], [1, '10:40'], [1, '11:00']), [60, 40, 20]],
  ['no commit counts less than 5 minutes or more than 4 hours', timed([1, '16:00'], [1, '16:01']), [240, 5]],
  [
    'a day begins four hours before the usual first commit',
    timed([1, '10:00'], [2, '11:00'], [3, '08:00']),
    [60, 240, 90],
  ],
  ['days more than 90 days ago say nothing', timed([1, '12:00'], [100, '10:00']), [180, 60]],
])('%s', (_, commits, expected) => {
  expect(estimateMinutes(commits, hour('09:00'))).toEqual(expected);
});

const signs = { issues: [], labels: [], pullTitle: null, subject: 'change things' };
test.each([
  ['what says nothing', signs, 0, 1000],
  ['a feature by its prefix', { ...signs, subject: 'feat(api)!: more' }, 0],
  ['a fix by its prefix', { ...signs, subject: 'fix: less' }, 1000],
  ['the pull request’s title before the commit’s', { ...signs, pullTitle: 'feat: x', subject: 'fix: y' }, 0],
  ['a label before the title', { ...signs, labels: ['dependencies'], pullTitle: 'feat: x' }, 1000],
  ['the issue’s type before all of them', { ...signs, issues: [{ key: 'A', type: 'Story' }], labels: ['bug'] }, 0],
  [
    'two issues by halves',
    {
      ...signs,
      issues: [
        { key: 'A', type: 'Story' },
        { key: 'B', type: 'Bug' },
      ],
    },
    500,
  ],
  [
    'one of two issues that nothing is said of',
    {
      ...signs,
      issues: [
        { key: 'A', type: 'Wish' },
        { key: 'B', type: 'Bug' },
      ],
    },
    500,
    500,
  ],
])('%s is running cost to so many thousandths', (_, given, opex, unclassified = 0) => {
  expect(workShares(given, [])).toEqual({ opex, unclassified });
});

test('a chosen class wins over what the words say', () => {
  const overrides = [{ match: 'issue_type', value: 'story', class: 'opex' }] as const;
  expect(workShares({ ...signs, issues: [{ key: 'A', type: 'Story' }] }, overrides)).toEqual({
    opex: 1000,
    unclassified: 0,
  });
});

test('bug work follows issues, and where there are none the branch and labels', () => {
  const pull = { labels: null, branch_name: null };
  expect(bugShare([], null)).toBe(0);
  expect(bugShare([], pull)).toBe(0);
  expect(bugShare([], { ...pull, branch_name: 'hotfix/login' })).toBe(1000);
  expect(bugShare([], { ...pull, labels: ['Bug'] })).toBe(1000);
  expect(bugShare([{ is_bug: false }, { is_bug: true }], { ...pull, labels: ['bug'] })).toBe(500);
});

let kit: FactsKit;
beforeAll(async () => {
  kit = await createFactsKit();
  const sha = (byte: number) => Buffer.alloc(20, byte);
  const commit = (id: number, authored_at: string) => ({
    id,
    author_id: 1,
    authored_at,
    authored_on: authored_at.slice(0, 10),
    sha: sha(id),
    delta: 1000,
  });
  await kit.insert(
    'commits',
    commit(1, '2026-02-02T10:00:00Z'),
    commit(2, '2026-02-03T10:00:00Z'),
    commit(3, '2026-02-04T10:00:01Z'),
    commit(4, '2026-02-20T10:00:00Z'),
    commit(5, '2026-03-20T10:00:00Z'),
    commit(6, '2026-03-21T10:00:00Z'),
    commit(7, '2026-03-22T10:00:00Z'),
    commit(8, '2026-02-02T11:00:00Z'),
    // of the second pull request, after its merge
    { ...commit(9, '2026-02-06T10:00:00Z'), delta: 300 },
  );
  const merged = { author_id: 1, opened_at: '2026-02-02T12:00:00Z', merged_at: '2026-02-04T10:00:00Z' };
  await kit.insert(
    'pull_requests',
    { id: 1, ...merged, closed_at: '2026-02-04T10:00:00Z', squash_sha: sha(3) },
    { id: 2, ...merged, closed_at: '2026-02-04T10:00:00Z' },
    { id: 3, author_id: 1, opened_at: '2026-02-02T12:00:00Z' },
  );
  await kit.insert(
    'pull_request_commits',
    { pull_request_id: 1, ordinal: 1, repo_id: 1, sha: sha(1) },
    { pull_request_id: 1, ordinal: 2, repo_id: 1, sha: sha(2) },
    { pull_request_id: 2, ordinal: 1, repo_id: 1, sha: sha(8) },
    { pull_request_id: 2, ordinal: 2, repo_id: 1, sha: sha(9) },
  );
  const flow = { origin_commit_id: 2, age: 'lt_1m', flow_index: 0, category: 10, lines_updated: 1 };
  await kit.insert(
    'line_flows',
    { ...flow, commit_id: 4 },
    { ...flow, commit_id: 4, flow_index: 1, origin_commit_id: 8, lines_updated: 0, lines_deleted: 3 },
    { ...flow, commit_id: 5 },
    // only moved, and of a lock file
    { ...flow, commit_id: 6, lines_updated: 0, lines_moved: 3 },
    { ...flow, commit_id: 7, category: 12 },
  );
  await kit.insert('releases', { id: 1, released_at: '2026-02-10T00:00:00Z' });
  await kit.insert('release_commits', { commit_id: 2, release_id: 1 });
  const done = { resolved_at: '2026-02-20T00:00:00Z', assignee_id: 1, type: 'Story' };
  await kit.insert(
    'issues',
    { id: 1, is_bug: true, opened_at: '2026-02-15T00:00:00Z', type: 'Bug' },
    { id: 2, is_bug: true, opened_at: '2026-02-05T00:00:00Z', type: 'Bug' },
    { id: 3, ...done, story_points: 400 },
    { id: 4, ...done },
    { id: 5, ...done },
    { id: 6, is_bug: true, opened_at: '2026-02-15T00:00:00Z', type: 'Bug' },
    { id: 7, is_bug: true, opened_at: '2026-02-15T00:00:00Z', type: 'Bug' },
    { id: 8, is_bug: true, opened_at: '2026-02-15T00:00:00Z', type: 'Bug', labels: ['ui', 'Found-in: Production'] },
    { id: 9, is_bug: true, opened_at: '2026-02-05T00:00:00Z', type: 'Bug', labels: ['prod'] },
  );
  await kit.insert(
    'issue_commits',
    { commit_id: 4, issue_id: 1, issue_count: 1 },
    { commit_id: 5, issue_id: 2, issue_count: 1 },
    { commit_id: 1, issue_id: 3, issue_count: 1 },
    { commit_id: 2, issue_id: 4, issue_count: 2 },
    { commit_id: 6, issue_id: 6, issue_count: 1 },
    { commit_id: 7, issue_id: 7, issue_count: 1 },
    { commit_id: 6, issue_id: 8, issue_count: 1 },
    { commit_id: 6, issue_id: 9, issue_count: 1 },
  );
});

test('phases, escaped bugs and estimated points are stored, and a second run changes nothing', async () => {
  expect(await deriveTraits(kit.store, kit.entityId, SETTINGS)).toBeGreaterThan(0);
  const traits = await kit.store.pool.query(
    `select commit_id, pull_request_phase as phase from commit_traits where entity_id = $1 order by commit_id`,
    [kit.entityId],
  );
  expect(traits.rows.map(({ phase }) => phase)).toEqual([
    'Preparing',
    'Under review',
    'Under review',
    'After merge',
    ...['No pull request', 'No pull request', 'No pull request'],
    ...['Preparing', 'After merge'],
  ]);
  // The fourth commit changed one line of the first and three of the second, whose own commit came late.
  const pulls = await kit.store.pool.query(
    'select id, work_delta as before, post_merge_delta as after from pull_requests where entity_id = $1 order by id',
    [kit.entityId],
  );
  expect(pulls.rows).toEqual([
    { id: 1, before: 3000, after: 0 },
    { id: 2, before: 1000, after: 1300 },
    { id: 3, before: null, after: null },
  ]);
  const issues = await kit.store.pool.query(
    `select id, is_escaped, story_points_estimated as points from issues where entity_id = $1 order by id`,
    [kit.entityId],
  );
  expect(issues.rows).toEqual([
    { id: 1, is_escaped: true, points: null },
    { id: 2, is_escaped: false, points: null },
    { id: 3, is_escaped: null, points: null },
    // half of a commit as large as the one that was worth 4 points
    { id: 4, is_escaped: null, points: 200 },
    // no commits: the team's median
    { id: 5, is_escaped: null, points: 400 },
    // no line of code is known to be at fault
    { id: 6, is_escaped: false, points: null },
    { id: 7, is_escaped: false, points: null },
    // found in production, after and before the first release
    { id: 8, is_escaped: true, points: null },
    { id: 9, is_escaped: false, points: null },
  ]);
  expect(await deriveTraits(kit.store, kit.entityId, SETTINGS)).toBe(0);
});

test('commits of years far away have their coding time too', async () => {
  const own = await createFactsKit();
  const commit = (id: number, authored_at: string) => ({
    id,
    author_id: 1,
    authored_at,
    authored_on: authored_at.slice(0, 10),
    sha: Buffer.alloc(20, id),
  });
  await own.insert('commits', commit(1, '1955-06-01T10:30:00Z'), commit(2, '9998-06-01T10:30:00Z'));
  await deriveTraits(own.store, own.entityId, SETTINGS);
  const { rows } = await own.store.pool.query(
    'select minutes_used from commit_traits where entity_id = $1 order by commit_id',
    [own.entityId],
  );
  expect(rows).toEqual([{ minutes_used: 90 }, { minutes_used: 90 }]);
});

test('a commit belongs to the pull request that landed it first, whichever was stored first', async () => {
  const own = await createFactsKit();
  const sha = (byte: number) => Buffer.alloc(20, byte);
  const authored_at = '2026-02-03T10:00:00Z';
  const commit = (id: number) => ({ id, author_id: 1, authored_at, authored_on: '2026-02-03', sha: sha(id) });
  await own.insert('commits', commit(1), commit(2), commit(3), commit(4));
  const landedAt = (merged_at: string | null) => ({
    opened_at: '2026-02-02T12:00:00Z',
    merged_at,
    closed_at: merged_at,
  });
  // The last was the first to be merged: it has squashed one commit and lists two. The others list all of them.
  await own.insert(
    'pull_requests',
    { id: 1, number: 6, ...landedAt(null) },
    { id: 2, number: 7, ...landedAt('2026-02-09T10:00:00Z') },
    { id: 3, number: 8, ...landedAt('2026-02-04T10:00:00Z'), squash_sha: sha(1) },
  );
  const listed = (pull_request_id: number, id: number, removed_at: string | null = null) => {
    return { pull_request_id, ordinal: id, repo_id: 1, sha: sha(id), removed_at };
  };
  await own.insert(
    'pull_request_commits',
    ...[1, 2].flatMap((pull) => [1, 2, 3].map((id) => listed(pull, id))),
    listed(3, 2),
    listed(3, 3, '2026-02-03T12:00:00Z'),
    listed(2, 4, '2026-02-03T12:00:00Z'),
  );
  await deriveTraits(own.store, own.entityId, SETTINGS);
  const { rows } = await own.store.pool.query(
    'select pull_request_id from commit_traits where entity_id = $1 order by commit_id',
    [own.entityId],
  );
  expect(rows.map(({ pull_request_id }) => pull_request_id)).toEqual([3, 3, 2, null]);
});
