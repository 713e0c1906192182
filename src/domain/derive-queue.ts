// How derivations wait in the queue: one after another per entity, and each question only once.
import type { TaskPayloads } from './tasks.ts';

const deriveQueue = (entityId: number): string => `derive:${entityId}`;

export const deriveQueueOptions = ({ entity_id, repo_id }: TaskPayloads['derive_delivery']) => ({
  queueName: deriveQueue(entity_id),
  jobKey: `derive:${entity_id}:${repo_id ?? 'defects'}`,
  jobKeyMode: 'preserve_run_at' as const,
});

export const reviewsQueueOptions = ({ entity_id, repo_id }: TaskPayloads['derive_reviews']) => ({
  queueName: deriveQueue(entity_id),
  jobKey: `reviews:${entity_id}:${repo_id}`,
});

export const traitsQueueOptions = ({ entity_id }: TaskPayloads['derive_traits']) => ({
  queueName: deriveQueue(entity_id),
  jobKey: `traits:${entity_id}`,
});
