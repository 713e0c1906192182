// The HTTP server: the endpoints of the list, health and metrics, documentation, and one way to answer
// everything that goes wrong. It listens nowhere by itself; the caller decides that.
import type { Socket } from 'node:net';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Caller } from '../domain/access/caller.ts';
import { StrataError } from '../domain/errors.ts';
import { BASE_PATH, type Endpoint, METHODS } from '../endpoints/endpoint.ts';
import { FairQueue } from '../kit/fair-queue.ts';
import { nearestName } from '../kit/text/nearest-name.ts';
import type { Operations } from '../operations/index.ts';
import { createAnswerer, createRun } from './answer-request.ts';
import { addDeadline, CLIENT_GONE_STATUS, hasArrived, isClientGone } from './deadline.ts';
import { addHostCheck } from './door/check-host.ts';
import { Guard } from './door/guard.ts';
import { answerBrokenRequest, explainError, UNKNOWN_ACTION } from './error-answer.ts';
import { HEADER_LIMIT_BYTES, type HttpSettings, QUERY_LIMIT_BYTES } from './http-settings.ts';
import { addHooks } from './inbound/hooks.ts';
import { addOtlp, OTLP_PATH } from './inbound/otlp.ts';
import { parseBody, requireUtf8Charset } from './input/body-text.ts';
import { parseEncoded, parseJson, parseMultipart, queryOf } from './input/raw-input.ts';
import type { MetricsCollector } from './metrics.ts';
import { addDocsPage } from './pages/docs-page.ts';
import { createStartData, type StartData } from './pages/start-data.ts';
import { addSurveyPage } from './pages/survey-page.ts';
import { DATA_HEADERS, TRANSPORT_SECURITY } from './security-headers.ts';
import { addStaticPage, isVisit, type StaticPage } from './static.ts';
import { traceIdentifier } from './trace-identifier.ts';
import { addWatching } from './watching.ts';
import { KEY_HEADER, REPEATED_HEADER } from './writes/idempotency-key.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** Null where no token is needed, and until it was checked. */
    caller: Caller | null;
  }
}

export interface ServerOptions {
  readonly endpoints: readonly Endpoint[];
  readonly operations: Operations;
  readonly settings: HttpSettings;
  readonly log: FastifyBaseLogger;
  /** What is still missing before requests succeed; an empty list means ready. */
  notReady(): Promise<readonly string[]>;
  readonly collectors?: readonly MetricsCollector[];
  /** The dashboard's files; null or absent where they were not built. */
  readonly page?: StaticPage | null;
}

export type Server = FastifyInstance;

export async function createServer(options: ServerOptions): Promise<Server> {
  const { endpoints, settings, log } = options;
  const server: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new QuietLog({ requestIdLogLabel: 'trace' }),
    genReqId: (request) => traceIdentifier(request.headers['x-trace-identifier']),
    requestIdHeader: false,
    bodyLimit: settings.body_limit_bytes,
    requestTimeout: settings.request_timeout_seconds * 1000,
    // The framework's word for no proxy is false, and a list of one function for so many from the right.
    trustProxy: settings.trust_proxy === 0 ? false : (_address, hop) => hop < settings.trust_proxy,
    http: { maxHeaderSize: HEADER_LIMIT_BYTES },
    // The default answer while closing is not our envelope; see addClosing.
    return503OnClosing: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Parsed by the endpoint's own reader, which can refuse it; the router could only crash.
      querystringParser: () => ({}),
    },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      void reply.headers(commonHeaders(settings)).header('x-trace-identifier', request.id);
      answerError(error, request, reply);
    },
  });
  // The specification's parameters may come in a body on every endpoint, also on GET.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.setErrorHandler(answerError);
  addDeadline(server, settings.request_timeout_seconds);
  addCommonHooks(server, settings);
  addHostCheck(server, settings);
  addClosing(server);
  addBodyParsers(server);
  await server.register(compress, { encodings: ['gzip'], threshold: 1024, globalDecompression: false });
  if (settings.cors_origins.length > 0) {
    await server.register(cors, {
      origin: [...settings.cors_origins],
      methods: [...METHODS],
      allowedHeaders: ['authorization', 'content-type', KEY_HEADER, 'x-trace-identifier'],
      exposedHeaders: EXPOSED_HEADERS,
    });
  }
  const startData = addEndpoints(server, options);
  addOtlp(server, options.operations, settings);
  addWatching(server, options);
  addDocsPage(server);
  addSurveyPage(server, options.operations);
  addHooks(server, options.operations);
  const showPage = addStaticPage(server, { page: options.page ?? null, startData });
  server.setNotFoundHandler((request, reply) => {
    if (options.page && isVisit(request)) return showPage(request, reply.code(404));
    throw new StrataError(
      'not_found',
      `there is nothing at ${request.method} ${pathOf(request)}${hint(request, endpoints)}`,
    );
  });
  return server;
}

const EXPOSED_HEADERS = [
  REPEATED_HEADER,
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-trace-identifier',
  'x-warnings',
];

/** One line per request, written by the response hook; the framework's two would hold the whole address. */
class QuietLog extends LogController {
  override incomingRequest(): void {}
  override requestCompleted(): void {}
  override defaultErrorLog(): void {}
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!.slice(0, 200);

function commonHeaders(settings: HttpSettings): Readonly<Record<string, string>> {
  const isSecure = settings.public_url?.startsWith('https:') === true;
  return isSecure ? { ...DATA_HEADERS, 'strict-transport-security': TRANSPORT_SECURITY } : DATA_HEADERS;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isClientGone(error, request)) return void reply.code(CLIENT_GONE_STATUS).send();
  const answer = explainError(error, {
    action: request.routeOptions.config.endpoint?.action ?? UNKNOWN_ACTION,
    trace: request.id,
  });
  if (answer.isFault) request.log.error({ err: error }, 'a request failed');
  const retryAfter = answer.code === 'unavailable' ? 5 : answer.retryAfterSeconds;
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (!hasArrived(request)) reply.header('connection', 'close');
  reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
}

function addCommonHooks(server: FastifyInstance, settings: HttpSettings): void {
  const headers = commonHeaders(settings);
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-trace-identifier', request.id);
    if (queryOf(request.url).length > QUERY_LIMIT_BYTES) {
      done(
        new StrataError(
          'payload_too_large',
          `the query is longer than ${QUERY_LIMIT_BYTES} bytes; send a body instead`,
        ),
      );
      return;
    }
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity' && !request.url.startsWith(OTLP_PATH)) {
      done(new StrataError('unsupported_media_type', 'compressed bodies are not accepted'));
      return;
    }
    done();
  });
}

/** Requests already running finish; later ones on open connections are told to go elsewhere. */
function addClosing(server: FastifyInstance): void {
  let isClosing = false;
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.addHook('preClose', (done) => {
    isClosing = true;
    // Node ends connections that wait for a further request, but not those that browsers open in advance.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
  server.addHook('onRequest', (_request, reply, done) => {
    if (!isClosing) return done();
    reply.header('connection', 'close');
    done(new StrataError('unavailable', 'the service is stopping; try again'));
  });
}

const BODY_PARSERS = {
  'application/json': parseJson,
  'application/x-www-form-urlencoded': (text: string) => parseEncoded(text, 'form body'),
  'multipart/form-data': parseMultipart,
};

function addBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  for (const [type, parse] of Object.entries(BODY_PARSERS)) {
    server.addContentTypeParser(type, { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, body: Buffer) => {
      const contentType = headers['content-type'] ?? '';
      requireUtf8Charset(contentType);
      return parseBody(body, (text) => parse(text, contentType));
    });
  }
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    const given = request.headers['content-type'] ?? 'no content type';
    throw new StrataError(
      'unsupported_media_type',
      `a body of ${given.slice(0, 100)} is not accepted; expected application/json, application/x-www-form-urlencoded or multipart/form-data`,
    );
  });
}

/** Adds them; gives what a page begins with. */
function addEndpoints(server: FastifyInstance, { endpoints, operations, settings }: ServerOptions): StartData {
  const guard = new Guard(operations, settings);
  // Two connections are always left for somebody else.
  const total = settings.database_pool_size;
  const queue = new FairQueue({ total, perKey: Math.max(1, total - 2) });
  server.decorateRequest('caller', null);
  for (const endpoint of endpoints) {
    const answer = createAnswerer({ endpoint, ops: operations, queue, settings });
    server.route({
      method: endpoint.method,
      url: `${BASE_PATH}${endpoint.path}`,
      config: { endpoint },
      onRequest: async (request, reply) => {
        request.caller = await guard.admit(endpoint, request, reply);
      },
      handler: (request, reply) => answer(request, reply, request.caller),
    });
  }
  for (const [path, allowed] of methodsByPath(endpoints)) {
    const others = [...METHODS, 'PATCH' as const].filter((method) => !allowed.includes(method));
    server.route({
      method: settings.cors_origins.length > 0 ? others : [...others, 'OPTIONS'],
      url: path,
      handler: (request, reply) => {
        reply.header('allow', allowed.join(', '));
        throw new StrataError(
          'method_not_allowed',
          `${request.method} is not accepted here; expected ${allowed.join(' or ')}`,
        );
      },
    });
  }
  return createStartData({
    endpoints,
    recognise: (request) => guard.recognise(request),
    runner: (endpoint) => createRun({ endpoint, ops: operations, queue }),
  });
}

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { method, path } of endpoints) {
    const key = `${BASE_PATH}${path}`;
    const methods = byPath.get(key) ?? [];
    methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    byPath.set(key, methods);
  }
  return byPath;
}

function hint(request: FastifyRequest, endpoints: readonly Endpoint[]): string {
  // Of the same method: whoever reads is not to be led to what deletes.
  const wanted = request.method === 'HEAD' ? 'GET' : request.method;
  const known = endpoints.filter(({ method }) => method === wanted).map(({ path }) => `${BASE_PATH}${path}`);
  const nearest = nearestName(pathOf(request), known);
  return nearest === null ? '; /docs lists every address' : `; did you mean ${wanted} ${nearest}?`;
}
