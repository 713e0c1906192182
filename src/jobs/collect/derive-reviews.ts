// Works out what follows from a repo's pull requests, reviews and comments, and lets the rest follow from that.
import { applyLanded } from '../../derive/reviews/apply-landed.ts';
import { derivePullRequests } from '../../derive/reviews/derive-pull-requests.ts';
import { directAgents } from '../../derive/reviews/direct-agents.ts';
import { markReviewers } from '../../derive/reviews/mark-reviewers.ts';
import { effectiveEntitySettings } from '../../domain/access/entity-settings.ts';
import { deriveQueueOptions } from '../../domain/derive-queue.ts';
import { isActiveEntity } from '../../storage/access/entities.ts';
import { readStoredSettings } from '../../storage/access/entity-settings.ts';
import { storeLabelClaims } from '../../storage/ai/label-claims.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import { lockShared } from '../../storage/commits/shared-commits.ts';
import { analyzeGrown } from '../../storage/database/analyze-grown.ts';
import { longTransaction } from '../../storage/database/long-transaction.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import { endStaleReviews } from '../../storage/repos/repos.ts';
import { deriveEvidence } from '../ai/derive-evidence.ts';
import type { Task } from '../task.ts';

/** What a backfill fills, and this compares row by row. */
const COMPARED = [
  'commits',
  'pull_requests',
  'pull_request_commits',
  'pull_request_reviews',
  'pull_request_comments',
] as const;

export const deriveReviews: Task<'derive_reviews'> = {
  description: "Works out what follows from a repo's pull requests, reviews and comments together.",
  async run({ entity_id, repo_id }, { log }, { store, now }) {
    if (!(await isActiveEntity(store.db, entity_id))) return;
    const settings = effectiveEntitySettings(await readStoredSettings(store.db, entity_id));
    await analyzeGrown(store.db, entity_id, COMPARED);
    const changed = await longTransaction(store.db, async (trx) => {
      const place = { entityId: entity_id, repoId: repo_id };
      await lockShared(trx, entity_id);
      await bumpDataVersion(trx, entity_id);
      await applyLanded(trx, place);
      await directAgents(trx, place);
      await storeLabelClaims(trx, place, now());
      await deriveEvidence(trx, entity_id, { repoId: repo_id }, now());
      await markReviewers(trx, place);
      const derived = await derivePullRequests(trx, place, settings);
      // Last: an import of the repo waits for its row.
      await endStaleReviews(trx, entity_id, repo_id);
      return derived;
    });
    const payload = { entity_id, repo_id };
    await enqueue(store.db, 'derive_delivery', payload, deriveQueueOptions(payload));
    log.debug({ entity_id, repo_id, changed }, 'pull requests are up to date');
  },
};
