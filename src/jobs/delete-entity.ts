// The working half of offboarding: facts, mirrors and jobs of an entity go, in steps that hold nobody up.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownedAddress } from '../domain/repos/clone-address.ts';
import { closeEntity, deleteEntityJobs, deleteEntityRows, startOffboarding } from '../storage/access/delete-entity.ts';
import type { Store } from '../storage/database/handle.ts';
import { openSession } from '../storage/database/session.ts';
import { lockRepo, unlockRepo } from '../storage/repos/import-lock.ts';
import { listImports, stopImports } from '../storage/repos/imports.ts';
import { listAddressesOfOne, listSourceAddresses } from '../storage/repos/repos.ts';
import type { Task } from './task.ts';

export const deleteEntity: Task<'delete_entity'> = {
  description: 'Removes an entity with its facts, mirrors and jobs, a few thousand rows at a time.',
  async run({ entity_id }, job, { store, imports, credentials }) {
    await startOffboarding(store.db, entity_id);
    // A running import loses its right to write with the next batch.
    await stopImports(store.db, entity_id);
    await endImports(store, entity_id);
    await deleteEntityJobs(store.db, entity_id, job.jobId);
    // As long as it is known which they are.
    await credentials?.remove([
      ...(await listAddressesOfOne(store.db, entity_id)),
      ...[...(await listSourceAddresses(store.db, entity_id))].map((address) => ownedAddress(entity_id, address)),
    ]);
    let removed = 0;
    await deleteEntityRows(store.db, entity_id, (rows) => {
      removed += rows;
      job.signal.throwIfAborted();
    });
    await rm(join(imports.mirrorsFolder, String(entity_id)), { recursive: true, force: true });
    await closeEntity(store.db, entity_id);
    job.log.info({ entity_id, rows: removed }, 'an entity was removed');
  },
};

/** Ends the connections of running imports, which would store people even without the right to store facts. */
async function endImports(store: Store, entityId: number): Promise<void> {
  const session = await openSession(store);
  try {
    for (const { id } of await listImports(session.db, entityId)) {
      await lockRepo(session, id);
      await unlockRepo(session, id);
    }
  } catch (error) {
    session.destroy();
    throw error;
  }
  session.release();
}
