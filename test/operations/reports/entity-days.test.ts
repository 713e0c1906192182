// Days are days of the entity's zone: those of the first and the last commit, the day from which on commits are known, and
// the day on which a membership ends.
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/kit/log.ts';
import type { Grant } from '../../../src/operations/access/grant.ts';
import { createOperations, OPERATOR, type Operations } from '../../../src/operations/index.ts';
import { createFactsKit, type FactsKit } from '../../world/facts-kit.ts';

async function createZoned(
  zone: string,
  now: string,
): Promise<{ kit: FactsKit; operations: Operations; grant: Grant<'manager'> }> {
  const kit = await createFactsKit();
  const operations = createOperations({ store: kit.store, log: silentLog, now: () => new Date(now) } as Parameters<
    typeof createOperations
  >[0]);
  const { rows } = await kit.store.pool.query('select slug from entities where id = $1', [kit.entityId]);
  const grant = await operations.access.enterEntity(OPERATOR, rows[0].slug, 'manager');
  return { kit, operations, grant: { ...grant, settings: { ...grant.settings, time_zone: zone } } };
}

const commit = (id: number, [authored_at, authored_on]: readonly [string, string]) => ({
  id,
  authored_at,
  authored_on,
  author_id: 1,
});
const work = (authored_on: string, repo_id = 1) => ({ committer_id: 1, repo_id, authored_on, commit_count: 1 });

test.each([
  ['America/Los_Angeles', ['2026-11-03T02:00:00Z', '2026-11-02'], ['2026-11-07T02:00:00Z', '2026-11-06']],
  ['Asia/Tokyo', ['2026-11-02T20:00:00Z', '2026-11-03'], ['2026-11-06T20:00:00Z', '2026-11-07']],
] as const)('data begins and ends on the days of commits in %s', async (zone, first, last) => {
  const { kit, operations, grant } = await createZoned(zone, '2026-11-18T12:00:00Z');
  await kit.insert('commits', commit(1, last), commit(2, first));
  await kit.insert('daily_work', work(last[1]), work(first[1]));
  const span = { first_on: first[1], last_on: last[1] };
  expect(await operations.imports.dataOf(grant)).toMatchObject(span);
  const report = await operations.reports.run(grant, {
    segment_by: 'commit_count',
    start_date: span.first_on,
    end_date: span.last_on,
    suppress_aggregation: true,
  });
  expect(report.context.data).toMatchObject(span);
  expect(report.series.map(({ total }) => total)).toEqual([2]);
  await operations.close();
});

test('commits are known from the day of the first one of the repos that are imported whole', async () => {
  const { kit, operations, grant } = await createZoned('Asia/Tokyo', '2026-11-18T12:00:00Z');
  await kit.insert('repos', { id: 3, organization_id: 1, slug: 'three', name: 'three', source_kind: 'path' });
  // In Tokyo the second repo begins at five in the morning of the 10th, of which its first hours are unknown.
  await kit.store.pool.query(
    `update repos set default_branch = 'main', processed_from = case when id = 2 then timestamptz '2026-11-09 20:00Z' end
     where entity_id = $1`,
    [kit.entityId],
  );
  await kit.insert('daily_work', work('2026-11-10', 3), work('2026-11-08'), work('2026-11-11', 2));
  const report = await operations.reports.run(grant, {
    segment_by: 'commit_count',
    start_date: '2026-11-07',
    end_date: '2026-11-11',
    suppress_aggregation: true,
    fill_all_dates: true,
  });
  const points = Object.values(report.series_segments)[0]!.map(({ start_date, y }) => [start_date, y]);
  expect(points).toEqual([
    ['2026-11-07', null],
    ['2026-11-08', 1],
    ['2026-11-09', 0],
    ['2026-11-10', 1],
    ['2026-11-11', 1],
  ]);
  await operations.close();
});

test.each([
  ['Asia/Tokyo', { now: '2036-11-17T16:00:00Z', until_on: '2036-11-18', covered: 1 }],
  ['America/Los_Angeles', { now: '2026-01-18T04:00:00Z', until_on: '2026-01-18', covered: 2 }],
])('a membership gives sight until its last day ends in %s', async (zone, { now, until_on, covered }) => {
  const { kit, operations, grant } = await createZoned(zone, now);
  const { rows } = await kit.store.pool.query(`insert into users (email) values ('user1@example.com') returning id`);
  await kit.insert('teams', { id: 1, name: 'Alpha', slug: 'alpha' });
  await kit.insert(
    'team_members',
    { team_id: 1, committer_id: 1, until_on, gives_sight: true },
    { team_id: 1, committer_id: 2, gives_sight: true },
  );
  const report = await operations.reports.run(
    {
      ...grant,
      actor: { user_id: rows[0].id, role: 'manager', is_super_admin: false } as never,
      settings: { ...grant.settings, stats_access: 'team' },
    },
    { segment_by: 'commit_count', suppress_aggregation: true },
  );
  expect(report.context.contributors).toEqual({ covered, total: 3 });
  await operations.close();
});
