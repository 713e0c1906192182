// What follows from releases, defects and commits together is worked out by a job; this asks for it in the
// transaction that makes it necessary.
import { deriveQueueOptions } from '../domain/derive-queue.ts';
import type { TaskPayloads } from '../domain/tasks.ts';
import type { Database } from '../storage/handle.ts';
import { enqueue } from '../storage/queue.ts';

export async function enqueueDerivation(db: Database, payload: TaskPayloads['derive_delivery']): Promise<void> {
  await enqueue(db, 'derive_delivery', payload, deriveQueueOptions(payload));
}
