// A tracker's double, connected through the API; what follows is collected by calling the runner, so that the clock and
// each step are in the test's hands.
import { type CollectResult, collectWithToken } from '../../../src/collect/collect-with-token.ts';
import { createCollectors } from '../../../src/connectors/collect/collectors.ts';
import { createTrackerSites } from '../../../src/connectors/trackers/tracker-sites.ts';
import { deriveIssueHistory } from '../../../src/derive/work/derive-issue-history.ts';
import { deriveSprintParts } from '../../../src/derive/work/derive-sprint-parts.ts';
import type { JobParts } from '../../../src/jobs/task.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { makeFolder } from '../../jobs/import/import-kit.ts';
import { createTestApp, type TestApp, testSecrets } from '../../support/app.ts';
import { importSettings } from '../../support/import-settings.ts';
import type { TrackerDouble } from '../../world/tracker-doubles/tracker-double.ts';

export interface TrackerKit {
  readonly app: TestApp;
  readonly double: TrackerDouble;
  readonly entityId: number;
  readonly trackerId: number;
  readonly parts: JobParts;
  /** The one clock of service and tracker. */
  clock: Date;
  collect(): Promise<CollectResult>;
  /** Until nothing is under way, then what follows from it. Waits are waited out by moving the clock. */
  collectAll(): Promise<number>;
  query<T extends object>(text: string): Promise<T[]>;
  close(): Promise<void>;
}

const offline = {
  allowPrivate: true,
  requestMilliseconds: 5_000,
  resolve: async (name: string): Promise<never> => {
    throw Object.assign(new Error(`${name} is not looked up in tests`), { code: 'ENOTFOUND' });
  },
};

export async function createTrackerKit(
  double: TrackerDouble,
  connection: Readonly<Record<string, unknown>>,
  start: Date,
): Promise<TrackerKit> {
  let clock = start;
  const now = () => clock;
  double.clock = now;
  const collectors = createCollectors({ ...offline, now });
  const app = await createTestApp({ now, parts: () => ({ trackerSites: createTrackerSites({ ...offline, now }) }) });
  const { store } = app;
  const answer = await app.request({
    route: 'POST /trackers',
    json: { resource_path: 'acme', ...connection },
  });
  if (double.faults.length > 0) throw double.faults[0];
  if (answer.status !== 200) throw new Error(answer.text);
  const tracker = await store.db.selectFrom('trackers').selectAll().executeTakeFirstOrThrow();
  const { entity_id: entityId, id: trackerId } = tracker;
  const kit: TrackerKit = {
    app,
    double,
    entityId,
    trackerId,
    parts: { store, sources: [], imports: importSettings(makeFolder()), collectors, secrets: testSecrets, now },
    get clock() {
      return clock;
    },
    set clock(time) {
      clock = time;
    },
    async collect() {
      const parts = {
        db: store.db,
        collectors,
        secrets: testSecrets,
        keepsRaw: true,
        workSeconds: 1_000_000,
        log: silentLog,
        signal: new AbortController().signal,
        now,
        random: () => 0.5,
      };
      const result = await collectWithToken(parts, { entityId, source: 'tracker', connectionId: trackerId });
      if (double.faults.length > 0) throw double.faults[0];
      return result;
    },
    async collectAll() {
      let calls = 0;
      for (let round = 0; round < 30; round += 1) {
        const result = await kit.collect();
        calls += result.calls;
        const waiting = await kit.query(
          `select 1 from sync_streams where cursor is not null or (mode = 'backfill' and next_due_at is not null)
             or (mode = 'fresh' and next_due_at <= '${clock.toISOString()}')`,
        );
        if (waiting.length === 0 || result.again === null) {
          await store.db.transaction().execute((trx) => deriveIssueHistory(trx, entityId));
          await deriveSprintParts(store, entityId);
          return calls;
        }
        if (result.again > clock) clock = result.again;
      }
      const streams = await kit.query('select stream, mode, cursor, failures, failure_detail from sync_streams');
      throw new Error(`collecting does not come to an end: ${JSON.stringify(streams)}`);
    },
    query: async (text) => (await store.pool.query(text)).rows,
    close: () => double.close(),
  };
  return kit;
}
