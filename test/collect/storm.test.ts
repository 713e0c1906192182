// Bad weather at every host: whatever fails, is cut off or changes during the walk, and whatever webhooks say of it, twice,
// in the wrong order or forged, the rows in the end are those of a calm run, for hardly more calls.
import { afterEach, describe, expect, test } from 'vitest';
import type { CreatedHook } from '../../src/operations/repos/hooks.ts';
import { readCollected } from '../oracles/read-collected.ts';
import { changesOf } from '../world/company/change-company.ts';
import { type CompanySize, type Pull, randomOf } from '../world/company/company.ts';
import { generateCompany } from '../world/company/generate-company.ts';
import type { CompanyDouble } from '../world/company-hosts/company-host.ts';
import { HOOKS } from '../world/company-hosts/hooks.ts';
import { type CompanyHost, GITHUB, HOSTS } from '../world/company-hosts/hosts.ts';
import type { DoubleAnswer } from '../world/host-doubles/host-double.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

type Kit = CompanyKit<CompanyDouble>;

interface Weather {
  readonly size: CompanySize;
  readonly changes: number;
  /** Of calls. */
  readonly faultShare: number;
  /** Of lists of pull requests, at which all workers are cut off. */
  readonly killShare: number;
  readonly seeds: readonly number[];
}
const AT_GITHUB: Weather = {
  size: { repos: 1, pulls: 120, issues: 220, runs: 120, deployments: 60 },
  changes: 12,
  faultShare: 0.06,
  killShare: 0.2,
  seeds: [11, 12],
};
/** A pull request takes several calls there, and each may fail. */
const ELSEWHERE: Weather = {
  size: { repos: 1, pulls: 60, issues: 40, runs: 60, deployments: 30 },
  changes: 12,
  faultShare: 0.03,
  killShare: 0.2,
  seeds: [13],
};

const START = new Date('2026-11-10T10:00:00Z');
const HOUR_MS = 3_600_000;
const CHANGE_SHARE = 0.15;
const CALLS_WITHOUT_FAULT = 10;
/** Where a page of pull requests begins. */
const LIST = /\/graphql$|\/merge_requests$|\/pullrequests$|\/pull-requests$/;

const kits: Kit[] = [];
afterEach(async () => {
  await Promise.all(kits.splice(0).map((kit) => kit.close()));
});

async function start(host: CompanyHost, seed: number, { size }: Weather, tokens: readonly string[]): Promise<Kit> {
  const kit = await createCompanyKit(generateCompany(seed, size), host, { clock: START, tokens });
  kits.push(kit);
  return kit;
}

const later = (kit: Kit, ms: number) => {
  kit.clock = new Date(kit.clock.getTime() + ms);
};

interface Run {
  readonly rows: Record<string, string[]>;
  /** Of backfills: how often fresh walks are made depends on the clock alone. */
  readonly calls: number;
}

async function finish(kit: Kit): Promise<Run> {
  await kit.derive();
  const [sum] = await kit.query<{ calls: number }>(
    `select sum(calls_total)::int as calls from sync_streams where mode = 'backfill'`,
  );
  return { rows: await readCollected(kit.store), calls: sum!.calls };
}

/** Everything has happened before the collecting begins. */
async function calm(host: CompanyHost, seed: number, weather: Weather): Promise<Run> {
  const kit = await start(host, seed, weather, [host.token]);
  for (const change of changesOf(seed, START, weather.changes)) change.apply(kit.double.company);
  later(kit, HOUR_MS);
  await kit.collectAll();
  later(kit, HOUR_MS);
  await kit.collectAll();
  return finish(kit);
}

/** What a host may answer in place of what it should. */
const faultsOf = (host: CompanyHost): readonly (DoubleAnswer | 'reset')[] => [
  { status: 502, body: 'Bad gateway' },
  { status: 500, body: { message: 'Server Error' } },
  host.spent.answer,
  'reset',
  ...(host.name === GITHUB.name
    ? [
        { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
        { body: { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] } },
      ]
    : []),
];

async function stormy(host: CompanyHost, seed: number, weather: Weather): Promise<Run & { readonly faults: number }> {
  const tokens = host.name === GITHUB.name ? [host.token, `${host.token}2`] : [host.token];
  const kit = await start(host, seed, weather, tokens);
  const random = randomOf(seed);
  const hook = await addHook(kit);
  const { company } = kit.double;
  const changes = changesOf(seed, START, weather.changes);
  const happened: Pull[] = [];
  const deliver = (pull: Pull, id: string, secret: string) => {
    const sent = HOOKS[host.name]!({ repo: company.repos[0]!, pull, id, secret, now: kit.clock });
    const route = `POST /${new URL(hook.address).pathname}`;
    return kit.app.request({ route, token: null, payload: sent.body, headers: sent.headers });
  };
  /** Each change happens at its time, by the one clock. */
  const moveTo = (time: Date) => {
    for (let next = changes[0]; next !== undefined && next.at <= time; next = changes[0]) {
      changes.shift();
      if (next.at > kit.clock) kit.clock = next.at;
      const before = new Map(company.repos[0]!.pulls.map((pull) => [pull, JSON.stringify(pull)]));
      next.apply(company);
      happened.push(...[...before].filter(([pull, text]) => JSON.stringify(pull) !== text).map(([pull]) => pull));
    }
    if (time > kit.clock) kit.clock = time;
  };
  let faults = 0;
  let calls = 0;
  let abort = new AbortController();
  const kinds = faultsOf(host);
  kit.double.instead = ({ path }) => {
    const next = changes[0];
    if (next !== undefined && random() < CHANGE_SHARE) moveTo(next.at);
    if (LIST.test(path) && random() < weather.killShare) abort.abort(new Error('killed'));
    // Which calls meet it depends on how the tokens take turns: one does in any case.
    const isLate = faults === 0 && ++calls > CALLS_WITHOUT_FAULT;
    if (random() >= weather.faultShare && !isLate) return null;
    const fault = kinds[Math.floor(random() * kinds.length)]!;
    const isOfGraphql =
      fault !== 'reset' && typeof fault.body === 'object' && fault.body !== null && 'errors' in fault.body;
    if (isOfGraphql && !path.endsWith('/graphql')) return null;
    faults += 1;
    return fault;
  };
  let delivered = 0;
  for (let round = 0; round < 120; round += 1) {
    // All tokens, one of them twice, and cut off now and then.
    abort = new AbortController();
    const { signal } = abort;
    const runs = [...kit.connectionIds, kit.connectionIds[0]!].map(async (id) => {
      try {
        await kit.collect(id, { signal });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
    await Promise.all(runs);
    const fresh = happened.slice(delivered);
    delivered = happened.length;
    // The last first, each twice, and one that nobody sent.
    for (const pull of fresh.reverse()) {
      const id = `${round}-${pull.number}`;
      const [one, two, forged] = [
        await deliver(pull, id, hook.secret),
        await deliver(pull, id, hook.secret),
        await deliver(company.repos[0]!.pulls[0]!, `${id}-forged`, [...hook.secret].reverse().join('')),
      ];
      expect([one.status, two.status, forged.status]).toEqual([202, 202, 401]);
    }
    const [open] = await kit.query<{ count: number }>(
      `select (select count(*) from sync_streams where cursor is not null or (mode = 'backfill' and next_due_at is not null))::int
         + (select count(*) from refetches)::int as count`,
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

async function addHook(kit: Kit): Promise<CreatedHook> {
  const states = await kit.app.operations.hosts.list('operator', 'acme');
  return kit.app.operations.hooks.create('operator', 'acme', states.tokens[0]!.host);
}

const weatherOf = (host: CompanyHost): Weather => (host.name === GITHUB.name ? AT_GITHUB : ELSEWHERE);

describe.each(HOSTS as readonly CompanyHost[])('$name', (host) => {
  const weather = weatherOf(host);
  const calls = { calm: 0, stormy: 0 };

  test.each(weather.seeds)('ends in the rows of a calm run, seed %i', { timeout: 240_000 }, async (seed) => {
    const expected = await calm(host, seed, weather);
    const got = await stormy(host, seed, weather);
    expect(got.rows.early_comments).toEqual([]);
    expect(got.rows).toEqual(expected.rows);
    expect(got.faults).toBeGreaterThan(0);
    calls.calm += expected.calls;
    calls.stormy += got.calls - got.faults;
  });

  test('makes hardly more calls', () => {
    expect(calls.calm).toBeGreaterThan(0);
    expect(calls.stormy).toBeLessThanOrEqual(1.2 * calls.calm);
  });
});
