// What is folded into Other is another series than anything that bears this name, and a total is of what its points are of.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bumpDataVersion } from '../../../src/storage/commits/rollups.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { entityIdOf } from '../people/people-kit.ts';

const LARGE = Array.from({ length: 19 }, (_, n) => `Large ${String(n).padStart(2, '0')}`);
const SMALL = ['Small 0', 'Small 1', 'Small 2', 'Small 3'];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => new Date('2026-03-30T12:00:00Z') });
  const entityId = await entityIdOf(app.store, 'acme');
  const { pool } = app.store;
  const add = async (team: string, id: number, people: readonly number[]) => {
    await pool.query('insert into teams (entity_id, id, slug, name) values ($1, $2, $3, $4)', [
      entityId,
      id,
      `t${id}`,
      team,
    ]);
    for (const person of people)
      await pool.query(
        `insert into team_members (entity_id, team_id, committer_id, identifier, role_em)
         values ($1, $2, $3, $4, 'committer_role')`,
        [entityId, id, person, `p${person}`],
      );
  };
  for (let id = 1; id <= 23; id++)
    await pool.query(
      `insert into committers (entity_id, id, root_committer_id, processing_status, committer_user_name, full_name, email)
       values ($1, $2, $2, 'processing_stats', $3, $3, $4)`,
      [entityId, id, `p${id}`, `p${id}@example.com`],
    );
  // A person of each large team uses a tool in every week; three people of all small teams together in one week only.
  for (const [n, team] of [...LARGE, 'Other'].entries()) await add(team, 100 + n, [n + 1]);
  for (const [n, team] of SMALL.entries()) await add(team, 140 + n, [21, 22, 23]);
  const usage = (person: number, date: string) => ({
    llm_model_name: 'gpt-5',
    date,
    committer_identifier: `p${person}`,
    prompted_suggest_count: 5,
    prompted_accept_count: 2,
  });
  const weeks = ['2026-01-06', '2026-01-13', '2026-01-20', '2026-01-27', '2026-02-03', '2026-02-10'];
  const { status, body } = await app.request({
    route: 'POST /ai_usages/bulk',
    token: app.tokens.admin,
    json: {
      resource_path: 'acme',
      usages: [
        ...weeks.flatMap((date) => Array.from({ length: 20 }, (_, n) => usage(n + 1, date))),
        ...[21, 22, 23].map((person) => usage(person, '2026-01-13')),
      ],
    },
  });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  await bumpDataVersion(app.store.db, entityId);
}, 120_000);
afterAll(() => app.close());

test('groups, of which one is called like the rest', async () => {
  const query =
    'resource_path=acme&segment_by=ai_engaged_committer_count&aggregate_by=team&interval=week&start_date=2026-01-05&end_date=2026-02-15';
  const { body } = await app.request({ route: 'GET /reports', query, token: app.tokens.member });
  expect(body.errors).toBeUndefined();
  const series = body.series as { name: string; total: number | null; is_rest?: true }[];
  const points = body.series_segments as Record<string, { y: number | null }[]>;
  const ofTeams = [...LARGE, 'Other (team)'].map((name) => [name, 1, [1, 1, 1, 1, 1, 1]]);
  expect(series.map(({ name, total }) => [name, total, points[name]!.map(({ y }) => y)])).toEqual([
    ...ofTeams,
    ['Other', 3, [3]],
  ]);
  expect(series.filter(({ is_rest }) => is_rest === true).map(({ name }) => name)).toEqual(['Other']);
});

test('a group called like the rest is not the rest where nothing is folded', async () => {
  const query =
    'resource_path=acme&segment_by=ai_engaged_committer_count&aggregate_by=team&interval=week&start_date=2026-01-19&end_date=2026-02-15';
  const { body } = await app.request({ route: 'GET /reports', query, token: app.tokens.member });
  const series = body.series as { name: string; is_rest?: true }[];
  expect(series.map(({ name }) => name)).toContain('Other');
  expect(series.filter(({ is_rest }) => is_rest !== undefined)).toEqual([]);
});
