// What operators and tools look at: health, readiness, metrics, the OpenAPI document, and one log line
// for every request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../domain/access/caller.ts';
import { BASE_PATH, type Endpoint } from '../endpoints/endpoint.ts';
import { RateLimiter } from '../kit/door/rate-limiter.ts';
import { remembered } from '../kit/remembered.ts';
import { CLIENT_GONE_STATUS } from './deadline.ts';
import { tooManyRequests } from './door/guard.ts';
import { HOOKS_PATH } from './inbound/hooks.ts';
import { createMetrics, type MetricsCollector } from './metrics.ts';
import { openapiDocument } from './openapi.ts';
import { PublicText } from './pages/public-text.ts';

/** Whose request it was; nothing where no token was needed or it was wrong. */
const callerOf = (caller: Caller | null | undefined) =>
  caller === null || caller === undefined
    ? {}
    : {
        entity: caller.entity_slug,
        user_id: caller.user_id,
        ...(caller.via.kind === 'token' ? { token_id: caller.via.token_id } : { session_id: caller.via.session_id }),
      };

/** What people and tools ask of Strata. Pages and what watches it are for those who debug. */
const isLogged = (route: string): boolean =>
  route === 'none' || route.startsWith(BASE_PATH) || route.startsWith(HOOKS_PATH);

/** Addresses that need no token: one machine reads them so often a minute. */
const PUBLIC_PAGES = /^\/(?:docs|metrics|api\/v1\/openapi\.json)(?:[/?]|$)/;
const PUBLIC_PER_MINUTE = 600;
/** Scrapers that come at once share an answer, as probes do while one is looked for. */
const SHARED_MILLISECONDS = 500;

export interface WatchingOptions {
  readonly endpoints: readonly Endpoint[];
  /** What is still missing before requests succeed; an empty list means ready. */
  notReady(): Promise<readonly string[]>;
  readonly collectors?: readonly MetricsCollector[];
}

export function addWatching(server: FastifyInstance, options: WatchingOptions): void {
  const { endpoints, notReady, collectors = [] } = options;
  const metrics = createMetrics(collectors);
  const document = new PublicText(JSON.stringify(openapiDocument(endpoints)), 'application/json; charset=utf-8');
  const readers = new RateLimiter(PUBLIC_PER_MINUTE);
  const scrape = remembered(SHARED_MILLISECONDS, () => metrics.registry.metrics());
  const findMissing = remembered(0, notReady);
  server.addHook('onRequest', (request, reply, done) => {
    if (!PUBLIC_PAGES.test(request.url)) return done();
    const state = readers.take(request.ip, performance.now());
    done(state.isExceeded ? tooManyRequests(reply, state, 'this address may read public pages') : undefined);
  });
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const missing = await findMissing();
    reply.code(missing.length === 0 ? 200 : 503);
    return missing.length === 0 ? { status: 'ready' } : { status: 'not_ready', missing };
  });
  server.get('/metrics', async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return scrape();
  });
  server.get(`${BASE_PATH}/openapi.json`, async (request, reply) => document.send(request, reply));
  const report = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const route = request.routeOptions.url ?? 'none';
    metrics.observe(request.method, route, status, reply.elapsedTime / 1000);
    const line = {
      method: request.method,
      route,
      status,
      ...callerOf(request.caller),
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    request.log[isLogged(route) ? 'info' : 'debug'](line, 'request');
  };
  // The framework says nothing of requests whose clients left before an answer.
  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    raw.once('close', () => raw.writableEnded || report(request, reply, CLIENT_GONE_STATUS));
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    report(request, reply, reply.statusCode);
    done();
  });
  server.addHook('onClose', (_instance, done) => {
    metrics.registry.clear();
    done();
  });
}
