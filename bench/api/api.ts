// What the records API costs: creates and lists per second against bare Fastify routes that send the very
// statements that the operation sends, taken down beforehand, to the same database in the same run. The
// bare routes check nothing and know no tokens. The bar is 0.7.
//
//   npm run bench:api [-- --rounds 9 --seconds 0.6 --only POST]
import { type FastifyInstance, fastify } from 'fastify';
import { createServer } from '../../src/api/server.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createOperations, OPERATOR } from '../../src/operations/index.ts';
import { openStore, type Store } from '../../src/storage/database/handle.ts';
import { DEFAULT_HTTP_SETTINGS } from '../../test/support/default-http-settings.ts';
import { compareWithBare, createQuietLog } from './compare-with-bare.ts';
import { formatRunningNumber, RUNNING_NUMBER } from './running-number.ts';
import { recordStatements, sendAgain } from './statement-recorder.ts';

interface Case {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
  /** The table that every request adds a row to. */
  readonly creates?: 'ai_usages' | 'critical_defects';
}

const CASES: readonly Case[] = [
  {
    method: 'POST',
    path: '/api/v1/ai_usages',
    creates: 'ai_usages',
    body: {
      resource_path: 'bench',
      llm_model_name: `model-${RUNNING_NUMBER}`,
      date: '2026-10-05',
      committer_user_name: 'person7',
      prompted_suggest_count: 40,
      prompted_accept_count: 12,
      cents_cost: 31.5,
    },
  },
  {
    method: 'POST',
    path: '/api/v1/critical_defects',
    creates: 'critical_defects',
    body: {
      resource_path: 'bench/acme/website',
      defect_key: `INC-${RUNNING_NUMBER}`,
      detected_at: '2026-10-05T09:00:00Z',
      severity: 2,
      description: 'The **checkout** page answers with an error when the cart is empty.',
    },
  },
  { method: 'GET', path: '/api/v1/releases', query: 'resource_path=bench/acme/website' },
  { method: 'GET', path: '/api/v1/developers', query: 'resource_path=bench' },
];

const [RECORDED, ...UNRECORDED] = [3, 1, 2].map(formatRunningNumber) as [string, ...string[]];
const CHECKED = formatRunningNumber(4);

/** A repo with 400 releases of the last 90 days and 400 developers, as imports leave them. */
async function seed(store: Store): Promise<string> {
  const operations = createOperations({ store, log: createQuietLog(), now: () => new Date() });
  await operations.entities.create(OPERATOR, { slug: 'bench' });
  await operations.users.create(OPERATOR, { email: 'bench@example.com', entity: 'bench', role: 'member' });
  const { token } = await operations.tokens.create(OPERATOR, { entity: 'bench', user_email: 'bench@example.com' });
  await operations.close();
  for (const statement of [
    `insert into organizations (entity_id, slug, name) select id, 'acme', 'acme' from entities where slug = 'bench'`,
    `insert into repos (entity_id, organization_id, slug, name, source_kind, default_branch)
     select entity_id, id, 'website', 'website', 'path', 'main' from organizations`,
    `insert into committers (entity_id, root_committer_id, processing_status, committer_user_name, full_name, email)
     select e.id, 0, 'processing_stats', 'person' || n, 'Person ' || n, 'person' || n || '@example.com'
     from entities e, generate_series(1, 400) n`,
    'update committers set root_committer_id = id',
    `insert into releases (entity_id, repo_id, name, released_at, triggered_by, deployed_by_committer_id)
     select r.entity_id, r.id, 'v1.' || n, now() - n * interval '5 hours', 'api', n from repos r, generate_series(1, 400) n`,
    // Ids of new rows are like no other number that a statement has.
    "select setval(pg_get_serial_sequence('critical_defects', 'id'), 5000000)",
    'analyze',
  ])
    await store.pool.query(statement);
  return token;
}

async function createStrataServer(store: Store) {
  const operations = createOperations({ store, log: createQuietLog(), now: () => new Date() });
  const server = await createServer({
    endpoints: ENDPOINTS,
    operations,
    settings: { ...DEFAULT_HTTP_SETTINGS, rate_limit_per_minute: 10_000_000 },
    log: createQuietLog(),
    notReady: async () => [],
  });
  return { server, operations };
}

const bodyOf = ({ body }: Case, number = RUNNING_NUMBER): string =>
  body === undefined ? '' : JSON.stringify(body).replaceAll(RUNNING_NUMBER, number);

const urlOf = ({ path, query }: Case): string => (query === undefined ? path : `${path}?${query}`);

const wire = (route: Case, token: string): string => {
  const body = bodyOf(route);
  const head = `${route.method} ${urlOf(route)} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`;
  const length = Buffer.byteLength(body);
  return body === ''
    ? `${head}\r\n`
    : `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
};

async function createBareServer(store: Store, token: string) {
  // Over a store of its own, so that watching slows neither side.
  const ownStore = await openStore({ databaseUrl: store.databaseUrl });
  const { server, operations } = await createStrataServer(ownStore);
  const recorder = recordStatements(ownStore);
  const bare = fastify();
  for (const route of CASES) {
    const ask = async (number: string) => {
      const answer = await server.inject({
        method: route.method,
        url: urlOf(route),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(route.body === undefined ? {} : { payload: bodyOf(route, number) }),
      });
      if (answer.statusCode !== 200) throw new Error(`${route.path} answered ${answer.body}`);
    };
    // What is remembered between requests is remembered by then.
    for (const number of UNRECORDED) await ask(number);
    const statements = await recorder.record(() => ask(RECORDED));
    if (statements.length === 0) throw new Error(`${route.path} sent no statement`);
    console.log(`${route.method} ${route.path}: ${statements.length} statements`);
    bare.route({
      method: route.method,
      url: route.path,
      handler: async (request) => {
        const number = /\d{9}/.exec(JSON.stringify(request.body ?? ''))?.[0] ?? RECORDED;
        const answers = await sendAgain(store, statements, [RECORDED, number]);
        return {
          action_em: 'action_get_resource',
          response_em: 'response_success',
          response_detail: 'Done.',
          // Whole records, so that a list is as long as Strata's.
          records: route.method === 'GET' ? answers.toSorted((a, b) => b.length - a.length)[0] : undefined,
        };
      },
    });
  }
  await server.close();
  await operations.close();
  await ownStore.close();
  for (const route of CASES) await checkBareRoute(store, bare, route);
  await bare.listen({ host: '127.0.0.1', port: 0 });
  return bare;
}

/** A bare side that wrote over one row again and again would be no measure of creates. */
async function checkBareRoute(store: Store, bare: FastifyInstance, route: Case): Promise<void> {
  const count = async () =>
    route.creates === undefined
      ? 0
      : Number((await store.pool.query(`select count(*) as found from ${route.creates}`)).rows[0].found);
  const before = await count();
  const payload = route.body === undefined ? {} : { payload: bodyOf(route, CHECKED) };
  const headers = { 'content-type': 'application/json' };
  const answer = await bare.inject({ method: route.method, url: urlOf(route), headers, ...payload });
  if (answer.statusCode !== 200) throw new Error(`the bare ${route.path} answered ${answer.body}`);
  const records = route.creates === undefined ? answer.json().records.length : (await count()) - before;
  const expected = route.creates === undefined ? 50 : 1;
  if (records !== expected) throw new Error(`the bare ${route.path} has ${records} records, not ${expected}`);
}

await compareWithBare(
  async (store) => {
    const token = await seed(store);
    const bare = await createBareServer(store, token);
    const { server, operations } = await createStrataServer(store);
    await server.listen({ host: '127.0.0.1', port: 0 });
    return {
      strata: server,
      bare,
      cases: CASES.map((route) => [`${route.method} ${route.path}`, [wire(route, token)]] as const),
      close: () => operations.close(),
    };
  },
  { rounds: 9, seconds: 0.6, warmUpRequests: 2_000 },
);
