// How many rows a second the calls store that take lists, each with 1,000 items. The bar is 20,000 rows a second for usage
// of AI tools, whose calls come one at a time and several at once; the others are printed. The processor time of this process and of the database's together says
// what an idle machine would take.
//
//   npm run bench:bulk [-- --calls 40] [-- --only 'usage, new'] [-- --at-once 4]
//
// Bodies are made before the clock runs. The floor is one bare INSERT of the rows of a call into the same table with its
// indices, in the same run: what is above it is ours.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer } from '../../src/api/server.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createOperations, OPERATOR } from '../../src/operations/index.ts';
import { openStore, type Store } from '../../src/storage/database/handle.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { startEmbedded } from '../../src/storage/embedded/start-embedded.ts';
import { DEFAULT_HTTP_SETTINGS } from '../../test/support/default-http-settings.ts';
import { createQuietLog } from './compare-with-bare.ts';

const BAR = 20_000;
const ROWS = 1_000;
const PEOPLE = 1_000;
/** A service that has run for some seconds; the first calls are compiled while they run. */
const WARM_CALLS = 30;
const DAYS_WITH_WORK = 400;

const { values: flags } = parseArgs({
  options: {
    calls: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '1' },
  },
});

type Body = Readonly<Record<string, unknown>>;
interface Case {
  readonly name: string;
  readonly route: readonly ['POST' | 'PUT', string];
  /** The body of the nth call. */
  body(call: number): Body;
  readonly hasBar?: true;
  /** An entity may send so much mail a day. */
  readonly mostCalls?: number;
}

const rows = <T>(make: (n: number) => T): T[] => Array.from({ length: ROWS }, (_, n) => make(n));
const dayOf = (n: number): string => new Date(Date.UTC(2000, 0, 1 + n)).toISOString().slice(0, 10);
/** The whole days of one person after the other, as somebody sends what a provider counted. */
const DAYS_A_CALL = Math.ceil(ROWS / PEOPLE);
const usage = (n: number, more: Body = {}): Body => ({
  llm_model_name: 'gpt-5',
  date: dayOf(Math.floor(n / PEOPLE)),
  committer_user_name: `person${1 + (n % PEOPLE)}`,
  lines_added: 40,
  prompted_suggest_count: 40,
  prompted_accept_count: 12,
  cents_cost: 31.5,
  ...more,
});
const usages = (make: (n: number) => Body): Body => ({ resource_path: 'bench', usages: rows(make) });

const CASES: readonly Case[] = [
  {
    name: 'usage, new rows',
    route: ['POST', '/ai_usages/bulk'],
    body: (call) => usages((n) => usage(n, { date: dayOf(call * DAYS_A_CALL + Math.floor(n / PEOPLE)) })),
    hasBar: true,
  },
  { name: 'usage, replaced', route: ['POST', '/ai_usages/bulk'], body: () => usages((n) => usage(n)), hasBar: true },
  {
    name: 'usage, added, one subject',
    route: ['POST', '/ai_usages/bulk'],
    body: () => usages(() => usage(1, { llm_model_name: 'summed', add_to_existing: true })),
    hasBar: true,
  },
  {
    name: 'defects that a release fixes',
    route: ['POST', '/releases'],
    body: (call) => ({
      resource_path: 'bench/acme/website',
      released_at: new Date(Date.UTC(2026, 0, 1, 0, call)).toISOString(),
      defect_keys_resolved: rows((n) => `INC-${n}`),
    }),
  },
  {
    name: 'issues of a release',
    route: ['POST', '/releases'],
    body: (call) => ({
      resource_path: 'bench/acme/website',
      released_at: new Date(Date.UTC(2025, 0, 1, 0, call)).toISOString(),
      issue_keys_resolved: rows((n) => `ABC-${call}${n}`),
    }),
  },
  {
    name: 'members of a new team',
    route: ['POST', '/teams'],
    body: (call) => ({ name: `Team ${call}`, developer_members: rows((n) => `person${1 + (n % PEOPLE)}`) }),
  },
  {
    name: 'repos of a new team',
    route: ['POST', '/teams'],
    body: (call) => ({ name: `Group ${call}`, repo_paths: rows((n) => `acme/repo${n}`) }),
  },
  {
    name: 'members who leave and return',
    route: ['PUT', '/teams'],
    body: (call) => {
      const members = rows((n) => `person${1 + (n % PEOPLE)}`);
      return { name: 'Team 0', ...(call % 2 === 0 ? { remove_members: members } : { developer_members: members }) };
    },
  },
  {
    name: 'time off',
    route: ['POST', '/developers/record_time_off'],
    body: (call) => ({
      resource_path: 'bench',
      committer_user_name: rows((n) => `person${1 + (n % PEOPLE)}`),
      start_date: dayOf(call * 2),
      end_date: dayOf(call * 2),
    }),
  },
  {
    name: 'processing of developers',
    route: ['POST', '/developers/set_processing'],
    body: (call) => ({
      resource_path: 'bench',
      committer_user_name: rows((n) => `person${1 + (n % PEOPLE)}`),
      processing_status: call % 2 === 0 ? 'limited_processing' : 'processing_stats',
    }),
  },
  {
    name: 'recipients of a survey',
    mostCalls: 5,
    route: ['POST', '/surveys'],
    body: (call) => ({
      resource_path: 'bench',
      name: `Survey ${call}`,
      questions: [{ text: 'How are the tools?' }],
      recipients: rows((n) => `guest${n}-${call}@example.com`),
    }),
  },
];

/** Every second day of a person has commits, so that reports of use on it are credited. */
async function seedWork(store: Store): Promise<void> {
  const { rows: columns } = await store.pool.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_name = 'daily_facts' and data_type in ('bigint', 'integer') and is_nullable = 'NO'
       and column_name not in ('entity_id', 'repo_id', 'committer_id')`,
  );
  const counts = columns.map(({ column_name }) => column_name);
  const hundred = ['lines_added', 'unknown_lines_added', 'unknown_delta'];
  await store.pool.query(
    `insert into daily_facts (entity_id, repo_id, committer_id, authored_on, utc_on, category, ${counts.join()})
     select c.entity_id, r.id, c.id, date '2000-01-01' + d, date '2000-01-01' + d, 1, ${counts.map((name) => (hundred.includes(name) ? 100 : 0)).join()}
     from committers c join repos r on r.entity_id = c.entity_id cross join generate_series(0, ${DAYS_WITH_WORK}) d
     where (c.id / 2 + d) % 2 = 0`,
  );
}

async function seed(store: Store): Promise<string> {
  const operations = createOperations({ store, log: createQuietLog(), now: () => new Date() });
  await operations.entities.create(OPERATOR, { slug: 'bench' });
  await operations.entities.create(OPERATOR, { slug: 'floor' });
  await operations.users.create(OPERATOR, { email: 'bench@example.com', entity: 'bench', role: 'admin' });
  const { token } = await operations.tokens.create(OPERATOR, { entity: 'bench', user_email: 'bench@example.com' });
  await operations.close();
  for (const statement of [
    `insert into organizations (entity_id, slug, name) select id, 'acme', 'acme' from entities where slug = 'bench'`,
    `insert into repos (entity_id, organization_id, slug, name, source_kind, default_branch)
     select entity_id, id, 'website', 'website', 'path', 'main' from organizations`,
    `insert into committers (entity_id, root_committer_id, processing_status, committer_user_name, full_name, email)
     select e.id, 0, 'processing_stats', 'person' || n, 'Person ' || n, 'person' || n || '@example.com'
     from entities e, generate_series(1, ${PEOPLE}) n`,
    'update committers set root_committer_id = id',
    `insert into critical_defects (entity_id, defect_key, detected_at, source_em)
     select e.id, 'INC-' || n, '2023-01-01T00:00:00Z', 'api' from entities e, generate_series(0, ${ROWS}) n`,
  ])
    await store.pool.query(statement);
  await seedWork(store);
  await store.pool.query('analyze');
  return token;
}

interface Spent {
  readonly node: number;
  readonly database: number;
}

/** As many rows as a call has, of an entity that no case writes to. */
const BARE_INSERT = `
  insert into ai_usages (entity_id, used_on, committer_id, llm_model_name, ai_provider_em, lines_added,
    prompted_suggest_count, prompted_accept_count, cost_microcents, created_at, updated_at)
  select e.id, date '2000-01-01' + $1::integer * ${DAYS_A_CALL} + n / ${PEOPLE}, n % ${PEOPLE}, 'gpt-5', 'openai', 40,
    40, 12, 31500000, now(), now()
  from entities e, generate_series(0, ${ROWS - 1}) n where e.slug = 'floor'`;

/** Processor time of this process, and of all that PostgreSQL runs for it, in milliseconds. */
function processorTime(postmaster: number): Spent {
  const { user, system } = process.cpuUsage();
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      if (Number(pid) === postmaster || Number(fields[1]) === postmaster)
        ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // ended meanwhile
    }
  }
  return { node: (user + system) / 1000, database: ticks * 10 };
}

const dataDir = mkdtempSync(join(tmpdir(), 'strata-bench-'));
chmodSync(dataDir, 0o711);
const embedded = await startEmbedded({ dataDir });
const store = await openStore({ databaseUrl: embedded.databaseUrl });
try {
  await migrate(store);
  const token = await seed(store);
  const operations = createOperations({
    store,
    log: createQuietLog(),
    now: () => new Date(),
    links: { key: Buffer.alloc(32, 7), baseUrl: () => 'http://127.0.0.1' },
  });
  const server = await createServer({
    endpoints: ENDPOINTS,
    operations,
    settings: { ...DEFAULT_HTTP_SETTINGS, rate_limit_per_minute: 10_000_000 },
    log: createQuietLog(),
    notReady: async () => [],
  });
  const send = async ({ name, route: [method, path] }: Case, payload: string): Promise<void> => {
    const answer = await server.inject({
      method,
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload,
    });
    if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.body.slice(0, 500)}`);
  };
  const wantedCalls = Number(flags.calls);
  const atOnce = Number(flags['at-once']);
  console.log(
    `${ROWS} items a call, ${atOnce} at once, ${wantedCalls} calls\n\ncase                               rows/s   ms a call  CPU node  CPU database`,
  );
  const measure = async (
    name: string,
    act: (call: number) => Promise<unknown>,
    calls = wantedCalls,
  ): Promise<number> => {
    const warmCalls = Math.min(WARM_CALLS, calls);
    for (let call = 0; call < warmCalls; call++) await act(call);
    const before = processorTime(embedded.pid);
    const startedAt = performance.now();
    let next = warmCalls;
    const caller = async (): Promise<void> => {
      while (next < warmCalls + calls) await act(next++);
    };
    await Promise.all(Array.from({ length: atOnce }, caller));
    const milliseconds = (performance.now() - startedAt) / calls;
    const after = processorTime(embedded.pid);
    const cpuOf = (part: keyof Spent) => (after[part] - before[part]) / calls;
    const perSecond = (ROWS / milliseconds) * 1000;
    console.log(
      name.padEnd(32),
      perSecond.toFixed(0).padStart(8),
      milliseconds.toFixed(1).padStart(11),
      cpuOf('node').toFixed(1).padStart(9),
      cpuOf('database').toFixed(1).padStart(13),
    );
    return perSecond;
  };
  const floor = await measure('floor: bare insert of usage', (call) => store.pool.query(BARE_INSERT, [call]));
  let isBelowBar = false;
  let hasJudged = false;
  for (const one of CASES.filter(({ name }) => name.startsWith(flags.only))) {
    const calls = Math.min(wantedCalls, one.mostCalls ?? wantedCalls);
    const bodies = Array.from({ length: WARM_CALLS + calls }, (_, call) => JSON.stringify(one.body(call)));
    const perSecond = await measure(one.name, (call) => send(one, bodies[call]!), calls);
    if (one.hasBar) hasJudged = true;
    if (one.hasBar && perSecond < BAR) isBelowBar = true;
    if (one.hasBar) console.log(`${(floor / perSecond).toFixed(1)} times the floor`.padStart(48));
  }
  if (hasJudged) console.log(`\nbar ${BAR} rows/s for usage: ${isBelowBar ? 'MISSED' : 'met'}`);
  process.exitCode = isBelowBar ? 1 : 0;
  await server.close();
  await operations.close();
} finally {
  await store.close();
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
