// A call with an Idempotency-Key is carried out once, however often and whenever it is repeated.
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { openapiDocument } from '../../src/api/openapi.ts';
import { METHODS } from '../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { type Answer, createTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const usage = { resource_path: 'acme', llm_model_name: 'gpt-5', date: '2026-01-05', add_to_existing: true };
const add = (key: string | null, lines: number, token?: string): Promise<Answer> =>
  app.request({
    route: 'POST /ai_usages',
    json: { ...usage, lines_added: lines },
    headers: key === null ? {} : { 'idempotency-key': key },
    ...(token === undefined ? {} : { token }),
  });
const total = async (): Promise<number> =>
  Number((await app.store.pool.query('select coalesce(sum(lines_added), 0) as n from ai_usages')).rows[0].n);
const row = async (key: string) =>
  (
    await app.store.pool.query('select * from idempotency_keys where key_sha256 = $1', [
      createHash('sha256').update(key).digest(),
    ])
  ).rows[0];

describe('a repeated call', () => {
  test('adds once, and gets the first answer again', async () => {
    const first = await add('one', 5);
    const second = await add('one', 5);
    expect([first.status, second.status, await total()]).toEqual([200, 200, 5]);
    expect(second.body).toEqual(first.body);
    expect([first.headers['idempotency-repeated'], second.headers['idempotency-repeated']]).toEqual([
      undefined,
      'true',
    ]);
    // Without a key it is another call.
    await add(null, 5);
    expect(await total()).toBe(10);
  });

  test('ten at once add once', async () => {
    const before = await total();
    const answers = await Promise.all(Array.from({ length: 10 }, () => add('ten', 7)));
    expect(await total()).toBe(before + 7);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await add('ten', 7)).status).toBe(200);
    expect(await total()).toBe(before + 7);
  });

  test('with other parameters is refused', async () => {
    await add('other', 1);
    const before = await total();
    const answer = await add('other', 2);
    expect([answer.status, await total()]).toEqual([422, before]);
    expect(answer.body.response_detail).toContain('another call');
  });

  test('of another token with the same key is another call', async () => {
    const before = await total();
    await add('shared', 1);
    await add('shared', 1, app.tokens.manager);
    expect(await total()).toBe(before + 2);
  });

  test('that was refused is carried out when it is made right, under the same key', async () => {
    const wrong = await app.request({
      route: 'POST /ai_usages',
      json: { ...usage, lines_added: -1 },
      headers: { 'idempotency-key': 'wrong' },
    });
    expect(wrong.status).toBe(400);
    expect((await add('wrong', 3)).status).toBe(200);
  });

  test('whose answer was lost with its process learns that it was carried out', async () => {
    await add('lost', 4);
    const before = await total();
    await app.store.pool.query('update idempotency_keys set answer = null where key_sha256 = $1', [
      createHash('sha256').update('lost').digest(),
    ]);
    const answer = await add('lost', 4);
    expect([answer.status, await total()]).toEqual([409, before]);
    expect(answer.body.response_detail).toContain('was carried out');
  });

  test('whose process was lost before it committed is carried out by the next one, and only by that', async () => {
    await add('dead', 4);
    const before = await total();
    const { rows } = await app.store.pool.query(
      `update idempotency_keys set answer = null, is_kept = false, started_at = now() - interval '5 minutes'
       where key_sha256 = $1 returning run_id`,
      [createHash('sha256').update('dead').digest()],
    );
    expect((await add('dead', 4)).status).toBe(200);
    expect(await total()).toBe(before + 4);
    expect((await row('dead')).run_id).not.toBe(rows[0].run_id);
  });

  test('after a day is a new call', async () => {
    await add('old', 4);
    const before = await total();
    await app.store.pool.query(`update idempotency_keys set started_at = now() - interval '25 hours'`);
    expect((await add('old', 4)).headers['idempotency-repeated']).toBeUndefined();
    expect(await total()).toBe(before + 4);
  });

  test('has its answer sealed: whoever reads the database does not read the answer', async () => {
    const first = await add('sealed', 1);
    const { answer } = await row('sealed');
    expect(answer.length).toBeGreaterThan(50);
    expect(answer.toString('latin1')).not.toContain('Recorded the usage');
    expect((await add('sealed', 1)).body).toEqual(first.body);
  });
});

test('a malformed key is refused', async () => {
  for (const key of ['', ' ', 'a b', 'x'.repeat(201), 'ü']) {
    const answer = await add(key, 1).catch(() => null);
    if (answer !== null) expect(answer.status, JSON.stringify(key)).toBe(400);
  }
});

test('a write that timed out is not kept, and its key is free', async () => {
  const late = await createTestApp({ settings: { request_timeout_seconds: 1 } });
  // Another connection holds the table: the write waits until its time is up.
  const holder = await late.store.pool.connect();
  await holder.query('begin');
  await holder.query('lock table ai_usages in access exclusive mode');
  const send = () =>
    late.request({
      route: 'POST /ai_usages',
      json: { ...usage, lines_added: 9 },
      headers: { 'idempotency-key': 'late' },
    });
  const answer = await send();
  expect(answer.status).toBe(504);
  await holder.query('rollback');
  holder.release();
  const count = async () => Number((await late.store.pool.query('select count(*) from ai_usages')).rows[0].count);
  expect(await count()).toBe(0);
  expect((await send()).status).toBe(200);
  expect(await count()).toBe(1);
});

test('every call that writes takes a key, and says so', () => {
  const { paths } = openapiDocument(ENDPOINTS) as { paths: Record<string, Record<string, { parameters?: object[] }>> };
  let writing = 0;
  for (const endpoint of ENDPOINTS) {
    const path = `/api/v1${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
    const { parameters = [] } = paths[path]![endpoint.method.toLowerCase()]!;
    const isTaken = parameters.some((parameter) => JSON.stringify(parameter).includes('Idempotency-Key'));
    expect(METHODS).toContain(endpoint.method);
    expect(isTaken, endpoint.path).toBe(endpoint.method !== 'GET' && endpoint.access !== 'public');
    if (isTaken) writing += 1;
  }
  expect(writing).toBeGreaterThan(10);
});
