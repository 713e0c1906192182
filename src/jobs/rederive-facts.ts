// Queued whenever a worker starts: an upgrade may have brought another formula or churn window. Each repo is walked anew
// by its own import job, whose record shows how far it is; its old facts serve until the new ones are there.
import { reviewsQueueOptions } from '../domain/derive-queue.ts';
import { importQueueOptions } from '../domain/repos/import-queue.ts';
import { enqueue } from '../storage/queue/queue.ts';
import {
  listReposDerivedOtherwise,
  listReposWithStaleReviews,
  listReposWithStaleSums,
} from '../storage/repos/repos.ts';
import type { Task } from './task.ts';

/** Behind imports that somebody requested. */
const PRIORITY = 20;

export const rederiveFacts: Task<'rederive_facts'> = {
  description: 'Queues the repos whose facts an earlier version of the program derived otherwise.',
  async run(_payload, { log }, { store, imports }) {
    const repos = await listReposDerivedOtherwise(store.db, imports.derivation);
    for (const payload of repos) {
      await enqueue(store.db, 'import_repo', payload, {
        ...importQueueOptions(payload),
        jobKeyMode: 'preserve_run_at',
        priority: PRIORITY,
      });
    }
    for (const payload of await listReposWithStaleSums(store.db)) {
      const { queueName } = importQueueOptions(payload);
      const jobKey = `rebuild:${payload.entity_id}:${payload.import_id}`;
      await enqueue(store.db, 'rebuild_rollups', payload, { queueName, jobKey, priority: PRIORITY });
    }
    for (const payload of await listReposWithStaleReviews(store.db)) {
      // Before what follows from them, which is worked out for many at once: in line as if somebody had asked.
      await enqueue(store.db, 'derive_reviews', payload, reviewsQueueOptions(payload));
    }
    if (repos.length > 0) {
      log.info(
        { repos: repos.length, derivation: imports.derivation },
        'queued the repos whose facts are derived anew',
      );
    }
  },
};
