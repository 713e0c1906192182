// Folds telemetry that came in into usage: the days that changed, each as a whole. Once a day it forgets what is older
// than points are taken.
import { TELEMETRY_DAYS } from '../../domain/ai/usage-sources.ts';
import { replaceCollectedDay } from '../../storage/ai/collected-usages.ts';
import { listClaimedEntities } from '../../storage/ai/commit-evidence.ts';
import {
  endDueDay,
  forgetTelemetry,
  listDueDays,
  listDueEntities,
  readTelemetryDay,
} from '../../storage/ai/telemetry.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { Task } from '../task.ts';
import { deriveEvidence } from './derive-evidence.ts';

const DAY_MS = 86_400_000;
/** A day may still be folded while the last of its points arrive. */
const KEPT_DAYS = TELEMETRY_DAYS + 2;
/** For how long a process may be silent and go on counting from where it was. */
const STREAM_DAYS = 100;

export const foldTelemetry: Task<'fold_telemetry'> = {
  description: 'Folds telemetry of coding tools into usage, and applies what it says of commits.',
  cron: { pattern: '* * * * *', payload: {} },
  async run({ entity_id }, { log }, { store, now }) {
    const entities = entity_id === undefined ? await listDueEntities(store.db) : [entity_id];
    for (const id of entities) {
      const days = await foldEntity(store.db, id, now());
      if (days > 0) log.debug({ entity_id: id, days }, 'folded telemetry into usage');
    }
    const claimed = await listClaimedEntities(store.db);
    for (const id of claimed) {
      if (entity_id !== undefined && id !== entity_id) continue;
      await store.db.transaction().execute((trx) => deriveEvidence(trx, id, 'claims', now()));
    }
    if (entity_id === undefined && now().getUTCHours() === 3 && now().getUTCMinutes() < 2) {
      const ago = (days: number): string => new Date(now().getTime() - days * DAY_MS).toISOString().slice(0, 10);
      await forgetTelemetry(store.db, { points: ago(KEPT_DAYS), streams: ago(STREAM_DAYS) });
    }
  },
};

/** Returns how many days were folded. A day's neighbours count by its log records too. */
async function foldEntity(db: Database, entityId: number, now: Date): Promise<number> {
  const due = await listDueDays(db, entityId);
  if (due.length === 0) return 0;
  const days = new Set(due.flatMap(({ used_on }) => [dayAfter(used_on, -1), used_on, dayAfter(used_on, 1)]));
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
  await db.transaction().execute(async (trx) => {
    await bumpDataVersion(trx, entityId);
    for (const used_on of [...days].toSorted()) {
      if (used_on < oldest) continue;
      const usages = await readTelemetryDay(trx, entityId, used_on);
      await replaceCollectedDay(trx, entityId, { source: 'otlp', llm_token_id: null, used_on }, usages, now);
    }
    for (const day of due) await endDueDay(trx, entityId, day);
  });
  return due.length;
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
