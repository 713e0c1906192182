// How fast what GitHub knows comes into the database, how much memory that takes, and what a quiet hour costs. GitHub is a
// process of its own on this machine that makes its answers up, so that the figures are those of Strata.
//
//   npm run bench:collect [-- --pulls 100000 --issues 100000 --repos 500]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { collectWithToken } from '../../src/collect/collect-with-token.ts';
import { createCollectors } from '../../src/connectors/collect/collectors.ts';
import type { Collectors } from '../../src/domain/collect/stream.ts';
import { silentLog } from '../../src/kit/log.ts';
import { createSecretBox } from '../../src/kit/sealed-secret.ts';
import { insertEntity } from '../../src/storage/access/entities.ts';
import { ensureStreams } from '../../src/storage/collect/streams.ts';
import { openStore, type Store } from '../../src/storage/database/handle.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { startEmbedded } from '../../src/storage/embedded/start-embedded.ts';
import { connectionSecretContext } from '../../src/storage/repos/provider-connections.ts';

const { values: flags } = parseArgs({
  options: {
    pulls: { type: 'string', default: '100000' },
    issues: { type: 'string', default: '100000' },
    repos: { type: 'string', default: '500' },
  },
});
const [PULLS, ISSUES, REPOS] = [Number(flags.pulls), Number(flags.issues), Number(flags.repos)];
const MOST_MEGABYTES = 300;
/** From the first half of the items to the second. */
const MOST_GROWTH = 10;
const MOST_QUIET_CALLS = 3;
const HOURLY_LIMIT = 5_000;
const HOST_KEY = 'hostC:bench';
const secrets = createSecretBox(Buffer.alloc(32, 3));

interface Double {
  readonly address: string;
  /** By budget, as GitHub counts them. */
  calls(): Promise<{ readonly core: number; readonly graphql: number }>;
  stop(): void;
}

async function startDouble(pulls: number, issues: number): Promise<Double> {
  const child: ChildProcess = fork(new URL('double.ts', import.meta.url), [String(pulls), String(issues)], {
    execArgv: ['--import', new URL('../typescript.mjs', import.meta.url).href],
  });
  const [port] = (await once(child, 'message')) as [number];
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    calls: async () => (await (await fetch(`${address}/calls`)).json()) as { core: number; graphql: number },
    stop: () => child.disconnect(),
  };
}

interface Connected {
  readonly entityId: number;
  readonly connectionId: number;
}

/** An entity with a connection that sees so many repos, whose streams are due. */
async function connect(
  store: Store,
  collectors: Collectors,
  { address, slug, repos, names }: { address: string; slug: string; repos: number; names: readonly string[] | null },
  now: Date,
): Promise<Connected> {
  const entityId = (await insertEntity(store.db, { slug, name: slug }))!.id;
  const query = async (text: string, values: unknown[]): Promise<{ id: number }> =>
    (await store.pool.query<{ id: number }>(text, values)).rows[0]!;
  const { id: userId } = await query(`insert into users (email) values ($1) returning id`, [`${slug}@example.com`]);
  const sealed = secrets.seal(
    'ghp_BenchToken0123456789abcdefghijklmnop',
    connectionSecretContext(entityId, userId, 'hostC'),
  );
  const { id: connectionId } = await query(
    `insert into provider_connections (entity_id, user_id, git_provider_em, endpoint_url, token_sealed, verified_at, host_key)
     values ($1, $2, 'hostC', $3, $4, $5, $6) returning id`,
    [entityId, userId, address, sealed, now, HOST_KEY],
  );
  const { id: organizationId } = await query(
    `insert into organizations (entity_id, slug, name) values ($1, 'works', 'works') returning id`,
    [entityId],
  );
  const streams = collectors
    .streamsOf('hostC')
    .filter(({ scope, name }) => scope === 'repo' && (names === null || names.includes(name)));
  for (let n = 1; n <= repos; n += 1) {
    const { id: repoId } = await query(
      `insert into repos (entity_id, organization_id, slug, name, source_kind, host_key, external_id)
       values ($1, $2, $3, $3, 'hosted', $4, $5) returning id`,
      [entityId, organizationId, `repo-${n}`, HOST_KEY, String(n)],
    );
    await store.pool.query(
      `insert into provider_repos
         (entity_id, connection_id, organization_slug, repo_slug, external_id, clone_url, is_private, first_seen_at, seen_at)
       values ($1, $2, 'works', $3, $4, 'https://example.com/x.git', true, $5, $5)`,
      [entityId, connectionId, `repo-${n}`, String(n), now],
    );
    await ensureStreams(store.db, { entityId, hostKey: HOST_KEY, repoId }, streams, { since: null, now });
  }
  return { entityId, connectionId };
}

const dataDir = mkdtempSync(join(tmpdir(), 'strata-bench-'));
chmodSync(dataDir, 0o711);
const embedded = await startEmbedded({ dataDir });
const store = await openStore({ databaseUrl: embedded.databaseUrl });
const failures: string[] = [];
const bar = (text: string, isMet: boolean) => {
  if (!isMet) failures.push(text);
  console.log(`${text.padEnd(72)} ${isMet ? 'met' : 'MISSED'}`);
};

let clock = new Date();
const now = () => clock;
const collectors = createCollectors({
  allowPrivate: true,
  requestMilliseconds: 30_000,
  now,
  resolve: async (name) => {
    throw new Error(`${name} is not looked up`);
  },
});
const collect = (connected: Connected) =>
  collectWithToken(
    {
      db: store.db,
      collectors,
      secrets,
      keepsRaw: true,
      workSeconds: 1_000_000,
      log: silentLog,
      signal: new AbortController().signal,
      now,
      random: Math.random,
    },
    { entityId: connected.entityId, source: 'host', connectionId: connected.connectionId },
  );

interface Memory {
  /** The largest resident size in the first and the second half of the items. */
  readonly halves: readonly [number, number];
}

/** Watches the resident size while something runs, and says on stderr how far it is. */
async function withMemory(items: number, entityId: number, run: () => Promise<void>): Promise<Memory> {
  const halves: [number, number] = [0, 0];
  let done = 0;
  let samples = 0;
  const timer = setInterval(async () => {
    samples += 1;
    const half = done * 2 < items ? 0 : 1;
    halves[half] = Math.max(halves[half], process.memoryUsage.rss() / 1_048_576);
    if (samples % 20 !== 0) return;
    const { rows } = await store.pool.query<{ done: number }>(
      `select coalesce(sum(items_total), 0)::int as done from sync_streams where entity_id = $1 and mode = 'backfill'`,
      [entityId],
    );
    done = rows[0]!.done;
    if (samples % 120 === 0)
      console.error(`${done} of ${items}, ${halves.map((size) => size.toFixed(0)).join(' and ')} MB`);
  }, 250);
  try {
    await run();
    return { halves };
  } finally {
    clearInterval(timer);
  }
}

try {
  await migrate(store);
  console.log('case                          items    seconds   items/s  MB, first half  MB, second half');
  for (const [stream, pulls, issues] of [
    ['pull_requests', PULLS, 0],
    ['issues', 0, ISSUES],
  ] as const) {
    const double = await startDouble(pulls, issues);
    const slug = `bench-${stream.replace('_', '-')}`;
    const connected = await connect(
      store,
      collectors,
      { address: double.address, slug, repos: 1, names: [stream] },
      clock,
    );
    const items = pulls + issues;
    const startedAt = performance.now();
    const { halves } = await withMemory(items, connected.entityId, async () => {
      for (;;) {
        const { again } = await collect(connected);
        const { rows } = await store.pool.query(
          `select 1 from sync_streams where entity_id = $1 and mode = 'backfill' and next_due_at is not null`,
          [connected.entityId],
        );
        if (rows.length === 0) return;
        if (again !== null && again > clock) clock = again;
      }
    });
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(
      stream.padEnd(24),
      String(items).padStart(10),
      seconds.toFixed(1).padStart(10),
      (items / seconds).toFixed(0).padStart(9),
      ...halves.map((size) => size.toFixed(0).padStart(16)),
    );
    const table = stream === 'issues' ? 'issues' : 'pull_requests';
    const { rows } = await store.pool.query<{ count: number }>(
      `select count(*)::int as count from ${table} where entity_id = $1`,
      [connected.entityId],
    );
    if (rows[0]!.count !== items) throw new Error(`${rows[0]!.count} of ${items} ${stream} were stored`);
    const [first, second] = halves;
    bar(`memory stays below ${MOST_MEGABYTES} MB over ${items} ${stream}`, Math.max(first, second) <= MOST_MEGABYTES);
    const growth = (second / first - 1) * 100;
    bar(
      `it grows by ${growth.toFixed(0)} % from the first half to the second, at most ${MOST_GROWTH} %`,
      growth <= MOST_GROWTH,
    );
    clock = new Date(clock.getTime() + 20 * 60_000);
    // The first walk after a backfill reads what is newer than its beginning.
    await collect(connected);
    clock = new Date(clock.getTime() + 20 * 60_000);
    const before = await double.calls();
    await collect(connected);
    const after = await double.calls();
    const quiet = after.core + after.graphql - before.core - before.graphql;
    bar(`an unchanged repo costs ${quiet} calls, at most ${MOST_QUIET_CALLS}`, quiet <= MOST_QUIET_CALLS);
    double.stop();
  }

  const double = await startDouble(10, 10);
  const many = await connect(
    store,
    collectors,
    { address: double.address, slug: 'bench-many', repos: REPOS, names: null },
    clock,
  );
  const walkedAt = performance.now();
  for (let round = 0; round < 20; round += 1) {
    await collect(many);
    console.error(`${REPOS} repos, round ${round + 1}: ${JSON.stringify(await double.calls())}`);
    const { rows } = await store.pool.query(
      `select 1 from sync_streams where entity_id = $1 and mode = 'backfill' and next_due_at is not null`,
      [many.entityId],
    );
    if (rows.length === 0) break;
    clock = new Date(clock.getTime() + 60_000);
  }
  console.log(`\n${REPOS} repos: first walk of all ${((performance.now() - walkedAt) / 1000).toFixed(0)} s`);
  clock = new Date(clock.getTime() + 60 * 60_000);
  await collect(many);
  const before = await double.calls();
  // A quiet hour, with a look each minute as the service takes it.
  for (let minute = 0; minute < 60; minute += 1) {
    clock = new Date(clock.getTime() + 60_000);
    await collect(many);
  }
  const after = await double.calls();
  for (const budget of ['core', 'graphql'] as const) {
    const hour = after[budget] - before[budget];
    const most = HOURLY_LIMIT / 10;
    bar(`a quiet hour of ${REPOS} repos costs ${hour} calls of ${budget}, at most ${most}`, hour <= most);
  }
  double.stop();
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await store.close();
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
