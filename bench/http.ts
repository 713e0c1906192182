// What Strata's HTTP layer costs: its endpoints against bare Fastify routes that run the same statement on
// the same database, in the same process and run. Each round measures both sides one after the other and
// the median of the rounds' ratios counts, so that a busy machine slows both alike. The bar is 0.7.
//
//   npm run bench:http [-- --rounds 15 --seconds 0.6 --only POST]
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fastify } from 'fastify';
import { endpoint } from '../src/api/endpoint.ts';
import { ENDPOINTS } from '../src/api/endpoints/index.ts';
import { DEFAULT_HTTP_SETTINGS } from '../src/api/http-settings.ts';
import { p } from '../src/api/params/index.ts';
import { r } from '../src/api/returns.ts';
import { createServer } from '../src/api/server.ts';
import { createLog } from '../src/kit/create-log.ts';
import { createOperations, OPERATOR } from '../src/operations/index.ts';
import { hashTokenSecret } from '../src/operations/token-secret.ts';
import { startEmbedded } from '../src/storage/embedded/start-embedded.ts';
import { openStore, type Store } from '../src/storage/handle.ts';
import { migrate } from '../src/storage/migrate.ts';
import type { LoadOrder, LoadResult } from './http-load.ts';

const BAR = 0.7;
const CONNECTIONS = 16;
const MANY_TOKENS = 20_000;
const WARM_UP_REQUESTS = 8_000;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '0.6' },
    // Only cases whose name contains this.
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(flags.rounds);
const milliseconds = Number(flags.seconds) * 1000;

// The statement that checks a token, as the service sends it.
const TOKEN_SQL = `
  select t.id as token_id, t.user_id, t.entity_id, e.slug as entity_slug, m.role, u.is_super_admin, t.expires_at
  from api_tokens t
  join entities e on e.id = t.entity_id
  join users u on u.id = t.user_id
  left join memberships m on m.entity_id = t.entity_id and m.user_id = t.user_id
  where t.token_sha256 = $1 and t.revoked_at is null and e.state = 'active'`;
const INSERT_SQL = `
  insert into bench_notes (entity_id, key, detected_at, severity, description) values ($1, $2, $3, $4, $5) returning id`;

const noteEndpoint = (store: Store) =>
  endpoint({
    route: 'POST /bench_notes',
    action: 'action_note_created',
    group: 'Benchmark',
    summary: 'Writes one row',
    access: { resource: 'member' },
    params: {
      resource_path: p.resourcePath(),
      key: p.string(),
      detected_at: p.dateTime(),
      severity: p.integer().optional(),
      description: p.string({ max: 10_000 }).optional(),
    },
    returns: r.envelope(),
    run: async ({ params, caller }) => {
      const { rows } = await store.pool.query<{ id: number }>(INSERT_SQL, [
        caller.entity_id,
        params.key,
        params.detected_at,
        params.severity ?? null,
        params.description ?? null,
      ]);
      return { response_detail: `Note ${rows[0]?.id} is written.` };
    },
  });

/** The same two routes as one would write them by hand, without checks. */
async function createBareServer(store: Store) {
  const server = fastify();
  server.get('/api/v1/api_tokens', async (request) => {
    const secret = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const { rows } = await store.pool.query(TOKEN_SQL, [hashTokenSecret(secret)]);
    if (rows.length === 0) throw new Error('no such token');
    return {
      action_em: 'action_get_resource',
      response_em: 'response_success',
      response_detail: `The token is valid for the entity ${rows[0].entity_slug} with the rights of the role ${rows[0].role}.`,
    };
  });
  server.post<{ Body: Record<string, string> }>('/api/v1/bench_notes', async ({ body }) => {
    const values = [1, body.key, body.detected_at, body.severity, body.description];
    const { rows } = await store.pool.query(INSERT_SQL, values);
    return {
      action_em: 'action_note_created',
      response_em: 'response_success',
      response_detail: `Note ${rows[0].id} is written.`,
    };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return server;
}

async function createTokens(store: Store, count: number): Promise<{ one: string; many: string[] }> {
  const operations = createOperations({ store, log: createQuietLog(), now: () => new Date() });
  await operations.entities.create(OPERATOR, { slug: 'bench' });
  await operations.users.create(OPERATOR, { email: 'bench@example.com', entity: 'bench', role: 'member' });
  const { token } = await operations.tokens.create(OPERATOR, { entity: 'bench', user_email: 'bench@example.com' });
  await operations.close();
  const many = Array.from({ length: count }, () => `strata_${randomBytes(32).toString('base64url')}`);
  await store.pool.query(
    `insert into api_tokens (entity_id, user_id, token_sha256)
     select e.id, u.id, h from entities e, users u, unnest($1::bytea[]) h where e.slug = 'bench' and u.email = 'bench@example.com'`,
    [many.map(hashTokenSecret)],
  );
  await store.pool.query('analyze');
  return { one: token, many };
}

const createQuietLog = () => createLog({ level: 'info', format: 'json', destination: { write: () => true } });

const portOf = (server: { server: { address(): string | AddressInfo | null } }): number =>
  (server.server.address() as AddressInfo).port;

const get = (token: string): string =>
  `GET /api/v1/api_tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;

function post(token: string): string {
  const body = JSON.stringify({
    resource_path: 'bench',
    key: 'PROJ-1234',
    detected_at: '2026-10-05T09:00:00Z',
    severity: 2,
    description: 'The **checkout** page answers with an error when the cart is empty.',
  });
  return (
    `POST /api/v1/bench_notes HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

interface Measure {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'strata-bench-'));
  chmodSync(dataDir, 0o711);
  const embedded = await startEmbedded({ dataDir });
  const store = await openStore({ databaseUrl: embedded.databaseUrl });
  const load = fork(join(import.meta.dirname, 'http-load.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    await migrate(store);
    await store.pool.query(
      `create table bench_notes (id bigserial primary key, entity_id bigint not null, key text not null,
       detected_at timestamptz, severity integer, description text)`,
    );
    const tokens = await createTokens(store, MANY_TOKENS);
    const operations = createOperations({ store, log: createQuietLog(), now: () => new Date() });
    const server = await createServer({
      endpoints: [...ENDPOINTS, noteEndpoint(store)],
      operations,
      settings: { ...DEFAULT_HTTP_SETTINGS, rate_limit_per_minute: 10_000_000 },
      log: createQuietLog(),
      notReady: async () => [],
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const bare = await createBareServer(store);
    const ports = { strata: portOf(server), bare: portOf(bare) };

    const measure = async (port: number, requests: readonly string[], ms: number): Promise<Measure> => {
      const cpuBefore = process.cpuUsage();
      const order: LoadOrder = { port, connections: CONNECTIONS, milliseconds: ms, requests };
      const result = await new Promise<LoadResult>((resolve, reject) => {
        load.once('message', (message) => resolve(message as LoadResult));
        load.once('exit', () => reject(new Error('the load generator ended')));
        load.send(order);
      });
      load.removeAllListeners('exit');
      const cpu = process.cpuUsage(cpuBefore);
      if (result.failed > 0) throw new Error(`${result.failed} of ${result.completed} requests failed`);
      return {
        perSecond: result.completed / result.seconds,
        cpuMicroseconds: (cpu.user + cpu.system) / result.completed,
      };
    };

    const cases: [string, string[]][] = [
      ['GET /api_tokens, another token each time', tokens.many.map(get)],
      ['GET /api_tokens, one token', [get(tokens.one)]],
      ['POST of one row', [post(tokens.one)]],
    ];
    let isBelowBar = false;
    console.log(`${rounds} rounds of ${milliseconds / 1000} s a side, ${CONNECTIONS} connections; medians\n`);
    console.log('case                                      bare/s  strata/s  ratio   CPU µs bare  strata');
    for (const [name, requests] of cases.filter(([name]) => name.includes(flags.only))) {
      const found: Record<keyof typeof ports, Measure[]> = { bare: [], strata: [] };
      // Both sides run compiled code before anything counts, however slow the machine is right now.
      for (const side of ['bare', 'strata'] as const) {
        for (let warm = 0; warm < WARM_UP_REQUESTS; ) {
          const { perSecond } = await measure(ports[side], requests, 1000);
          warm += Math.max(1, perSecond);
        }
      }
      for (let round = 0; round < rounds; round++) {
        const order = round % 2 === 0 ? (['bare', 'strata'] as const) : (['strata', 'bare'] as const);
        for (const side of order) {
          found[side].push(await measure(ports[side], requests, milliseconds));
        }
      }
      const rate = (side: keyof typeof ports): number => median(found[side].map(({ perSecond }) => perSecond));
      const cpu = (side: keyof typeof ports): number =>
        median(found[side].map(({ cpuMicroseconds }) => cpuMicroseconds));
      const ratio = median(found.strata.map(({ perSecond }, round) => perSecond / found.bare[round]!.perSecond));
      isBelowBar ||= ratio < BAR;
      const cells = [rate('bare').toFixed(0), rate('strata').toFixed(0), ratio.toFixed(2)];
      console.log(
        `${name.padEnd(40)}${cells.map((cell) => cell.padStart(8)).join('')}${cpu('bare').toFixed(0).padStart(14)}${cpu('strata').toFixed(0).padStart(8)}`,
      );
    }
    console.log(`\nbar ${BAR}: ${isBelowBar ? 'MISSED' : 'met'}`);
    process.exitCode = isBelowBar ? 1 : 0;
    await Promise.all([server.close(), bare.close()]);
    await operations.close();
  } finally {
    load.disconnect();
    await store.close();
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
