// How derivations wait in the queue: one after another per entity, and each question only once.
import type { TaskPayloads } from './tasks.ts';

export function deriveQueueOptions({ entity_id, repo_id }: TaskPayloads['derive_delivery']): {
  queueName: string;
  jobKey: string;
  jobKeyMode: 'preserve_run_at';
} {
  return {
    queueName: `derive:${entity_id}`,
    jobKey: `derive:${entity_id}:${repo_id ?? 'defects'}`,
    jobKeyMode: 'preserve_run_at',
  };
}
