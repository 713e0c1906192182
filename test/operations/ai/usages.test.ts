import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeUsages, type UsageChange } from '../../../src/storage/ai/submitted/usages.ts';
import { sumDueWeeks } from '../../../src/storage/ai/usage-weeks.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { seedCommitter, seedEntityId, seedRepo } from '../seed-records.ts';

let app: TestApp;
let entityId: number;
let adaId: number;

beforeAll(async () => {
  app = await createTestApp();
  entityId = await seedEntityId(app.store, 'acme');
  await seedRepo(app.store, entityId, 'shop/website');
  adaId = await seedCommitter(app.store, entityId, {
    userName: 'ada',
    email: 'Ada@example.com',
    providerId: '4711',
    addressKeys: ['ada@example.com'],
  });
  await seedCommitter(app.store, entityId, {
    userName: 'ada-laptop',
    email: 'ada@laptop.local',
    childOf: 'ada',
    addressKeys: ['ada@laptop.local', 'lovelace@users.noreply.github.com'],
  });
  await seedCommitter(app.store, entityId, { userName: 'bob', email: 'bob@example.com', providerId: 'ada' });
  await app.store.pool.query(`insert into teams (entity_id, slug, name) values ($1, 'engines', 'Engines')`, [entityId]);
});

beforeEach(() => app.store.pool.query('delete from ai_usages'));

const BASE = { resource_path: 'acme', llm_model_name: 'gpt-5', date: '2026-10-05' };
const post = (usage: object) => app.request({ route: 'POST /ai_usages', json: { ...BASE, ...usage } });
const bulk = (usages: readonly object[], token = app.tokens.admin) =>
  app.request({ route: 'POST /ai_usages/bulk', token, json: { resource_path: 'acme', usages } });
const rows = async () =>
  (
    await app.store.pool.query('select * from ai_usages where entity_id = $1 order by committer_id nulls first, id', [
      entityId,
    ])
  ).rows;
const version = async () =>
  (await app.store.pool.query('select version from data_versions where entity_id = $1', [entityId])).rows[0]?.version;

describe('a record', () => {
  test('is stored with the day in UTC, the provider and the cost in hundredths of a cent', async () => {
    const answer = await post({
      llm_model_name: 'Claude Sonnet 4.5',
      date: '2026-10-05T23:30:00-05:00',
      committer_user_name: 'ada',
      lines_added: 120,
      lines_deleted: '7',
      cents_cost: '12.34',
    });
    expect(answer.body).toMatchObject({
      action_em: 'action_ai_usage',
      response_detail: 'Recorded the usage of Claude Sonnet 4.5 on 2026-10-06 by ada.',
    });
    expect(await rows()).toMatchObject([
      {
        used_on: '2026-10-06',
        committer_id: adaId,
        team_id: null,
        llm_model_name: 'Claude Sonnet 4.5',
        ai_provider_em: 'vendorC_platform',
        lines_added: 120,
        lines_deleted: 7,
        tab_accept_count: null,
        cost_microcents: 12_340_000,
      },
    ]);
  });

  test('of a bare date keeps that date in an entity east of Greenwich', async () => {
    const east = await createEastApp();
    await east.request({ route: 'POST /ai_usages', json: { ...BASE, resource_path: 'acme' } });
    const { rows: stored } = await east.store.pool.query('select used_on from ai_usages');
    expect(stored).toEqual([{ used_on: '2026-10-05' }]);
  });

  test('that is sent again changes nothing; counts that are not sent stay', async () => {
    for (let time = 0; time < 2; time++) await post({ lines_added: 5, tab_suggest_count: 9 });
    await post({ lines_added: 6 });
    expect(await rows()).toMatchObject([{ lines_added: 6, tab_suggest_count: 9, lines_deleted: null }]);
  });

  test('is added to what is there when the flag says so, under either name of the flag', async () => {
    await post({ lines_added: 5, cents_cost: 0.5 });
    await post({ lines_added: 6, cents_cost: 0.25, tab_suggest_count: 3, add_to_existing: 'true' });
    await post({ lines_added: 1, increment: true });
    expect(await rows()).toMatchObject([{ lines_added: 12, cost_microcents: 750_000, tab_suggest_count: 3 }]);
  });

  test('costs any decimal, kept to the millionth of a cent', async () => {
    for (const cents_cost of ['0.0000014', 0.123456, '1e-6']) await post({ cents_cost, add_to_existing: true });
    expect(await rows()).toMatchObject([{ cost_microcents: 1 + 123_456 + 1 }]);
  });

  test('has days, models, committers, teams and nobody in rows of their own', async () => {
    await post({ lines_added: 1 });
    await post({ lines_added: 2, date: '2026-10-06' });
    await post({ lines_added: 3, llm_model_name: 'gpt-4o' });
    await post({ lines_added: 4, committer_user_name: 'ada' });
    const team = await post({ lines_added: 5, team_slug: 'engines' });
    expect(team.body.response_detail).toContain('by the team engines');
    expect((await rows()).map((row) => row.lines_added)).toEqual([1, 2, 3, 5, 4]);
  });

  test('of a committer is one row, also when some calls name a team', async () => {
    await post({ lines_added: 4, committer_user_name: 'ada' });
    const named = await post({ lines_added: 5, committer_user_name: 'ada', team_slug: 'engines' });
    expect(named.body.warnings).toEqual([
      'team_slug: ignored beside a committer, whose usage counts for the teams they are in',
    ]);
    expect(await rows()).toMatchObject([{ lines_added: 5, committer_id: adaId, team_id: null }]);
  });

  test('makes cached reports stale', async () => {
    await post({ lines_added: 1 });
    const before = await version();
    await post({ lines_added: 2 });
    expect(await version()).toBe(before + 1);
  });
});

describe('the committer', () => {
  test.each([
    ['the user name', 'ada'],
    ['the id at the code host', '4711'],
    ['an e-mail address in any case', 'ADA@EXAMPLE.COM'],
    ['the user name of a child identity', 'ada-laptop'],
    ['the address of a child identity', 'Ada@Laptop.local'],
    ['a private address of a child identity', 'lovelace@users.noreply.github.com'],
  ])('is found by %s, and is the root', async (_, identifier) => {
    expect((await post({ committer_identifier: identifier })).status).toBe(200);
    expect(await rows()).toMatchObject([{ committer_id: adaId }]);
  });

  test('by user name goes before another one with that id at the host', async () => {
    await post({ committer: 'ada' });
    expect(await rows()).toMatchObject([{ committer_id: adaId }]);
  });

  test('that nobody knows is refused with the way to make it known', async () => {
    const answer = await post({ committer_identifier: 'grace@example.com' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      committer_identifier: [expect.stringMatching(/"grace@example.com".*becomes known when a repo .* is imported/)],
    });
    expect(await rows()).toEqual([]);
  });

  test('named twice must be the same person', async () => {
    expect((await post({ committer_user_name: 'ada', committer_identifier: '4711' })).status).toBe(200);
    const answer = await post({ committer_user_name: 'ada', committer_identifier: 'bob@example.com' });
    expect([answer.status, answer.body.response_detail]).toEqual([422, expect.stringContaining('is bob')]);
  });

  test('of another entity is unknown', async () => {
    const answer = await app.request({
      route: 'POST /ai_usages',
      token: app.tokens.foreignAdmin,
      json: { ...BASE, resource_path: 'other', committer_user_name: 'ada' },
    });
    expect(answer.status).toBe(422);
  });
});

describe('what cannot be', () => {
  test.each([
    ['lines_added', -1, 400],
    ['cents_cost', '-0.01', 400],
    ['cents_cost', '1,234', 400],
    ['cents_cost', 'free', 400],
    ['date', 'soon', 400],
    ['team_slug', 'nowhere', 422],
  ])('%s = %s is refused by name', async (name, value, status) => {
    const answer = await post({ [name]: value });
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([status, [name]]);
    expect(answer.body.response_detail).toContain(String(value));
  });

  test.each(['prompted', 'tab'])(
    'more %s suggestions accepted than made is refused, also over two calls',
    async (kind) => {
      const [suggest, accept] = [`${kind}_suggest_count`, `${kind}_accept_count`];
      expect((await post({ [suggest]: 3, [accept]: 4 })).status).toBe(422);
      expect((await post({ [suggest]: 3, [accept]: 3 })).status).toBe(200);
      const later = await post({ [accept]: 1, add_to_existing: true });
      expect([later.status, Object.keys(later.body.errors as object)]).toEqual([422, [accept]]);
      expect(await rows()).toMatchObject([{ [suggest]: 3, [accept]: 3 }]);
      expect((await post({ [suggest]: 1, [accept]: 1, add_to_existing: true })).status).toBe(200);
    },
  );

  test('an organization or repo that does not exist is not found', async () => {
    expect((await post({ resource_path: 'acme/shop/website' })).status).toBe(200);
    expect((await post({ resource_path: 'acme/nowhere' })).status).toBe(404);
    expect((await post({ resource_path: 'acme/shop/nowhere' })).status).toBe(404);
  });
});

describe('a value beyond all sense', () => {
  test.each([
    ['lines_added', 9_223_372_036_854_775_807n, 'a whole number from 0 to 2147483647'],
    ['tab_suggest_count', 2_147_483_648, 'a whole number from 0 to 2147483647'],
    ['cents_cost', '1e12', '9000000000'],
    ['cents_cost', 'NaN', '9000000000'],
  ])('is refused with its name and what is accepted: %s %s', async (name, value, expected) => {
    const answer = await post({ [name]: typeof value === 'bigint' ? String(value) : value });
    expect(answer.status).toBe(400);
    expect(answer.body.response_detail).toContain(`${name}: `);
    expect(answer.body.response_detail).toContain(String(value));
    expect(answer.body.response_detail).toContain(expected);
    expect(await rows()).toEqual([]);
  });

  test('is refused as a sum too', async () => {
    await post({ lines_added: 2_147_483_647 });
    const answer = await post({ lines_added: 1, add_to_existing: true });
    expect(answer.status).toBe(422);
    expect(answer.body.response_detail).toBe(
      'lines_added: the sum on 2026-10-05 would be 2147483648; accepted is at most 2147483647',
    );
    await post({ cents_cost: 9_000_000_000 });
    expect((await post({ cents_cost: 0.5, add_to_existing: true })).body.response_detail).toBe(
      'cents_cost: the sum on 2026-10-05 would be 9000000000.5; accepted is at most 9000000000',
    );
    expect(await rows()).toMatchObject([{ lines_added: 2_147_483_647, cost_microcents: 9e15 }]);
  });
});

describe('several records', () => {
  const day = (index: number) => new Date(Date.UTC(2022, 0, 1 + index)).toISOString().slice(0, 10);

  test('are stored in one call, in the order in which they come', async () => {
    const usages = [
      { llm_model_name: 'gpt-5', date: '2026-10-05', lines_added: 1, add_to_existing: true },
      { llm_model_name: 'gpt-5', date: '2026-10-05', lines_added: 10 },
      { llm_model_name: 'gpt-5', date: '2026-10-05', lines_added: 100, lines_deleted: 2, add_to_existing: true },
      { llm_model_name: 'gpt-5', date: '2026-10-05', committer_identifier: 'ada', lines_added: 7 },
    ];
    expect((await bulk(usages)).body.response_detail).toBe('Recorded 4 records of usage.');
    expect(await rows()).toMatchObject([
      { committer_id: null, lines_added: 110, lines_deleted: 2 },
      { committer_id: adaId, lines_added: 7 },
    ]);
  });

  test('may be a thousand, and not one more', async () => {
    const usages = Array.from({ length: 1000 }, (_, index) => ({
      llm_model_name: 'm',
      date: day(index),
      lines_added: 1,
    }));
    expect((await bulk(usages)).status).toBe(200);
    expect(await rows()).toHaveLength(1000);
    const answer = await bulk([...usages, usages[0]!]);
    expect([answer.status, answer.body.response_detail]).toEqual([400, expect.stringContaining('1001 objects')]);
  });

  test.each([
    ['an unknown committer', { committer_identifier: 'nobody' }, 422, 'usages[1].committer_identifier'],
    ['more accepted than suggested', { tab_suggest_count: 1, tab_accept_count: 2 }, 422, 'usages[1].tab_accept_count'],
    ['a wrong number', { lines_added: -3 }, 400, 'usages[1].lines_added'],
    ['a missing date', { date: undefined }, 400, 'usages[1].date'],
  ])('are all refused because of %s in one', async (_, wrong, status, field) => {
    const good = { llm_model_name: 'm', date: '2026-01-01', lines_added: 1 };
    const answer = await bulk([good, { ...good, date: '2026-01-02', ...wrong }]);
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([status, [field]]);
    expect(await rows()).toEqual([]);
  });

  test('name the one that accepts too much, also where others are of the same day', async () => {
    const same = { llm_model_name: 'm', date: '2026-01-01' };
    const answer = await bulk([
      { ...same, tab_suggest_count: 2 },
      { ...same, tab_accept_count: 1 },
      { ...same, tab_accept_count: 3 },
      same,
    ]);
    expect(Object.keys(answer.body.errors as object)).toEqual(['usages[2].tab_accept_count']);
  });

  test('sent by many at once for the same rows all count', async () => {
    const usages = ['a', 'b', 'c'].map((llm_model_name) => ({
      llm_model_name,
      date: '2026-01-01',
      lines_added: 1,
      add_to_existing: true,
    }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => bulk(index % 2 === 0 ? usages : usages.toReversed())),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect((await rows()).map((row) => row.lines_added)).toEqual([8, 8, 8]);
  });
});

/** Another service on a database whose entity lives in Tokyo. */
async function createEastApp(): Promise<TestApp> {
  const east = await createTestApp();
  await east.operations.settings.set('operator', 'acme', 'time_zone', 'Asia/Tokyo');
  return east;
}

describe('a record that an admin deletes', () => {
  const remove = (fields: Record<string, string>, token = app.tokens.admin) =>
    app.request({ route: 'DELETE /ai_usages', token, query: new URLSearchParams({ ...BASE, ...fields }).toString() });

  test('is the one of its day, subject and model', async () => {
    await post({ committer_user_name: 'ada', lines_added: 10, prompted_suggest_count: 3 });
    await post({ committer_user_name: 'bob', lines_added: 20 });
    await post({ lines_added: 30 });
    await sumDueWeeks(app.store.db, entityId);
    expect((await remove({ committer_user_name: 'ada' }, app.tokens.manager)).status).toBe(403);
    expect((await remove({ committer_user_name: 'ada', date: '2026-10-06' })).status).toBe(404);
    const { body } = await remove({ committer_user_name: 'ADA', llm_model_name: 'GPT-5' });
    expect(body.response_detail).toBe('Deleted the usage of GPT-5 on 2026-10-05 by ada.');
    expect((await rows()).map((row) => row.lines_added)).toEqual([30, 20]);
    await sumDueWeeks(app.store.db, entityId);
    const { rows: weeks } = await app.store.pool.query(
      'select interactions, usage_days from weekly_people where entity_id = $1 and committer_id = $2',
      [entityId, adaId],
    );
    expect(weeks).toEqual([{ interactions: 0, usage_days: 0 }]);
  });
});

describe('usage of an identity that was merged into a person', () => {
  const remove = (committer_user_name: string) =>
    app.request({
      route: 'DELETE /ai_usages',
      query: new URLSearchParams({ ...BASE, committer_user_name }).toString(),
    });
  const change = async (route: string, json: Record<string, string>) =>
    expect((await app.request({ route, json: { resource_path: 'acme', ...json } })).status).toBe(200);
  let cleoId: number;
  let secondId: number;

  beforeAll(async () => {
    cleoId = await seedCommitter(app.store, entityId, { userName: 'cleo', email: 'cleo@example.com' });
    secondId = await seedCommitter(app.store, entityId, { userName: 'cleo-l', email: 'cleo@laptop.local' });
  });
  beforeEach(async () => {
    await post({ committer_user_name: 'cleo', lines_added: 151, cents_cost: 1 });
    await post({ committer_user_name: 'cleo-l', lines_added: 7, lines_deleted: 2, cents_cost: 2 });
    await post({ committer_user_name: 'cleo-l', lines_added: 40, date: '2026-10-06' });
    await post({ committer_user_name: 'cleo-l', lines_added: 30, llm_model_name: 'gpt-4o' });
    await sumDueWeeks(app.store.db, entityId);
    await change('POST /developers/merge', { committer_identifier: 'cleo-l', into_identifier: 'cleo' });
    return () => change('POST /developers/split', { committer_identifier: 'cleo-l' });
  });

  const ofDay = async () =>
    (await rows()).filter(({ used_on, llm_model_name }) => used_on === BASE.date && llm_model_name === 'gpt-5');

  test('is replaced by what is submitted for the person, under either name', async () => {
    for (const [name, lines_added] of [
      ['cleo-l', 9],
      ['cleo', 10],
    ] as const) {
      await post({ committer_user_name: name, lines_added });
      expect(await ofDay()).toMatchObject([
        { committer_id: cleoId, lines_added, lines_deleted: 2, cost_microcents: 3_000_000 },
      ]);
    }
    expect((await rows()).map((row) => row.lines_added)).toEqual([10, 40, 30]);
    await sumDueWeeks(app.store.db, entityId);
    const { rows: weeks } = await app.store.pool.query(
      'select committer_id, interactions from weekly_people where entity_id = $1 and committer_id = any($2) order by 1',
      [entityId, [cleoId, secondId]],
    );
    expect(weeks).toEqual([
      { committer_id: cleoId, interactions: 1 },
      { committer_id: secondId, interactions: 4 },
    ]);
  });

  test('is what more of the person is added to', async () => {
    await bulk([
      { ...BASE, committer_user_name: 'cleo', lines_added: 1, add_to_existing: true },
      { ...BASE, committer_user_name: 'cleo-l', lines_added: 2, add_to_existing: true },
      { ...BASE, committer_user_name: 'bob', lines_added: 4 },
    ]);
    expect((await ofDay()).map((row) => row.lines_added).toSorted()).toEqual([161, 4]);
  });

  test('is deleted with that of the person', async () => {
    expect((await remove('cleo')).status).toBe(200);
    expect(await ofDay()).toEqual([]);
    expect((await remove('cleo-l')).status).toBe(404);
    expect((await rows()).map((row) => row.lines_added)).toEqual([40, 30]);
  });

  test('goes back with the identity where nothing was submitted since', async () => {
    await post({ committer_user_name: 'cleo-l', lines_added: 9 });
    await change('POST /developers/split', { committer_identifier: 'cleo-l' });
    await post({ committer_user_name: 'cleo-l', lines_added: 41, date: '2026-10-06' });
    expect((await rows()).map(({ committer_id, lines_added }) => [committer_id, lines_added])).toEqual([
      [cleoId, 9],
      [secondId, 41],
      [secondId, 30],
    ]);
    await change('POST /developers/merge', { committer_identifier: 'cleo-l', into_identifier: 'cleo' });
  });
});

describe('usage of a team that is deleted', () => {
  const remove = (fields: Record<string, string> = {}) =>
    app.request({ route: 'DELETE /ai_usages', query: new URLSearchParams({ ...BASE, ...fields }).toString() });
  const counts = async () =>
    (await rows()).map(({ team_id, used_on, lines_added, tab_suggest_count }) => [
      team_id,
      used_on,
      lines_added,
      tab_suggest_count,
    ]);

  test('is attributed to nobody, added to what is, and is replaced and deleted as such', async () => {
    expect((await app.request({ route: 'POST /teams', json: { name: 'Tmp' } })).status).toBe(200);
    await post({ team_slug: 'tmp', lines_added: 77, tab_suggest_count: 4 });
    await post({ team_slug: 'tmp', lines_added: 5, date: '2026-10-06' });
    await post({ team_slug: 'engines', lines_added: 1 });
    await post({ lines_added: 3 });
    await app.request({ route: 'DELETE /teams', json: { name: 'tmp' } });
    const engines = (await rows()).find(({ lines_added }) => lines_added === 1)!.team_id;
    expect(await counts()).toEqual(
      expect.arrayContaining([
        [null, '2026-10-05', 80, 4],
        [null, '2026-10-06', 5, null],
        [engines, '2026-10-05', 1, null],
      ]),
    );
    const { body } = await app.request({ route: 'GET /ai_identities', query: 'resource_path=acme&days_ago=3660' });
    expect(body.unknown).toMatchObject({ lines_added: 85 });
    await post({ lines_added: 9 });
    expect((await remove({ date: '2026-10-06' })).status).toBe(200);
    expect((await counts()).toSorted()).toEqual([
      [null, '2026-10-05', 9, 4],
      [engines, '2026-10-05', 1, null],
    ]);
    expect((await remove()).status).toBe(200);
    expect((await rows()).map(({ team_id }) => team_id)).toEqual([engines]);
  });
});

describe('a bulk of many', () => {
  /** Whole numbers that a seed decides. */
  const drawsOf = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
  };

  test.each([1, 2, 3])('leaves what its records leave one after the other (%i)', async (seed) => {
    const draw = drawsOf(seed);
    const records = Array.from({ length: 40 }, () => ({
      committer_user_name: ['ada', 'bob'][draw(2)]!,
      date: `2026-10-0${1 + draw(2)}`,
      ...(draw(3) === 0 ? {} : { lines_added: draw(50) }),
      ...(draw(3) === 0 ? {} : { cents_cost: draw(1000) / 100 }),
      ...(draw(3) === 0 ? {} : { prompted_suggest_count: draw(9) }),
      add_to_existing: draw(2) === 0,
    }));
    const of = (name: string) => records.map((record) => ({ resource_path: 'acme', llm_model_name: name, ...record }));
    for (const one of of('single'))
      expect((await app.request({ route: 'POST /ai_usages', json: one })).status).toBe(200);
    expect((await bulk(of('many'))).status).toBe(200);
    const stored = (await rows()).map(
      ({ id: _, llm_model_name, model: _model, created_at: _at, updated_at: _to, ...row }) => ({
        llm_model_name: String(llm_model_name),
        row: JSON.stringify(row),
      }),
    );
    const ofModel = (name: string) =>
      stored
        .filter((one) => one.llm_model_name === name)
        .map(({ row }) => row)
        .toSorted();
    expect(ofModel('single').length).toBeGreaterThan(2);
    expect(ofModel('many')).toEqual(ofModel('single'));
  });

  test('takes the same number of statements, however often it names one subject', async () => {
    let sent = 0;
    const counted = app.store.db.withPlugin({
      transformQuery({ node }) {
        sent += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const record: UsageChange = {
      used_on: '2026-10-05',
      committer_id: adaId,
      team_id: null,
      llm_model_name: 'gpt-5',
      ai_provider_em: 'openai',
      lines_added: 1,
      lines_deleted: null,
      prompted_suggest_count: null,
      prompted_accept_count: null,
      tab_suggest_count: null,
      tab_accept_count: null,
      cost_microcents: null,
      adds: true,
    };
    const count = async (records: readonly UsageChange[]): Promise<number> => {
      const before = sent;
      await storeUsages(counted, entityId, records, new Date());
      return sent - before;
    };
    const once = await count([record]);
    expect(await count(Array<UsageChange>(200).fill(record))).toBe(once);
    const mixed = Array.from({ length: 200 }, (_, n) => ({ ...record, adds: n % 2 === 0 }));
    expect(await count(mixed)).toBe(once);
    expect((await rows())[0]).toMatchObject({ lines_added: 1 });
  });

  test('is refused when a sum is larger than any number that is exact', async () => {
    const record = { ...BASE, committer_user_name: 'ada', cents_cost: 9_000_000_000, add_to_existing: true };
    const answer = await bulk(Array(1000).fill(record));
    expect(answer.status).toBe(422);
    expect(answer.body.response_detail).toMatch(/^usages\[999\]\.cents_cost: the sum on 2026-10-05/);
    expect(await rows()).toEqual([]);
  });
});
