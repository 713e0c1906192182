// Sums the daily tables anew. The entity's job queues one per repo, each in line with that repo's imports,
// so that no batch is stored in between with days of the old time zone.

import { effectiveEntitySettings } from '../domain/access/entity-settings.ts';
import { deriveQueueOptions, reviewsQueueOptions } from '../domain/derive-queue.ts';
import { importQueueOptions } from '../domain/repos/import-queue.ts';
import { readStoredSettings } from '../storage/access/entity-settings.ts';
import { rebuildRollups as rebuildRepo } from '../storage/commits/rollups.ts';
import { lockShared, reconcileShared } from '../storage/commits/shared-commits.ts';
import { enqueue } from '../storage/queue/queue.ts';
import { listImports, readImport } from '../storage/repos/imports.ts';
import { updateRepo } from '../storage/repos/repos.ts';
import type { Task } from './task.ts';

export const rebuildRollups: Task<'rebuild_rollups'> = {
  description: 'Sums the daily tables of an entity anew after a setting that they depend on has changed.',
  async run({ entity_id, import_id }, { log }, { store }) {
    if (import_id === undefined) {
      for (const { id } of await listImports(store.db, entity_id)) {
        const { queueName } = importQueueOptions({ entity_id, import_id: id });
        await enqueue(
          store.db,
          'rebuild_rollups',
          { entity_id, import_id: id },
          { queueName, jobKey: `rebuild:${entity_id}:${id}` },
        );
      }
      // Business time of defects depends on the same settings, also where no repo is.
      await enqueue(store.db, 'derive_delivery', { entity_id }, deriveQueueOptions({ entity_id }));
      return;
    }
    const row = await readImport(store.db, { entityId: entity_id, importId: import_id });
    const repoId = row?.repo_id ?? null;
    if (repoId === null) return;
    const { time_zone } = effectiveEntitySettings(await readStoredSettings(store.db, entity_id));
    await store.db.transaction().execute(async (trx) => {
      await lockShared(trx, entity_id);
      await reconcileShared(trx, entity_id, { repoId });
      await updateRepo(trx, entity_id, repoId, { is_checked_for_copies: true, has_stale_sums: false });
      await rebuildRepo(trx, entity_id, repoId, time_zone);
      const payload = { entity_id, repo_id: repoId };
      // Before what follows from releases and defects: business time of pull requests depends on the same settings.
      await enqueue(trx, 'derive_reviews', payload, reviewsQueueOptions(payload));
    });
    log.info({ entity_id, repo_id: repoId, time_zone }, 'the daily sums of a repo were built anew');
  },
};
