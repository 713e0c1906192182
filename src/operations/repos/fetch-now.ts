// A call may name a commit that was pushed a moment ago. The repo is then imported at once, ahead of what waits in the
// queue, and the call is answered when the commit is there or the import has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { importQueueOptions } from '../../domain/repos/import-queue.ts';
import type { Database } from '../../storage/database/handle.ts';
import { enqueue, isInQueue } from '../../storage/queue/queue.ts';
import { hasLivingWorker } from '../../storage/queue/workers.ts';
import { findImportOfRepo } from '../../storage/repos/imports.ts';

const LONGEST_MS = 20_000;
const LOOK_MS = 100;
/** Before everything else. */
const PRIORITY = -100;

/** What `look` finds now, or after the repo was fetched; undefined when it is still unknown. */
export async function fetchUntil<T>(
  db: Database,
  { entityId, repoId }: { readonly entityId: number; readonly repoId: number },
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const known = await look();
  if (known !== undefined) return known;
  const row = await findImportOfRepo(db, entityId, repoId);
  if (row === undefined || !(await hasLivingWorker(db))) return undefined;
  const payload = { entity_id: entityId, import_id: row.id };
  const jobId = await enqueue(db, 'import_repo', payload, { ...importQueueOptions(payload), priority: PRIORITY });
  const deadline = Date.now() + LONGEST_MS;
  for (let isWaiting = true; isWaiting && Date.now() < deadline; ) {
    await sleep(LOOK_MS);
    isWaiting = await isInQueue(db, jobId);
    const found = await look();
    if (found !== undefined) return found;
  }
  return undefined;
}
