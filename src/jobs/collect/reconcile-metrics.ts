// What the nightly comparison with hosts found, for Prometheus; read from the database when it is scraped.
import { Gauge, type Registry } from 'prom-client';
import { within } from '../../kit/remembered.ts';
import { type ReconcileSum, sumReconciliations } from '../../storage/collect/reconciliations.ts';
import type { Store } from '../../storage/database/handle.ts';

const SUM_MILLISECONDS = 800;

interface GaugeRow {
  readonly name: string;
  readonly help: string;
  /** Null leaves it out. */
  value(sum: ReconcileSum): number | null;
}

const GAUGES: readonly GaugeRow[] = [
  {
    name: 'strata_reconcile_compared_total',
    help: 'Pull requests and issues that were read again at night and compared, by host or tracker.',
    value: ({ compared_total }) => compared_total,
  },
  {
    name: 'strata_reconcile_differed_total',
    help: 'Those of them that differed from what was stored, by host or tracker.',
    value: ({ differed_total }) => differed_total,
  },
  {
    name: 'strata_reconcile_difference_ratio',
    help: 'Share of what was compared in the last night that differed, by host or tracker.',
    value: ({ compared, differed }) => (compared === 0 ? null : differed / compared),
  },
];

export function registerReconcileMetrics(registry: Registry, store: Store): void {
  let reading: Promise<readonly ReconcileSum[] | null> | null = null;
  /** One look for all gauges of a scrape, which are read side by side. */
  const read = () => {
    reading ??= within(SUM_MILLISECONDS, sumReconciliations(store.db, null), null).finally(() => {
      reading = null;
    });
    return reading;
  };
  for (const { name, help, value } of GAUGES) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['host'],
      registers: [registry],
      async collect() {
        const rows = await read();
        gauge.reset();
        for (const row of rows ?? []) {
          const found = value(row);
          if (found !== null) gauge.set({ host: row.host_key }, found);
        }
      },
    });
  }
}
