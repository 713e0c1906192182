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

interface Run {
  readonly rows: Record<string, string[]>;
  /** Of backfills: how often fresh walks are made depends on the clock alone. */
  readonly calls: number;
}

async function finish(kit: CollectKit): Promise<Run> {
  await kit.derive();
  const [sum] = await kit.query<{ calls: number }>(
    `select sum(calls_total)::int as calls from sync_streams where mode = 'backfill'`,
  );
  return { rows: await readCollected(kit.store), calls: sum!.calls };
}

/** Everything has happened before the collecting begins. */
async function calm(seed: number): Promise<Run> {
  const kit = await start(seed, [COMPANY_TOKEN]);
  for (const change of changesOf(seed, START, CHANGES)) change.apply(kit.double.company);
  later(kit, HOUR_MS);
  await kit.collectAll();
  later(kit, HOUR_MS);
  await kit.collectAll();
  return finish(kit);
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
const FAULT_SHARE = 0.06;
const CHANGE_SHARE = 0.15;
const KILL_SHARE = 0.3;

async function stormy(seed: number): Promise<Run & { readonly faults: number }> {
  const kit = await start(seed, [COMPANY_TOKEN, SECOND_TOKEN]);
  const random = randomOf(seed);
  const { company } = kit.double;
  const changes = changesOf(seed, START, CHANGES);
  /** Each change happens at its time, by the one clock. */
  const moveTo = (time: Date) => {
    for (let next = changes[0]; next !== undefined && next.at <= time; next = changes[0]) {
      changes.shift();
      if (next.at > kit.clock) kit.clock = next.at;
      next.apply(company);
    }
    if (time > kit.clock) kit.clock = time;
  };
  let faults = 0;
  kit.double.instead = ({ path }) => {
    const next = changes[0];
    if (next !== undefined && random() < CHANGE_SHARE) moveTo(next.at);
    if (random() >= FAULT_SHARE) return null;
    const fault = FAULTS[Math.floor(random() * FAULTS.length)]!();
    const isOfGraphql =
      fault !== 'reset' && typeof fault.body === 'object' && fault.body !== null && 'errors' in fault.body;
    if (isOfGraphql && !path.endsWith('/graphql')) return null;
    faults += 1;
    return fault;
  };
  // Two tokens, one of them twice, and each is cut off now and then.
  for (let round = 0; round < 60; round += 1) {
    const runs = [...kit.connectionIds, kit.connectionIds[0]!].map(async (id) => {
      const abort = new AbortController();
      const timer = random() < KILL_SHARE ? setTimeout(() => abort.abort(new Error('killed')), random() * 300) : null;
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
    moveTo(new Date(kit.clock.getTime() + 200_000));
  }
  kit.double.instead = null;
  moveTo(new Date(Math.max(kit.clock.getTime(), START.getTime()) + HOUR_MS));
  await kit.collectAll();
  later(kit, HOUR_MS);
  await kit.collectAll();
  return { ...(await finish(kit)), faults };
}

const SEEDS = [11, 12, 13];

describe.each(SEEDS)('seed %i', (seed) => {
  test('ends in the rows of a calm run', { timeout: 240_000 }, async () => {
    const expected = await calm(seed);
    const got = await stormy(seed);
    expect(got.rows.early_comments).toEqual([]);
    expect(got.rows).toEqual(expected.rows);
    expect(got.calls - got.faults).toBeLessThanOrEqual(1.2 * expected.calls);
  });
});
