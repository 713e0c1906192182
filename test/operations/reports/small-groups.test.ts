// With a floor, no series is of fewer people than it says: neither by a statistic's own split nor as the rest.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bumpDataVersion } from '../../../src/storage/commits/rollups.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { seedExplainedCompany } from '../../world/explained-company.ts';
import { entityIdOf } from '../people/people-kit.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => new Date('2026-03-30T12:00:00Z') });
  const entityId = await entityIdOf(app.store, 'acme');
  await seedExplainedCompany(app.store, entityId, 7);
  // Three people in the first team, one in the second.
  await app.store.pool.query('update team_members set team_id = 101 where entity_id = $1 and committer_id = 3', [
    entityId,
  ]);
  await bumpDataVersion(app.store.db, entityId);
}, 120_000);
afterAll(() => app.close());

async function names(asked: string, floor: number): Promise<string[]> {
  await app.operations.settings.set('operator', 'acme', 'small_group_floor', floor);
  const query = `resource_path=acme&start_date=2026-01-05&end_date=2026-03-25&interval=month&${asked}`;
  const { body } = await app.request({ route: 'GET /reports', query, token: app.tokens.member });
  return (body.series as { name: string }[]).map(({ name }) => name).sort();
}

test.each([
  ['segment_by=commit_count&aggregate_by=team', ['Team 1', 'Team 2'], ['Other']],
  ['segment_by=team&suppress_aggregation=true', ['Team 1', 'Team 2'], ['Other']],
  ['segment_by=committer_deploy_count&suppress_aggregation=true', ['User 1', 'User 2', 'User 3', 'User 4'], ['Other']],
])('%s shows %j, and with a floor of three %j', async (asked, all, floored) => {
  expect(await names(asked, 0)).toEqual(all);
  expect(await names(asked, 1)).toEqual(all);
  expect(await names(asked, 3)).toEqual(floored);
});

test('what is folded is of enough people even where a group has no commits', async () => {
  const { rows } = await app.store.pool.query<{ committer_id: number }>(
    'select m.committer_id from team_members m join teams t on t.id = m.team_id where t.name = $1',
    ['Team 2'],
  );
  for (const table of ['daily_commits', 'daily_facts', 'weekly_people'])
    await app.store.pool.query(`delete from ${table} where committer_id = any($1)`, [
      rows.map(({ committer_id }) => committer_id),
    ]);
  await bumpDataVersion(app.store.db, await entityIdOf(app.store, 'acme'));
  const asked = 'segment_by=prs_opened&aggregate_by=team';
  expect(await names(asked, 0)).toEqual(['Team 1', 'Team 2']);
  expect(await names(asked, 3)).toEqual(['Other']);
});
