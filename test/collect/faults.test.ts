// Bad weather: whatever fails, is cut off or changes during the walk, the rows in the end are those of a calm run, for
// hardly more calls.
import { afterEach, describe, expect, test } from 'vitest';
import { readCollected } from '../oracles/read-collected.ts';
import { changesOf } from '../world/company/change-company.ts';
import { type CompanySize, randomOf } from '../world/company/company.ts';
import { generateCompany } from '../world/company/generate-company.ts';
import { COMPANY_TOKEN } from '../world/company/github-company.ts';
import type { DoubleAnswer } from '../world/host-doubles/host-double.ts';
import { type CollectKit, createCollectKit } from './collect-kit.ts';

const SIZE: CompanySize = { repos: 1, pulls: 120, issues: 220, runs: 120, deployments: 60 };
const START = new Date('2026-11-10T10:00:00Z');
const HOUR_MS = 3_600_000;
const CHANGES = 12;
const SECOND_TOKEN = `${COMPANY_TOKEN}2`;

const kits: CollectKit[] = [];
afterEach(async () => {
  await Promise.all(kits.splice(0).map((kit) => kit.close()));
});

async function start(seed: number, tokens: readonly string[]): Promise<CollectKit> {
  const kit = await createCollectKit(generateCompany(seed, SIZE), { clock: START, tokens });
  kits.push(kit);
  return kit;
}

const later = (kit: CollectKit, ms: number) => {
  kit.clock = new Date(kit.clock.getTime() + ms);
};

/** Everything has happened before the collecting begins. */
async function calm(seed: number): Promise<{ rows: Record<string, string[]>; calls: number }> {
  const kit = await start(seed, [COMPANY_TOKEN]);
  const { company } = kit.double;
  for (const change of changesOf(seed, START, CHANGES)) change.apply(company);
  later(kit, HOUR_MS);
  let calls = await kit.collectAll();
  later(kit, HOUR_MS);
  calls += await kit.collectAll();
  await kit.derive();
  return { rows: await readCollected(kit.store), calls };
}

/** What a host may answer in place of what it should. */
const FAULTS: readonly (() => DoubleAnswer | 'reset')[] = [
  () => ({ status: 502, body: 'Bad gateway' }),
  () => ({ status: 500, body: { message: 'Server Error' } }),
  () => ({ status: 403, body: { message: 'You have exceeded a secondary rate limit.' } }),
  () => ({ status: 429, headers: { 'retry-after': '20' }, body: { message: 'Too many' } }),
  () => ({ body: { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] } }),
  () => 'reset',
];

async function stormy(seed: number): Promise<{ rows: Record<string, string[]>; calls: number }> {
  const kit = await start(seed, [COMPANY_TOKEN, SECOND_TOKEN]);
  const random = randomOf(seed);
  const { company } = kit.double;
  const changes = changesOf(seed, START, CHANGES);
  kit.double.instead = ({ path }) => {
    if (random() < 0.15) {
      const next = changes.shift();
      if (next !== undefined) {
        if (next.at > kit.clock) kit.clock = next.at;
        next.apply(company);
      }
    }
    if (random() >= 0.06) return null;
    const fault = FAULTS[Math.floor(random() * FAULTS.length)]!();
    const isOfGraphql =
      fault !== 'reset' && typeof fault.body === 'object' && fault.body !== null && 'errors' in fault.body;
    return isOfGraphql && !path.endsWith('/graphql') ? null : fault;
  };
  // Two tokens, one of them twice, and each is cut off now and then.
  for (let round = 0; round < 40; round += 1) {
    const runs = [...kit.connectionIds, kit.connectionIds[0]!].map(async (id) => {
      const abort = new AbortController();
      const timer = random() < 0.3 ? setTimeout(() => abort.abort(new Error('killed')), random() * 300) : null;
      try {
        await kit.collect(id, { signal: abort.signal });
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      } finally {
        if (timer !== null) clearTimeout(timer);
      }
    });
    await Promise.all(runs);
    const [open] = await kit.query<{ count: number }>(
      `select count(*)::int as count from sync_streams where cursor is not null or (mode = 'backfill' and next_due_at is not null)`,
    );
    if (open!.count === 0 && changes.length === 0) break;
    later(kit, 200_000);
  }
  kit.double.instead = null;
  for (const change of changes) change.apply(company);
  later(kit, HOUR_MS);
  await kit.collectAll();
  later(kit, HOUR_MS);
  await kit.collectAll();
  await kit.derive();
  return { rows: await readCollected(kit.store), calls: kit.double.exchanges.length };
}

const SEEDS = [11, 12, 13];

describe.each(SEEDS)('seed %i', (seed) => {
  test('ends in the rows of a calm run', { timeout: 240_000 }, async () => {
    const expected = await calm(seed);
    const got = await stormy(seed);
    expect(got.rows.early_comments).toEqual([]);
    expect(got.rows).toEqual(expected.rows);
    console.log(`seed ${seed}: ${got.calls} calls, calm ${expected.calls}`);
  });
});

test('nothing is requested while a wait is due', { timeout: 120_000 }, async () => {
  const kit = await start(21, [COMPANY_TOKEN]);
  kit.double.instead = ({ path }) =>
    path.endsWith('/graphql')
      ? { status: 429, headers: { 'retry-after': '600' }, body: { message: 'Too many' } }
      : null;
  await kit.collect();
  const graphql = () => kit.double.exchanges.filter(({ request }) => request.path.endsWith('/graphql')).length;
  expect(graphql()).toBe(1);
  const { again } = await kit.collect();
  expect(graphql()).toBe(1);
  expect(again).toEqual(new Date(kit.clock.getTime() + 600_000));
  kit.double.instead = null;
  kit.clock = again!;
  await kit.collectAll();
  const [record] = await kit.query<Record<string, unknown>>(
    'select error_em, last_provider_quota_exceeded_at, pull_request_processed_count from imports',
  );
  expect(record).toEqual({
    error_em: null,
    last_provider_quota_exceeded_at: START.toISOString().replace('.000Z', 'Z'),
    pull_request_processed_count: SIZE.pulls,
  });
});

test('a spent budget is waited out, with a tenth left to its owner', { timeout: 120_000 }, async () => {
  const kit = await start(22, [COMPANY_TOKEN]);
  const resetAt = new Date(START.getTime() + HOUR_MS / 2);
  kit.double.budgets[`${COMPANY_TOKEN} graphql`] = { quota: 30, remaining: 5, resetAt };
  const { again } = await kit.collect();
  expect(kit.double.budgets[`${COMPANY_TOKEN} graphql`]!.remaining).toBe(3);
  expect(again).toEqual(resetAt);
  await kit.collectAll();
  const [counts] = await kit.query<{ pulls: number }>('select count(*)::int as pulls from pull_requests');
  expect(counts!.pulls).toBe(SIZE.pulls);
});

test('a refused token gives its work to the other one', { timeout: 120_000 }, async () => {
  const kit = await start(23, [COMPANY_TOKEN, SECOND_TOKEN]);
  kit.double.instead = ({ headers }) =>
    headers.authorization?.endsWith(COMPANY_TOKEN) ? { status: 401, body: { message: 'Bad credentials' } } : null;
  await kit.collectAll();
  const connections = await kit.query<{ error_em: string | null }>(
    'select error_em from provider_connections order by id',
  );
  expect(connections.map(({ error_em }) => error_em)).toEqual(['rejected', null]);
  const [counts] = await kit.query<{ pulls: number }>('select count(*)::int as pulls from pull_requests');
  expect(counts!.pulls).toBe(SIZE.pulls);
});

test('a repo that was renamed is found by its id; issues that are off are named, not failed', {
  timeout: 120_000,
}, async () => {
  const kit = await start(24, [COMPANY_TOKEN]);
  kit.double.company.repos[0]!.name = 'renamed';
  kit.double.instead = ({ path }) =>
    /\/issues$/.test(path) ? { status: 410, body: { message: 'Issues are disabled for this repo' } } : null;
  await kit.collectAll();
  const [counts] = await kit.query<{ pulls: number; issues: number }>(
    'select (select count(*)::int from pull_requests) as pulls, (select count(*)::int from issues) as issues',
  );
  expect(counts).toEqual({ pulls: SIZE.pulls, issues: 0 });
  const states = await kit.app.operations.hosts.list('operator', 'acme');
  expect(states.tokens[0]!.warnings.join()).toContain('issues of works/');
});
