// What Strata's HTTP layer costs: its endpoints against bare Fastify routes that run the same statement on
// the same database, in the same process and run. The bar is 0.7.
//
//   npm run bench:http [-- --rounds 15 --seconds 0.6 --only POST]
import { randomBytes } from 'node:crypto';
import { fastify } from 'fastify';
import { createServer } from '../../src/api/server.ts';
import { endpoint } from '../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { p } from '../../src/endpoints/params/index.ts';
import { r } from '../../src/endpoints/returns.ts';
import { hashTokenSecret } from '../../src/operations/access/token-secret.ts';
import { createOperations, OPERATOR } from '../../src/operations/index.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { DEFAULT_HTTP_SETTINGS } from '../../test/support/default-http-settings.ts';
import { compareWithBare, createQuietLog } from './compare-with-bare.ts';

const MANY_TOKENS = 20_000;

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

await compareWithBare(
  async (store) => {
    await store.pool.query(
      `create table bench_notes (id bigserial primary key, entity_id bigint not null, key text not null,
       detected_at timestamptz, severity integer, description text)`,
    );
    const tokens = await createTokens(store, MANY_TOKENS);
    const operations = createOperations({ store, log: createQuietLog(), now: () => new Date() });
    const strata = await createServer({
      endpoints: [...ENDPOINTS, noteEndpoint(store)],
      operations,
      settings: { ...DEFAULT_HTTP_SETTINGS, rate_limit_per_minute: 10_000_000 },
      log: createQuietLog(),
      notReady: async () => [],
    });
    await strata.listen({ host: '127.0.0.1', port: 0 });
    return {
      strata,
      bare: await createBareServer(store),
      cases: [
        ['GET /api_tokens, another token each time', tokens.many.map(get)],
        ['GET /api_tokens, one token', [get(tokens.one)]],
        ['POST of one row', [post(tokens.one)]],
      ],
      close: () => operations.close(),
    };
  },
  { rounds: 15, seconds: 0.6, warmUpRequests: 8_000 },
);
