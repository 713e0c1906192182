// How the import of a repo, and the list of what a connection sees, stand in the queue: one after another for each of
// them, and never twice waiting.
import type { TaskPayloads } from '../tasks.ts';

/** A worker that dies uses up an attempt, so there are many; failures are counted in the import record. */
const QUEUE_ATTEMPTS = 1000;

export function importQueueOptions({ entity_id, import_id }: TaskPayloads['import_repo']) {
  const key = `import:${entity_id}:${import_id}`;
  return { queueName: key, jobKey: key, maxAttempts: QUEUE_ATTEMPTS };
}

export function listQueueOptions({ entity_id, connection_id }: TaskPayloads['cache_provider_repos']) {
  return {
    queueName: `provider:${entity_id}:${connection_id}`,
    jobKey: `cache_provider_repos:${entity_id}:${connection_id}`,
  };
}
