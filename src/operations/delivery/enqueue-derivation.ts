// What follows from releases, defects and commits together is worked out by a job; this asks for it in the
// transaction that makes it necessary.
import { deriveQueueOptions } from '../../domain/derive-queue.ts';
import type { TaskPayloads } from '../../domain/tasks.ts';
import type { Database } from '../../storage/database/handle.ts';
import { listReposOfPeople } from '../../storage/people/developers.ts';
import { enqueueReviewsOf } from '../../storage/people/enqueue-reviews.ts';
import { enqueue } from '../../storage/queue/queue.ts';

export async function enqueueDerivation(db: Database, payload: TaskPayloads['derive_delivery']): Promise<void> {
  await enqueue(db, 'derive_delivery', payload, deriveQueueOptions(payload));
}

/** For all repos that these people have worked in: whether that counts, or whose it is, has changed. */
export async function enqueueDerivationsOf(db: Database, entityId: number, rootIds: readonly number[]): Promise<void> {
  // Before what follows from them.
  await enqueueReviewsOf(db, entityId, rootIds);
  for (const repoId of await listReposOfPeople(db, entityId, rootIds)) {
    await enqueueDerivation(db, { entity_id: entityId, repo_id: repoId });
  }
}
