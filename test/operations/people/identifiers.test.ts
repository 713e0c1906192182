// One person, named in any way and any case, is the same person for every call that takes a name.
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../../src/operations/index.ts';
import { findCommittersByIdentifier } from '../../../src/storage/people/find-committers.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { addCommit, addPerson, entityIdOf } from './people-kit.ts';

let app: TestApp;
let entityId: number;
let adaId: number;
let twinId: number;

beforeAll(async () => {
  app = await createTestApp();
  entityId = await entityIdOf(app.store, 'acme');
  adaId = await addPerson(app.store, entityId, { name: 'AdaL', email: 'Ada@Example.com', providerId: 'U9x' });
  twinId = await addPerson(app.store, entityId, { name: 'adal', email: 'twin@example.com' });
  await app.store.pool.query(`update committers set provider_email = 'Ada@Host.example' where id = $1`, [adaId]);
  await app.store.pool.query(
    `insert into signatures (entity_id, address_key, name, email) values ($1, 'ada@example.com', 'Ada', 'Ada+x@Example.com')`,
    [entityId],
  );
  await addPerson(app.store, entityId, { name: 'Bo' });
  await addCommit(app.store, entityId, adaId, 'core/site', '2026-10-06T10:00:00Z');
});

test.each([
  ['a user name as it is written', 'AdaL', () => adaId],
  ['another user name that differs only in case', 'adal', () => twinId],
  ['a user name in neither case, which the older one bears', 'ADAL', () => adaId],
  ['an id at the host', 'u9X', () => adaId],
  ['an address', 'ADA@example.COM', () => adaId],
  ['an address that the host knows', 'ada@HOST.example', () => adaId],
  ['an address that only commits bear', 'ADA+X@example.com', () => adaId],
])('%s names its person', async (_, identifier, id) => {
  const found = await findCommittersByIdentifier(app.store.db, entityId, [identifier]);
  expect(found).toMatchObject([{ identifier, id: id() }]);
});

test('what nobody is called finds nobody', async () => {
  expect(await findCommittersByIdentifier(app.store.db, entityId, ['ada', 'AdaLo', '', '%'])).toEqual([]);
});

const range = 'start_date=2026-10-01&end_date=2026-10-31';

describe.each(['BO', 'bo', 'BO@EXAMPLE.COM', 'bo@example.com'])('"%s"', (name) => {
  test('names one person for lists, reports, audits, teams, usage, time off and processing', async () => {
    const get = (route: string, query: string) =>
      app.request({ route: `GET ${route}`, query: `resource_path=acme&${query}` });
    const post = (route: string, json: object) =>
      app.request({ route: `POST ${route}`, json: { resource_path: 'acme', ...json } });
    const statuses = async (...answers: ReturnType<typeof get>[]) =>
      (await Promise.all(answers)).map(({ status, text }) => (status === 200 ? 200 : text));
    expect((await get('/developers', `committer_user_name=${name}`)).body.committers).toMatchObject([
      { committer_user_name: 'Bo' },
    ]);
    expect(
      await statuses(
        get('/reports', `${range}&committer_user_name=${name}`),
        get('/reports', `${range}&committer_identifier=${name}`),
        get('/audits', `resource_type=commits&committer_user_name=${name}`),
        get('/audits', `resource_type=commits&committer_identifier=${name}`),
        post('/ai_usages', { llm_model_name: 'gpt-4', date: '2026-10-06', committer_user_name: name, lines_added: 1 }),
        post('/developers/record_time_off', { committer_user_name: name, start_date: '2026-10-07' }),
        post('/developers/set_processing', { committer_user_name: name, processing_status: 'processing_stats' }),
      ),
    ).toEqual([200, 200, 200, 200, 200, 200, 200]);
    const team = `team of ${name}`;
    await post('/teams', { name: team, developer_members: [name] });
    expect((await get('/teams', `name=${team}`)).body.team).toMatchObject({
      developer_members: [{ committer_user_name: 'Bo', is_known: true }],
    });
  });

  test('names one person for merges and splits', async () => {
    const { committers } = app.operations;
    expect(await committers.merge(OPERATOR, 'acme', name, 'u9x')).toEqual({ merged: 'Bo', into: 'AdaL' });
    expect(await committers.split(OPERATOR, 'acme', name)).toMatchObject({ split: 'Bo', from: 'AdaL' });
  });
});

test('a member who was named before the first commit is found by the same rule', async () => {
  await app.request({ route: 'POST /teams', json: { name: 'early', developer_members: ['Zed-Login'] } });
  const { resolveSignatures } = await import('../../../src/storage/people/commit-people.ts');
  const seed = {
    name: 'Zed',
    email: 'zed@example.com',
    address_key: 'zed@example.com',
    user_name: 'zed-LOGIN',
    kind: 'person' as const,
    git_provider_id: null,
    belongs_to: null,
  };
  await resolveSignatures(app.store.db, entityId, [seed], 'processing_stats');
  const { body } = await app.request({ route: 'GET /teams', query: 'name=early' });
  expect(body.team).toMatchObject({ developer_members: [{ committer_user_name: 'zed-LOGIN', is_known: true }] });
});
