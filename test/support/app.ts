// The service without a port: a database of its own, an entity with one user per role, and requests that
// are injected. Every answer is held against what the endpoint documents, so no test can overlook a
// field that is missing, wrong or undocumented.
import type { Writable } from 'node:stream';
import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import type { HttpSettings } from '../../src/api/http-settings.ts';
import { errorsOf } from '../../src/api/openapi.ts';
import { createServer, type Server, type ServerOptions } from '../../src/api/server.ts';
import { createCodeHosts } from '../../src/connectors/hosts/code-hosts.ts';
import { createTrackerSites } from '../../src/connectors/trackers/tracker-sites.ts';
import { ERRORS } from '../../src/domain/errors.ts';
import { BASE_PATH, type Endpoint } from '../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createLog } from '../../src/kit/create-log.ts';
import { createSecretBox } from '../../src/kit/sealed-secret.ts';
import { createOperations, OPERATOR, type OperationParts, type Operations } from '../../src/operations/index.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { createTestDatabase } from './database.ts';
import { DEFAULT_HTTP_SETTINGS } from './default-http-settings.ts';

export interface AppOptions extends Partial<Pick<ServerOptions, 'notReady' | 'collectors'>> {
  readonly endpoints?: readonly Endpoint[] | ((store: Store) => readonly Endpoint[]);
  readonly settings?: Partial<HttpSettings>;
  readonly now?: () => Date;
  readonly logLevel?: string;
  /** Further parts of the operations, such as sources and mirrors of repos. */
  readonly parts?: (store: Store) => Partial<OperationParts>;
}

export interface TestRequest {
  /** `GET /api_tokens` is below /api/v1; `GET //healthz` is not. */
  readonly route: string;
  /** Null sends no token; the entity's admin's unless given. */
  readonly token?: string | null;
  readonly query?: string;
  readonly form?: string;
  readonly json?: unknown;
  readonly payload?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  /** The parsed body, for answers in JSON. */
  readonly body: Record<string, unknown>;
}

export type RoleName = 'member' | 'manager' | 'admin' | 'superAdmin';

export interface TestApp {
  readonly server: Server;
  readonly operations: Operations;
  readonly store: Store;
  readonly entity: string;
  /** Secrets of tokens of the entity, and of an admin of another one. */
  readonly tokens: Readonly<Record<RoleName | 'foreignAdmin', string>>;
  /** Everything logged so far. */
  logged(): string;
  request(request: TestRequest): Promise<Answer>;
  close(): Promise<void>;
}

export const errorBody = z.strictObject({
  action_em: z.string().regex(/^action_/),
  response_em: z.string().regex(/^response_/),
  response_detail: z.string().min(1),
  errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
  // beside the error where an import was refused
  imported: z.literal(false).optional(),
});

/** Code hosts on this machine can be reached, and no name leads anywhere: tests stay off the network. */
export const loopbackHosts = createCodeHosts({
  allowPrivate: true,
  now: () => new Date(),
  resolve: async (name) => {
    throw Object.assign(new Error(`${name} is not looked up in tests`), { code: 'ENOTFOUND' });
  },
});
export const loopbackTrackers = createTrackerSites({
  allowPrivate: true,
  now: () => new Date(),
  resolve: async (name) => {
    throw Object.assign(new Error(`${name} is not looked up in tests`), { code: 'ENOTFOUND' });
  },
});
export const testSecrets = createSecretBox(Buffer.alloc(32, 9));

const open = new Set<TestApp>();
afterAll(async () => {
  await Promise.all([...open].map((app) => app.close()));
});

export async function createTestApp(options: AppOptions = {}): Promise<TestApp> {
  const { store } = await createTestDatabase();
  const lines: string[] = [];
  const log = createLog({
    level: options.logLevel ?? 'trace',
    format: 'json',
    destination: { write: (line: string) => lines.push(line) } satisfies Pick<Writable, never> & { write: unknown },
  });
  const operations = createOperations({
    store,
    log,
    now: options.now ?? (() => new Date()),
    links: { key: Buffer.alloc(32, 7), baseUrl: () => 'http://strata.test' },
    codeHosts: loopbackHosts,
    trackerSites: loopbackTrackers,
    secrets: testSecrets,
    ...options.parts?.(store),
  });
  const endpoints =
    typeof options.endpoints === 'function' ? options.endpoints(store) : (options.endpoints ?? ENDPOINTS);
  const server = await createServer({
    endpoints,
    operations,
    settings: { ...DEFAULT_HTTP_SETTINGS, rate_limit_per_minute: 1_000_000, ...options.settings },
    log,
    notReady: options.notReady ?? (async () => []),
    ...(options.collectors ? { collectors: options.collectors } : {}),
  });
  const tokens = await createTokens(operations);
  const app: TestApp = {
    server,
    operations,
    store,
    entity: 'acme',
    tokens,
    logged: () => lines.join(''),
    request: (request) => send(server, endpoints, request, tokens.admin),
    async close() {
      open.delete(app);
      await server.close();
      await operations.close();
      await store.close();
    },
  };
  open.add(app);
  return app;
}

async function createTokens(operations: Operations): Promise<TestApp['tokens']> {
  const make = async (name: string, entity: string, role: string, isSuperAdmin = false): Promise<string> => {
    const email = `${name}@example.com`;
    await operations.users.create(OPERATOR, { email, entity, role, is_super_admin: isSuperAdmin });
    return (await operations.tokens.create(OPERATOR, { entity, user_email: email, name })).token;
  };
  await operations.entities.create(OPERATOR, { slug: 'acme' });
  await operations.entities.create(OPERATOR, { slug: 'other' });
  return {
    member: await make('member', 'acme', 'member'),
    manager: await make('manager', 'acme', 'manager'),
    admin: await make('admin', 'acme', 'admin'),
    superAdmin: await make('super', 'acme', 'admin', true),
    foreignAdmin: await make('foreign', 'other', 'admin'),
  };
}

async function send(
  server: Server,
  endpoints: readonly Endpoint[],
  request: TestRequest,
  adminToken: string,
): Promise<Answer> {
  const [method = 'GET', path = '/'] = request.route.split(' ', 2);
  const address = path.startsWith('//') ? path.slice(1) : `${BASE_PATH}${path}`;
  const token = request.token === undefined ? adminToken : request.token;
  const payload =
    request.payload ?? request.form ?? (request.json === undefined ? undefined : JSON.stringify(request.json));
  const type =
    request.form !== undefined
      ? { 'content-type': 'application/x-www-form-urlencoded' }
      : request.json !== undefined
        ? { 'content-type': 'application/json' }
        : {};
  const response = await server.inject({
    method: method as 'GET',
    url: request.query === undefined ? address : `${address}?${request.query}`,
    headers: { ...type, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...request.headers },
    ...(payload === undefined ? {} : { payload }),
  });
  const contentType = String(response.headers['content-type']);
  const isJson = contentType.startsWith('application/json');
  const plain = isJson && (response.headers['content-encoding'] ?? 'identity') === 'identity';
  const answer: Answer = {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: plain && response.body !== '' ? response.json() : {},
  };
  if (plain && address.startsWith(BASE_PATH) && method !== 'HEAD') {
    checkAnswer(findEndpoint(endpoints, method, address), answer);
  } else if (!isJson && response.statusCode === 200) {
    const { textAnswer } = findEndpoint(endpoints, method, address) ?? { textAnswer: undefined };
    if (textAnswer !== undefined) expect(textAnswer?.contentType).toBe(contentType.split(';', 1)[0]);
  }
  return answer;
}

const findEndpoint = (endpoints: readonly Endpoint[], method: string, address: string): Endpoint | undefined =>
  endpoints.find(
    (endpoint) =>
      endpoint.method === method &&
      new RegExp(`^${BASE_PATH}${endpoint.path.replace(/:\w+/g, '[^/]+')}/?(?:\\?|$)`).test(address),
  );

/** The documented schema must accept the answer, and know every field in it. */
export function checkAnswer(endpoint: Endpoint | undefined, answer: Answer): void {
  if (answer.status >= 400) {
    expect(errorBody.safeParse(answer.body).error?.issues, answer.text).toBeUndefined();
    const rows = Object.values(ERRORS).filter((row) => row.status === answer.status);
    expect(rows.map((row) => row.response_em as string)).toContain(answer.body.response_em);
    if (endpoint !== undefined) {
      const documented = errorsOf(endpoint).map((code) => ERRORS[code].status);
      expect(documented, `${endpoint.method} ${endpoint.path} answers with what it documents`).toContain(answer.status);
    }
  } else if (endpoint !== undefined) {
    const parsed = endpoint.returns.wireSchema(endpoint.action).safeParse(answer.body);
    expect(parsed.error?.issues, answer.text).toBeUndefined();
    expect(answer.body).toEqual(parsed.data);
  }
}
