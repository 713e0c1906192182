// What operators and tools look at: health, readiness, metrics, the OpenAPI document, and one log line
// for every request.
import type { FastifyInstance } from 'fastify';
import { BASE_PATH, type Endpoint } from '../endpoints/endpoint.ts';
import { createMetrics, type MetricsCollector } from './metrics.ts';
import { openapiDocument } from './openapi.ts';

export interface WatchingOptions {
  readonly endpoints: readonly Endpoint[];
  /** What is still missing before requests succeed; an empty list means ready. */
  notReady(): Promise<readonly string[]>;
  readonly collectors?: readonly MetricsCollector[];
}

export function addWatching(server: FastifyInstance, options: WatchingOptions): void {
  const { endpoints, notReady, collectors = [] } = options;
  const metrics = createMetrics(collectors);
  const document = JSON.stringify(openapiDocument(endpoints));
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const missing = await notReady();
    reply.code(missing.length === 0 ? 200 : 503);
    return missing.length === 0 ? { status: 'ready' } : { status: 'not_ready', missing };
  });
  server.get('/metrics', async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
  server.get(`${BASE_PATH}/openapi.json`, async (_request, reply) => {
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' });
    return document;
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    request.log[route.startsWith(BASE_PATH) || route === 'none' ? 'info' : 'debug'](line, 'request');
    done();
  });
  server.addHook('onClose', (_instance, done) => {
    metrics.registry.clear();
    done();
  });
}
