// Reads the kept answers of an entity's hosts and trackers again, after a rule has changed, and lets the rest follow.
import { replayAnswers } from '../../collect/replay-answers.ts';
import { deriveQueueOptions, reviewsQueueOptions } from '../../domain/derive-queue.ts';
import { isActiveEntity } from '../../storage/access/entities.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import type { Task } from '../task.ts';

export const replayKept: Task<'replay_answers'> = {
  description: 'Reads kept answers of code hosts and trackers again, without asking them.',
  async run({ entity_id }, { signal, log }, { store, collectors, secrets }) {
    if (collectors === undefined || secrets === undefined) throw new Error('there are no connectors to code hosts');
    if (!(await isActiveEntity(store.db, entity_id))) return;
    const result = await replayAnswers({ db: store.db, collectors, secrets, log, signal }, entity_id);
    for (const repo_id of result.touchedRepos) {
      const payload = { entity_id, repo_id };
      await enqueue(store.db, 'derive_reviews', payload, reviewsQueueOptions(payload));
    }
    if (result.isWiderScopeTouched) {
      await enqueue(store.db, 'derive_delivery', { entity_id }, deriveQueueOptions({ entity_id }));
    }
    log.info({ entity_id, pages: result.pages, skipped: result.skipped }, 'kept answers were read again');
  },
};
