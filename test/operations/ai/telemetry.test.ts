// Telemetry of many clients at once: what one of them sends never fails the others, and no sum grows beyond what is stored.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TASKS } from '../../../src/jobs/tasks.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import type { IngestHolder } from '../../../src/storage/ai/ingest-tokens.ts';
import { sumDueWeeks } from '../../../src/storage/ai/usage-weeks.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { seedCommitter, seedEntityId } from '../seed-records.ts';

let app: TestApp;
let entityId: number;
let holder: IngestHolder;

beforeAll(async () => {
  app = await createTestApp();
  entityId = await seedEntityId(app.store, 'acme');
  await seedCommitter(app.store, entityId, { userName: 'ada', email: 'ada@example.com' });
  const { token } = await app.operations.ingestTokens.create(OPERATOR, { entity: 'acme', name: 'laptops' });
  holder = (await app.operations.ingestTokens.authenticate(token))!;
});

beforeEach(async () => {
  for (const table of ['otlp_seen', 'otlp_sums', 'otlp_streams', 'otlp_due_days', 'ai_usages']) {
    await app.store.pool.query(`delete from ${table}`);
  }
});

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
let made = 0;

const DELTA = 1;
const CUMULATIVE = 2;

/** Stores points of one metric, each of its own time. */
async function send(
  name: string,
  numbers: readonly object[],
  more: Record<string, string> = {},
  aggregationTemporality = DELTA,
) {
  const session = `s${made++}`;
  const attributes = { 'user.email': 'ada@example.com', 'session.id': session, ...more };
  const dataPoints = numbers.map((number, index) => ({
    startTimeUnixNano: `${1_000_000 + index}`,
    timeUnixNano: `${Date.now()}000000`,
    attributes: Object.entries(attributes).map(([key, value]) => text(key, value)),
    ...number,
  }));
  const metrics = [{ name, sum: { aggregationTemporality, dataPoints } }];
  const resource = { attributes: [text('service.name', 'claude-code')] };
  const body = Buffer.from(JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] }));
  const read = await app.operations.telemetry.read(holder, { signal: 'metrics', isJson: true, body });
  await read.store();
  return { rejected: read.rejected, reason: read.reason };
}

const LINES = 'claude_code.lines_of_code.count';
const lines = (count: number | string, more: Record<string, string> = {}) =>
  send(LINES, [{ asInt: String(count) }], { type: 'added', ...more });
const DECISIONS = 'claude_code.code_edit_tool.decision';

const fold = (payload: { entity_id?: number } = { entity_id: entityId }, now = new Date()) =>
  TASKS.fold_telemetry.run(
    payload,
    { log: silentLog } as Parameters<typeof TASKS.fold_telemetry.run>[1],
    { store: app.store, now: () => now } as Parameters<typeof TASKS.fold_telemetry.run>[2],
  );
const total = async (column: string) => {
  await fold();
  const { rows } = await app.store.pool.query(`select sum(${column})::float8 as total from ai_usages`);
  return rows[0].total;
};

describe('requests that come together', () => {
  test('are all stored though some hold a value beyond all sense', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) => lines(n % 5 === 0 ? '9223372036854775807' : 1)),
    );
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await total('lines_added')).toBe(48);
  });

  test('fail alone where the database does not take what one of them brought', async () => {
    await app.store.pool.query(
      `alter table otlp_sums add constraint no_poison check (llm_model_name <> 'poison') not valid`,
    );
    try {
      const answers = await Promise.allSettled(
        Array.from({ length: 30 }, (_, n) => lines(1, { model: n % 10 === 3 ? 'poison' : 'gpt-5' })),
      );
      expect(answers.map(({ status }) => status).join(' ')).toBe(
        Array.from({ length: 30 }, (_, n) => (n % 10 === 3 ? 'rejected' : 'fulfilled')).join(' '),
      );
    } finally {
      await app.store.pool.query('alter table otlp_sums drop constraint no_poison');
    }
    expect(await total('lines_added')).toBe(27);
  });
});

describe('sums of values that are just accepted', () => {
  test('stay what can be stored, by session, day and week', async () => {
    const most = Array.from({ length: 12_000 }, () => ({ asDouble: 1e12 }));
    for (const type of ['input', 'cacheRead']) {
      expect(await send('claude_code.token.usage', most, { type })).toEqual({ rejected: 0, reason: '' });
    }
    const dollars = Array.from({ length: 1_500 }, () => ({ asDouble: 90_000_000 }));
    for (let time = 0; time < 2; time++) await send('claude_code.cost.usage', dollars);
    for (let time = 0; time < 3; time++) await send(DECISIONS, [{ asInt: 2_147_483_647 }], { decision: 'accept' });
    expect(await total('tokens_input')).toBe(1e12);
    expect(await total('tokens_cache_read')).toBe(1e12);
    expect(await total('cost_microcents')).toBe(9e15);
    expect(await total('prompted_accept_count')).toBe(2_147_483_647);
    expect(await sumDueWeeks(app.store.db, entityId)).toBe(1);
    await lines(3);
    expect(await total('lines_added')).toBe(3);
  });

  test('that an earlier version stored larger can be added to', async () => {
    await lines(1, { 'session.id': 'old' });
    await app.store.pool.query('update otlp_sums set amount = 9200000000000000000');
    await lines(2_147_483_647, { 'session.id': 'old' });
    expect(await total('lines_added')).toBe(2_147_483_647);
  });
});

describe('a cumulative counter', () => {
  const DAY = 86_400_000;
  const ADDED = { type: 'added', 'session.id': 'one process' };
  const count = (value: number, daysAgo = 0) =>
    send(LINES, [{ asInt: String(value), timeUnixNano: `${Date.now() - daysAgo * DAY}000000` }], ADDED, CUMULATIVE);
  const byDay = async () => {
    await fold();
    const { rows } = await app.store.pool.query<{ lines_added: number }>(
      'select lines_added from ai_usages where lines_added > 0 order by used_on',
    );
    return rows.map(({ lines_added }) => lines_added);
  };
  /** What is stored is moved back instead of the clock forward; then the nightly forgetting comes by. */
  const sleep = async (days: number) => {
    for (const [table, column] of [
      ['otlp_streams', 'used_on'],
      ['otlp_seen', 'seen_on'],
      ['otlp_sums', 'used_on'],
      ['ai_usages', 'used_on'],
    ])
      await app.store.pool.query(`update ${table} set ${column} = ${column} - $1::int`, [days]);
    const night = new Date();
    night.setUTCHours(3, 0, 30);
    await fold({}, night);
  };

  test.each([1, 2, 3, 6])('whose value of %d days before comes late counts once', async (days) => {
    await count(100);
    expect(await byDay()).toEqual([100]);
    await count(60, days);
    expect(await byDay()).toEqual([60, 40]);
  });

  test('goes on after a fortnight, and after a season', async () => {
    await count(1000);
    expect(await byDay()).toEqual([1000]);
    await sleep(12);
    await count(1005);
    expect(await byDay()).toEqual([1000, 5]);
    await sleep(80);
    await count(1007);
    expect(await byDay()).toEqual([1000, 5, 2]);
  });

  test('is forgotten when it has been silent for longer, and of one that is not only the largest value is kept', async () => {
    await count(10);
    await sleep(20);
    await count(15);
    await sleep(10);
    const values = async () => (await app.store.pool.query('select amount::int from otlp_streams')).rows;
    expect(await values()).toEqual([{ amount: 15_000 }]);
    await sleep(91);
    expect(await values()).toEqual([]);
  });

  test('is held against its largest value after a night too: a smaller one is no reset', async () => {
    await count(100);
    expect(await byDay()).toEqual([100]);
    await sleep(10);
    await count(50);
    expect(await byDay()).toEqual([100]);
    await sleep(10);
    await count(120);
    expect(await byDay()).toEqual([100, 20]);
  });
});
