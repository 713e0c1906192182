// The activity trail: what goes in, what stays out, who reads it and when it is removed.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Activity } from '../../../src/domain/activity/activity.ts';
import type { Endpoint } from '../../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../../src/endpoints/index.ts';
import { removeOldActivity } from '../../../src/jobs/sweep/remove-old-activity.ts';
import { beginWork, workFor } from '../../../src/kit/current-work.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createActivityRecorder } from '../../../src/operations/activity/recorder.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { seedEntityId } from '../seed-records.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ settings: { trust_proxy: 1 } });
});

interface Listed {
  readonly id: number;
  readonly operation: string;
  readonly parameters: Record<string, string>;
}

async function trail(query = '', token?: string): Promise<Listed[]> {
  const answer = await app.request({ route: 'GET /activity', query, ...(token === undefined ? {} : { token }) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.activities as Listed[];
}

const addressOf = (endpoint: Endpoint): string => endpoint.path.replace(/:\w+/g, '1');

describe('every call that may change something', () => {
  const unsafe = ENDPOINTS.filter(({ method, access }) => method !== 'GET' && access !== 'public');

  test.each(unsafe.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s is in the trail, although nothing came of it',
    async (operation, endpoint) => {
      const route = `${endpoint.method} ${addressOf(endpoint)}`;
      await app.request({ route, json: { resource_path: 'acme/no-such/thing', theme: 'no such theme' } });
      const [newest] = await trail();
      expect(newest).toMatchObject({ operation, user_email: 'admin@example.com', credential_kind: 'token' });
      expect(newest).not.toMatchObject({ outcome_em: 'success' });
    },
  );

  test('says who did what, from where, and how it ended', async () => {
    const sent = await app.request({
      route: 'POST /critical_defects',
      json: { resource_path: 'ACME', defect_key: 'BUG-7', detected_now: true },
      headers: { 'x-forwarded-for': '203.0.113.9', 'x-trace-identifier': 'trail-1' },
      token: app.tokens.member,
    });
    expect(sent.status, sent.text).toBe(200);
    expect((await trail())[0]).toEqual({
      id: expect.any(Number),
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      entity: 'acme',
      caller_entity: 'acme',
      credential_kind: 'token',
      credential_id: expect.stringMatching(/^\d+$/),
      user_id: expect.any(Number),
      user_email: 'member@example.com',
      address: '203.0.113.9',
      operation: 'POST /critical_defects',
      resource: 'acme',
      parameters: { defect_key: 'BUG-7', detected_now: 'true' },
      outcome_em: 'success',
      trace: 'trail-1',
    });
  });

  test('says who did it when the user is removed, and when the address has a role again', async () => {
    const email = 'leaver@example.com';
    const join = () => app.operations.users.create(OPERATOR, { email, entity: 'acme', role: 'admin' });
    const { id } = await join();
    const { token } = await app.operations.tokens.create(OPERATOR, { entity: 'acme', user_email: email });
    const change = await app.request({ route: 'PUT /settings/week_start', json: { value: 'sunday' }, token });
    expect(change.status, change.text).toBe(200);
    const done = { operation: 'PUT /settings/:key', user_id: id, user_email: email };
    expect(await trail(`user_email=${email}`)).toMatchObject([done]);
    const removed = await app.request({ route: `DELETE /users/${id}`, token: app.tokens.superAdmin });
    expect(removed.status, removed.text).toBe(200);
    expect(await trail(`user_email=${email}`)).toMatchObject([done]);
    await join();
    expect(await trail(`user_email=${email}`)).toMatchObject([done]);
  });

  test('is seen in the entity where a super admin acted, not in the own one', async () => {
    const json = { resource_path: 'other', defect_key: 'BUG-8', detected_now: true };
    await app.request({ route: 'POST /critical_defects', json, token: app.tokens.superAdmin });
    const [there] = await trail('', app.tokens.foreignAdmin);
    expect(there).toMatchObject({ entity: 'other', caller_entity: 'acme', user_email: 'super@example.com' });
    expect((await trail())[0]).not.toMatchObject({ parameters: { defect_key: 'BUG-8' } });
  });

  test('holds no secret, and of long and strange values only a part', async () => {
    await app.request({
      route: 'POST /api_tokens/provision_user',
      json: {
        email: `new@example.com`,
        git_provider_em: 'github',
        git_provider_token: 'ghp_very_secret',
        user_name: `a\u0000b${'x'.repeat(900)}`,
        endpoint_url: 'https://me:hunter2@git.example.com/',
        avatar_url: `see ${app.tokens.admin}`,
      },
    });
    const [newest] = await trail();
    expect(newest!.operation).toBe('POST /api_tokens/provision_user');
    const text = JSON.stringify(newest);
    expect(text).not.toMatch(/very_secret|hunter2/);
    expect(text).not.toContain(app.tokens.admin.slice(12));
    expect(newest!.parameters.user_name).toMatch(/^a\uFFFDbx{100,197}…$/);
  });

  test('reads and answers to surveys leave nothing', async () => {
    const before = await trail();
    await app.request({ route: 'GET /teams', query: 'resource_path=acme' });
    await app.request({ route: 'POST /surveys/1/responses', token: null, json: { token: 'x', answers: [] } });
    expect((await trail())[0]!.id).toBe(before[0]!.id);
  });

  test('is logged with its entity and its token', async () => {
    await app.request({ route: 'GET /teams', headers: { 'x-trace-identifier': 'logged-1' } });
    const line = app
      .logged()
      .split('\n')
      .filter((text) => text.includes('logged-1'))
      .map((text): unknown => JSON.parse(text))
      .at(-1);
    expect(line).toMatchObject({ entity: 'acme', token_id: expect.any(Number), user_id: expect.any(Number) });
  });
});

test('names of parameters that are secrets are marked as such', () => {
  const named = ENDPOINTS.flatMap(({ method, path, params }) =>
    Object.entries(params)
      .filter(([name]) => /(?:^|_)(?:token|secret|password|passphrase)$/.test(name))
      .map(([name, { traits }]) => [`${method} ${path} ${name}`, traits.isSecret]),
  );
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter(([, isSecret]) => !isSecret)).toEqual([]);
});

describe('the list', () => {
  test('is read page by page, each row once', async () => {
    for (let n = 0; n < 60; n++) {
      await app.operations.activity.record({
        actor: null,
        entityId: await seedEntityId(app.store, 'acme'),
        operation: 'sign in',
        outcome: 'unauthorized',
        resource: n % 2 === 0 ? 'acme/shop/web_site' : 'acme/shop/webXsite',
        address: '203.0.113.1',
      });
    }
    const seen: number[] = [];
    let query = 'operation=sign%20in';
    for (let page = 0; page < 3; page++) {
      const { body } = await app.request({ route: 'GET /activity', query });
      seen.push(...(body.activities as Listed[]).map(({ id }) => id));
      if (body.next_before_id === null) break;
      query = `operation=sign%20in&before_id=${body.next_before_id}`;
    }
    expect(seen).toHaveLength(60);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a));
  });

  test.each([
    ['user_email=MEMBER@example.com', 'user_email', 'member@example.com'],
    ['outcome_em=unauthorized', 'outcome_em', 'unauthorized'],
    ['credential_kind=none', 'credential_kind', 'none'],
    ['operation=POST%20/imports', 'operation', 'POST /imports'],
    ['resource_path=acme/shop/web_site', 'resource', 'acme/shop/web_site'],
  ])('%s narrows it', async (query, field, value) => {
    const rows = await trail(query);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => (row as unknown as Record<string, unknown>)[field]))).toEqual(new Set([value]));
  });

  test('takes what lies below a path, and days', async () => {
    expect((await trail('resource_path=acme/shop')).length).toBe(50);
    expect((await trail('start_date=2020-01-01&end_date=2020-12-31')).length).toBe(0);
    expect((await trail('days_ago=2')).length).toBe(50);
  });
});

test('what is too old is removed, and nothing else', async () => {
  const age = (id: number, days: number) =>
    app.store.pool.query(`update activities set occurred_at = now() - make_interval(days => $2) where id = $1`, [
      id,
      days,
    ]);
  const [newest, second] = await trail();
  await age(newest!.id, 31);
  await age(second!.id, 29);
  const { rows } = await app.store.pool.query<{ count: number }>('select count(*)::int as count from activities');
  await removeOldActivity.run(
    {},
    { log: silentLog } as never,
    {
      store: app.store,
      activityRetentionDays: 30,
      now: () => new Date(),
    } as never,
  );
  const after = await app.store.pool.query<{ count: number }>('select count(*)::int as count from activities');
  expect(after.rows[0]!.count).toBe(rows[0]!.count - 1);
  expect((await trail())[0]!.id).toBe(second!.id);
});

describe('the recorder', () => {
  const activity = (operation: string): Activity => ({
    entity_id: 1,
    occurred_at: new Date(),
    credential_kind: 'none',
    credential_id: null,
    user_id: null,
    caller_entity_id: null,
    address: null,
    operation,
    resource: null,
    parameters: {},
    outcome_em: 'success',
    trace: null,
  });

  test('writes together what comes together, in order', async () => {
    const batches: string[][] = [];
    const recorder = createActivityRecorder({
      write: async (rows) => void batches.push(rows.map(({ operation }) => operation)),
      onError: () => expect.unreachable(),
    });
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => recorder.record(activity(name))));
    expect(batches.flat()).toEqual(['a', 'b', 'c', 'd']);
    expect(batches.length).toBeLessThan(4);
    await recorder.close();
  });

  test('tries again what could not be written, and gives up only what there is no room for', async () => {
    let isBroken = true;
    const stored: string[] = [];
    const lost: string[] = [];
    const recorder = createActivityRecorder({
      write: async (rows) => {
        if (isBroken) throw new Error('the database is away');
        stored.push(...rows.map(({ operation }) => operation));
      },
      onError: (_error, given) => void lost.push(...given.map(({ operation }) => operation)),
      retryMilliseconds: 20,
      mostKept: 2,
    });
    const recorded = ['a', 'b', 'c'].map((name) => recorder.record(activity(name)));
    await new Promise((resolve) => setTimeout(resolve, 60));
    isBroken = false;
    await Promise.all(recorded.slice(1));
    expect([lost, stored]).toEqual([['a'], ['b', 'c']]);
    await recorder.close();
  });

  test('is not cut off with the request whose row comes first', async () => {
    const gone = new AbortController();
    const input = { actor: null, entityId: 0, outcome: 'success' } as const;
    const first = workFor(beginWork(gone.signal), () =>
      app.operations.activity.record({ ...input, operation: 'cut off' }),
    );
    gone.abort(new Error('the client went away'));
    await first;
    const rows = await app.operations.activity.listForOperator({ operation: 'cut off' });
    expect(rows).toMatchObject([{ entity: null, operation: 'cut off' }]);
  });
});
