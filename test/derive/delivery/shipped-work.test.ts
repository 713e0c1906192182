// What releases shipped is kept by author and by change: repo after repo, through changes of commits, releases, pull
// requests and issues, it is what plain loops over the records find.
import { expect, test } from 'vitest';
import { summarizeShipped } from '../../../src/derive/delivery/releases-shipped.ts';
import { deriveSprintParts } from '../../../src/derive/work/derive-sprint-parts.ts';
import { createFactsKit, type FactsKit, type Fields } from '../../world/facts-kit.ts';
import { createRandom } from '../../world/random-history.ts';

const sha = (id: number): Buffer => Buffer.from(id.toString(16).padStart(40, '0'), 'hex');
const at = (hours: number): string => new Date(Date.UTC(2026, 0, 5) + hours * 3_600_000).toISOString();
const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function read<T extends Fields>(kit: FactsKit, text: string): Promise<T[]> {
  const { rows } = await kit.store.pool.query(text, [kit.entityId]);
  return rows;
}

interface Commit extends Fields {
  readonly id: number;
  readonly repo_id: number;
  readonly author_id: number;
  readonly authored_at: string;
  readonly rolled_up: boolean;
  readonly sha: Buffer;
}

async function expectShipped(kit: FactsKit): Promise<void> {
  const commits = await read<Commit>(kit, 'select * from commits where entity_id = $1 order by authored_at, id');
  const releases = await read<Fields & { id: number; repo_id: number; released_at: string; is_baseline: boolean }>(
    kit,
    'select * from releases where entity_id = $1',
  );
  const held = await read<Fields & { commit_id: number; release_id: number }>(
    kit,
    'select * from release_commits where entity_id = $1',
  );
  const named = await read<Fields & { commit_id: number; issue_id: number }>(
    kit,
    'select * from issue_commits where entity_id = $1',
  );
  const listed = await read<Fields & { pull_request_id: number; repo_id: number; sha: Buffer }>(
    kit,
    `select pull_request_id, repo_id, sha from pull_request_commits where entity_id = $1 and removed_at is null
     union all select pull_request_id, repo_id, sha from pull_request_landings where entity_id = $1`,
  );
  const pulls = await read<
    Fields & { id: number; repo_id: number; author_id: number; is_author_bot: boolean } & Record<
        'first_commit_authored_at' | 'released_at',
        string | null
      > &
      Record<'merge_sha' | 'squash_sha', Buffer | null>
  >(kit, 'select * from pull_requests where entity_id = $1');
  const issues = await read<
    Fields & { id: number; assignee_id: number | null; is_epic: boolean } & Record<
        'first_commit_authored_at' | 'released_at',
        string | null
      >
  >(kit, 'select * from issues where entity_id = $1');

  const authors = new Map<string, { all: number; counted: number }>();
  const changes: string[] = [];
  const add = (...parts: unknown[]) => changes.push(JSON.stringify(parts));
  const epics = new Set(issues.filter(({ is_epic }) => is_epic).map(({ id }) => id));
  const isNamed = (commit: Commit) =>
    named.some(({ commit_id, issue_id }) => commit_id === commit.id && !epics.has(issue_id));
  const isSame = (commit: Commit, repo: number, other: Buffer | null) =>
    commit.repo_id === repo && other !== null && commit.sha.equals(other);
  for (const release of releases) {
    if (release.is_baseline) continue;
    for (const commit of commits) {
      if (!held.some((row) => row.release_id === release.id && row.commit_id === commit.id)) continue;
      const key = JSON.stringify([release.id, commit.author_id, release.repo_id, release.released_at]);
      const count = authors.get(key) ?? { all: 0, counted: 0 };
      authors.set(key, { all: count.all + 1, counted: count.counted + Number(commit.rolled_up) });
      const isOfPull =
        listed.some((row) => isSame(commit, row.repo_id, row.sha)) ||
        pulls.some(
          (pull) => isSame(commit, pull.repo_id, pull.merge_sha) || isSame(commit, pull.repo_id, pull.squash_sha),
        );
      if (!commit.rolled_up || isNamed(commit) || isOfPull) continue;
      add('commits', commit.id, commit.author_id, commit.repo_id, commit.authored_at, release.released_at);
    }
  }
  for (const pull of pulls) {
    if (pull.released_at === null || pull.first_commit_authored_at === null || pull.is_author_bot) continue;
    const own = listed.filter(({ pull_request_id }) => pull_request_id === pull.id);
    const isOwn = (commit: Commit) =>
      own.some((row) => isSame(commit, row.repo_id, row.sha)) ||
      isSame(commit, pull.repo_id, pull.merge_sha) ||
      isSame(commit, pull.repo_id, pull.squash_sha);
    if (commits.some((commit) => isNamed(commit) && isOwn(commit))) continue;
    add('pull_requests', pull.id, pull.author_id, pull.repo_id, pull.first_commit_authored_at, pull.released_at);
  }
  for (const issue of issues) {
    const own = commits.filter(({ id }) => named.some((row) => row.issue_id === issue.id && row.commit_id === id));
    const [first] = own;
    if (first === undefined || issue.is_epic || issue.released_at === null) continue;
    if (!own.some(({ rolled_up }) => rolled_up)) continue;
    const startedAt = issue.first_commit_authored_at ?? first.authored_at;
    add('issues', issue.id, issue.assignee_id, first.repo_id, startedAt, issue.released_at);
  }
  const storedAuthors = await read(
    kit,
    `select json_build_array(release_id, committer_id, repo_id) as key, released_at, commit_count, counted_commit_count
     from release_authors where entity_id = $1`,
  );
  expect(
    new Map(
      storedAuthors.map(({ key, released_at, commit_count, counted_commit_count }) => [
        JSON.stringify([...(key as unknown[]), released_at]),
        { all: commit_count, counted: counted_commit_count },
      ]),
    ),
  ).toEqual(authors);
  const storedChanges = await read(kit, 'select * from released_changes where entity_id = $1');
  expect(
    storedChanges
      .map(({ record_type, record_id, committer_id, repo_id, started_at, released_at }) =>
        JSON.stringify([record_type, record_id, committer_id, repo_id, started_at, released_at]),
      )
      .toSorted(),
  ).toEqual(changes.toSorted());
}

test.each([1, 2, 3])('what was shipped is kept through changes, seed %i', async (seed) => {
  const random = createRandom(seed);
  const kit = await createFactsKit();
  const query = (text: string, ...values: unknown[]) => kit.store.pool.query(text, [kit.entityId, ...values]);
  await kit.insert(
    'commits',
    ...ids(60).map((id) => ({
      id,
      repo_id: 1 + random(2),
      author_id: 1 + random(3),
      authored_at: at(id * 5),
      sha: sha(id),
      rolled_up: random(6) > 0,
    })),
  );
  await kit.insert(
    'releases',
    ...ids(8).map((id) => ({ id, repo_id: 1 + (id % 2), released_at: at(id * 40), is_baseline: id <= 2 })),
  );
  await query(
    `insert into release_commits (entity_id, commit_id, release_id)
     select c.entity_id, c.id, r.id from commits c cross join lateral (
       select id from releases r where r.entity_id = c.entity_id and r.repo_id = c.repo_id and r.released_at > c.authored_at
       order by released_at limit 1) r where c.entity_id = $1`,
  );
  await kit.insert(
    'pull_requests',
    ...ids(12).map((id) => ({
      id,
      repo_id: 1 + random(2),
      author_id: 1 + random(3),
      opened_at: at(id * 20),
      is_author_bot: random(6) === 0,
      first_commit_authored_at: random(5) === 0 ? null : at(id * 20 - 10),
      released_at: random(3) === 0 ? null : at(id * 20 + 60),
      merge_sha: random(2) === 0 ? null : sha(1 + random(60)),
      squash_sha: random(2) === 0 ? null : sha(1 + random(60)),
    })),
  );
  await query(
    `insert into pull_request_commits (entity_id, pull_request_id, ordinal, repo_id, sha)
     select entity_id, 1 + id % 12, 0, repo_id, sha from commits where entity_id = $1 and id % 3 = 0`,
  );
  await query(
    `insert into pull_request_landings (entity_id, pull_request_id, repo_id, sha)
     select entity_id, 1 + id % 12, repo_id, sha from commits where entity_id = $1 and id % 4 = 1`,
  );
  await kit.insert(
    'issues',
    ...ids(10).map((id) => ({
      id,
      assignee_id: random(4) === 0 ? null : 1 + random(3),
      is_epic: random(6) === 0,
      first_commit_authored_at: random(6) === 0 ? null : at(id * 9),
      released_at: random(3) === 0 ? null : at(id * 30),
    })),
  );
  await kit.insert(
    'issue_commits',
    ...ids(60)
      .filter((id) => id % 5 === 0)
      .map((id) => ({ commit_id: id, issue_id: 1 + random(10), issue_count: 1 })),
  );
  const settle = async () => {
    for (const repo of [1, 2]) await summarizeShipped(kit.store.db, kit.entityId, [repo]);
    await expectShipped(kit);
  };
  await settle();
  expect(await summarizeShipped(kit.store.db, kit.entityId, null)).toBe(0);
  for (const change of [
    'update commits set rolled_up = not rolled_up where entity_id = $1 and id % 7 = 1',
    `update releases set released_at = released_at + interval '1 hour' where entity_id = $1 and id % 3 = 0`,
    'delete from release_commits where entity_id = $1 and commit_id % 4 = 0',
    'update release_commits set release_id = release_id + 2 where entity_id = $1 and release_id <= 4 and commit_id % 5 = 1',
    'delete from releases where entity_id = $1 and id = 5',
    'update pull_request_commits set removed_at = now() where entity_id = $1 and pull_request_id % 4 = 1',
    'delete from pull_request_landings where entity_id = $1 and pull_request_id % 3 = 0',
    'delete from issue_commits where entity_id = $1 and commit_id % 10 = 0',
    'update issues set released_at = null where entity_id = $1 and id % 2 = 0',
    'update pull_requests set released_at = null where entity_id = $1 and id % 3 = 0',
    'update releases set is_baseline = not is_baseline where entity_id = $1 and id in (1, 4)',
  ]) {
    await query(change);
    await settle();
  }
});

test('parts of sprints follow issues that come, go and get other points', async () => {
  const kit = await createFactsKit();
  await kit.insert('sprints', { id: 1, name: 'S', starts_at: at(0), ends_at: at(336) });
  await kit.insert(
    'issues',
    { id: 1, story_points: 300, resolved_at: at(100), assignee_id: 1 },
    { id: 2, story_points: 500 },
  );
  await kit.insert(
    'sprint_issues',
    { sprint_id: 1, issue_id: 1, added_at: at(-9), removed_at: at(10) },
    { sprint_id: 1, issue_id: 1, added_at: at(20) },
    { sprint_id: 1, issue_id: 2, added_at: at(5) },
  );
  const parts = () =>
    read(
      kit,
      `select issue_id, assignee_id, points_at_start, points_done, points_kept, points_unplanned
       from sprint_parts where entity_id = $1 order by issue_id`,
    );
  const nothing = { assignee_id: null, points_at_start: 0, points_done: 0, points_kept: 0, points_unplanned: 0 };
  expect(await deriveSprintParts(kit.store, kit.entityId)).toBe(2);
  expect(await parts()).toEqual([
    { issue_id: 1, assignee_id: 1, points_at_start: 300, points_done: 300, points_kept: 300, points_unplanned: 0 },
    { issue_id: 2, ...nothing },
  ]);
  expect(await deriveSprintParts(kit.store, kit.entityId)).toBe(0);
  await kit.store.pool.query('update issues set resolved_at = $2 where entity_id = $1 and id = 2', [
    kit.entityId,
    at(200),
  ]);
  await kit.store.pool.query('delete from sprint_issues where entity_id = $1 and issue_id = 1', [kit.entityId]);
  expect(await deriveSprintParts(kit.store, kit.entityId)).toBe(2);
  expect(await parts()).toEqual([{ issue_id: 2, ...nothing, points_done: 500, points_unplanned: 500 }]);
  await kit.store.pool.query('update issues set deleted_at = now() where entity_id = $1 and id = 2', [kit.entityId]);
  expect(await deriveSprintParts(kit.store, kit.entityId)).toBe(1);
  expect(await parts()).toEqual([]);
});
