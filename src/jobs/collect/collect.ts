// A token collects for a while; then the job queues itself for when there is more to do. A wait is no failure.
import { collectWithToken } from '../../collect/collect-with-token.ts';
import { collectQueueOptions } from '../../domain/collect/collect-queue.ts';
import { deriveQueueOptions, reviewsQueueOptions } from '../../domain/derive-queue.ts';
import { isActiveEntity } from '../../storage/access/entities.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import type { Task } from '../task.ts';

const WORK_SECONDS = 60;
const MINUTE_MS = 60_000;
/** A longer wait is noticed by the task that looks for what is due. */
const LONGEST_OWN_WAIT_MS = 2 * MINUTE_MS;

export const collect: Task<'collect'> = {
  description: 'Collects pull requests, reviews, issues and deployments with one token.',
  async run(payload, { signal, log }, { store, collectors, secrets, keepsRawAnswers = true, now }) {
    const { entity_id, source, connection_id } = payload;
    if (collectors === undefined || secrets === undefined) throw new Error('there are no connectors to code hosts');
    if (!(await isActiveEntity(store.db, entity_id))) return;
    const parts = {
      db: store.db,
      collectors,
      secrets,
      keepsRaw: keepsRawAnswers,
      workSeconds: WORK_SECONDS,
      log,
      signal,
      now,
      random: Math.random,
    };
    const result = await collectWithToken(parts, { entityId: entity_id, source, connectionId: connection_id });
    for (const repo_id of result.touchedRepos) {
      const touched = { entity_id, repo_id };
      await enqueue(store.db, 'derive_reviews', touched, reviewsQueueOptions(touched));
    }
    if (result.isWiderScopeTouched) {
      await enqueue(store.db, 'derive_delivery', { entity_id }, deriveQueueOptions({ entity_id }));
    }
    log.debug({ ...payload, calls: result.calls, again: result.again }, 'a token has collected');
    if (result.again === null) return;
    const wait = Math.max(result.again.getTime() - now().getTime(), result.calls === 0 ? MINUTE_MS : 0);
    if (wait > LONGEST_OWN_WAIT_MS) return;
    const runAt = new Date(now().getTime() + wait);
    await enqueue(store.db, 'collect', payload, {
      ...collectQueueOptions(payload),
      jobKeyMode: 'preserve_run_at',
      runAt,
    });
  },
};
