// How collecting stands in the queue: one job per token at a time, and never twice waiting.
import type { TaskPayloads } from '../tasks.ts';

export function collectQueueOptions({ entity_id, source, connection_id }: TaskPayloads['collect']) {
  const key = `collect:${source}:${entity_id}:${connection_id}`;
  return { queueName: key, jobKey: key };
}
