// What Prometheus can scrape: request times by route and status, the process's own figures, and whatever
// other parts add (the queue's gauges).
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Registers further metrics; called once when the server is made. */
export type MetricsCollector = (registry: Registry) => void;

export interface Metrics {
  readonly registry: Registry;
  /** `route` is the pattern, not the address: a label must not grow with the traffic. */
  observe(method: string, route: string, status: number, seconds: number): void;
}

export function createMetrics(collectors: readonly MetricsCollector[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'strata_' });
  const requests = new Histogram({
    name: 'strata_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  for (const collect of collectors) collect(registry);
  return {
    registry,
    observe: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
  };
}
