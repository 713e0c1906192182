// Gauges of the queue for Prometheus, read from the database when they are scraped.
import { Gauge, type Registry } from 'prom-client';
import { within } from '../kit/remembered.ts';
import type { Store } from '../storage/database/handle.ts';
import { countJobs } from '../storage/queue/queue.ts';

/** A database that takes longer is away; the other figures do not wait for it. */
const COUNT_MILLISECONDS = 800;

export function registerQueueMetrics(registry: Registry, store: Store): void {
  const oldest = new Gauge({
    name: 'strata_jobs_oldest_waiting_seconds',
    help: 'How long the oldest due job has been waiting, by task.',
    labelNames: ['task'],
    registers: [registry],
  });
  const database = new Gauge({
    name: 'strata_database_up',
    help: '1 while the database answers, else 0; the figures of the queue are then missing.',
    registers: [registry],
  });
  const jobs: Gauge = new Gauge({
    name: 'strata_jobs',
    help: 'Jobs in the queue by task and state.',
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      const rows = await within(COUNT_MILLISECONDS, countJobs(store.db), null);
      database.set(rows === null ? 0 : 1);
      jobs.reset();
      oldest.reset();
      // What is not known is left out, not zero.
      if (rows === null) return;
      for (const { task, waiting, running, failed, oldest_waiting_seconds } of rows) {
        for (const [state, count] of Object.entries({ waiting, running, failed })) jobs.set({ task, state }, count);
        oldest.set({ task }, oldest_waiting_seconds);
      }
    },
  });
}
