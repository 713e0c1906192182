// Gauges of the queue for Prometheus, read from the database when they are scraped.
import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../storage/database/handle.ts';
import { countJobs } from '../storage/queue/queue.ts';

export function registerQueueMetrics(registry: Registry, store: Store): void {
  const oldest = new Gauge({
    name: 'strata_jobs_oldest_waiting_seconds',
    help: 'How long the oldest due job has been waiting, by task.',
    labelNames: ['task'],
    registers: [registry],
  });
  const jobs: Gauge = new Gauge({
    name: 'strata_jobs',
    help: 'Jobs in the queue by task and state.',
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      const rows = await countJobs(store.db);
      jobs.reset();
      oldest.reset();
      for (const { task, waiting, running, failed, oldest_waiting_seconds } of rows) {
        for (const [state, count] of Object.entries({ waiting, running, failed })) jobs.set({ task, state }, count);
        oldest.set({ task }, oldest_waiting_seconds);
      }
    },
  });
}
