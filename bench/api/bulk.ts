// How many rows a second the calls store that take lists, each with 1,000 items at once. The bar is 20,000 rows a second
// for usage of AI tools; the others are printed. The processor time of this process and of the database's together says
// what an idle machine would take.
//
//   npm run bench:bulk [-- --seconds 4]
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
const PEOPLE = 400;

const { values: flags } = parseArgs({ options: { seconds: { type: 'string', default: '4' } } });

type Body = Readonly<Record<string, unknown>>;
interface Case {
  readonly name: string;
  readonly route: readonly ['POST' | 'PUT', string];
  /** The body of the nth call. */
  body(call: number): Body;
  readonly hasBar?: true;
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
];

async function seed(store: Store): Promise<string> {
  const operations = createOperations({ store, log: createQuietLog(), now: () => new Date() });
  await operations.entities.create(OPERATOR, { slug: 'bench' });
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
    'analyze',
  ])
    await store.pool.query(statement);
  return token;
}

/** Processor time of this process and of all that PostgreSQL runs for it, in milliseconds. */
function processorMilliseconds(postmaster: number): number {
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
  return (user + system) / 1000 + ticks * 10;
}

const dataDir = mkdtempSync(join(tmpdir(), 'strata-bench-'));
chmodSync(dataDir, 0o711);
const embedded = await startEmbedded({ dataDir });
const store = await openStore({ databaseUrl: embedded.databaseUrl });
try {
  await migrate(store);
  const token = await seed(store);
  const operations = createOperations({ store, log: createQuietLog(), now: () => new Date() });
  const server = await createServer({
    endpoints: ENDPOINTS,
    operations,
    settings: { ...DEFAULT_HTTP_SETTINGS, rate_limit_per_minute: 10_000_000 },
    log: createQuietLog(),
    notReady: async () => [],
  });
  const send = async ({ name, route: [method, path], body }: Case, call: number): Promise<void> => {
    const answer = await server.inject({
      method,
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body(call)),
    });
    if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.body.slice(0, 500)}`);
  };
  console.log(
    `${ROWS} items a call, one call at a time\n\ncase                               rows/s   ms a call   CPU ms`,
  );
  const postmaster = embedded.pid;
  let isBelowBar = false;
  for (const one of CASES) {
    let call = 0;
    await send(one, call++);
    await send(one, call++);
    const cpuBefore = processorMilliseconds(postmaster);
    const startedAt = performance.now();
    const first = call;
    while (performance.now() - startedAt < Number(flags.seconds) * 1000) await send(one, call++);
    const milliseconds = (performance.now() - startedAt) / (call - first);
    const cpu = (processorMilliseconds(postmaster) - cpuBefore) / (call - first);
    const perSecond = (ROWS / milliseconds) * 1000;
    if (one.hasBar && perSecond < BAR) isBelowBar = true;
    console.log(
      one.name.padEnd(32),
      perSecond.toFixed(0).padStart(8),
      milliseconds.toFixed(1).padStart(11),
      cpu.toFixed(1).padStart(8),
    );
  }
  console.log(`\nbar ${BAR} rows/s for usage: ${isBelowBar ? 'MISSED' : 'met'}`);
  process.exitCode = isBelowBar ? 1 : 0;
  await server.close();
  await operations.close();
} finally {
  await store.close();
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
