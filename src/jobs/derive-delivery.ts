// Works out what follows from releases, defects and commits together: the releases that tags and rules
// make, the commits that each release shipped, the commits that worked on defects, and where those began.

import { markBugs, recordDefectsByRules } from '../derive/delivery/defects-by-rules.ts';
import { recordDefectsOfIssues } from '../derive/delivery/defects-from-issues.ts';
import { linkDefects, traceOrigins } from '../derive/delivery/link-defects.ts';
import { reconcileDefects } from '../derive/delivery/reconcile-defects.ts';
import { reconcileReleases } from '../derive/delivery/reconcile-releases.ts';
import { releaseFromHosts } from '../derive/delivery/releases-from-hosts.ts';
import { releaseByRules, releaseTags } from '../derive/delivery/releases-from-refs.ts';
import { releaseWork } from '../derive/delivery/releases-of-work.ts';
import { summarizeShipped } from '../derive/delivery/releases-shipped.ts';
import { shareReleases } from '../derive/delivery/shared-releases.ts';
import { followSources } from '../derive/teams/follow-sources.ts';
import { assignSprints } from '../derive/work/assign-sprints.ts';
import { deriveBoardChanges } from '../derive/work/derive-board-changes.ts';
import { deriveIssueHistory } from '../derive/work/derive-issue-history.ts';
import { linkIssues } from '../derive/work/link-issues.ts';
import { readMentions } from '../derive/work/read-mentions.ts';
import { effectiveEntitySettings, repoSettingsOf } from '../domain/access/entity-settings.ts';
import { traitsQueueOptions } from '../domain/derive-queue.ts';
import { isActiveEntity } from '../storage/access/entities.ts';
import { readRepoSettings, readStoredSettings } from '../storage/access/entity-settings.ts';
import { bumpDataVersion } from '../storage/commits/rollups.ts';
import { analyzeNew } from '../storage/database/analyze-new.ts';
import { releaseFixes } from '../storage/delivery/defect-releases.ts';
import { resolveDeployers } from '../storage/delivery/releases.ts';
import { enqueue } from '../storage/queue/queue.ts';
import { lockTeams } from '../storage/teams/teams.ts';
import { listCollectedTrackers } from '../storage/work/trackers.ts';
import type { Task } from './task.ts';

/** What an import or a backfill fills, and this compares row by row. */
const COMPARED = ['commits', 'committers', 'issues', 'issue_commits', 'pull_requests', 'pull_request_commits'] as const;

export const deriveDelivery: Task<'derive_delivery'> = {
  description: 'Works out what follows from releases, defects and commits together.',
  async run({ entity_id, repo_id }, { log }, { store, now }) {
    if (!(await isActiveEntity(store.db, entity_id))) return;
    const stored = await readStoredSettings(store.db, entity_id);
    const settings = effectiveEntitySettings(stored);
    await analyzeNew(store.db, COMPARED);
    const changed = await store.db.transaction().execute(async (trx) => {
      // Both first, and in the order of the operations: nobody changes teams, defects or releases while this reads them.
      await lockTeams(trx, entity_id);
      await bumpDataVersion(trx, entity_id);
      let changes = 0;
      if (repo_id !== undefined) changes += await readMentions(trx, { entityId: entity_id, repoId: repo_id });
      changes += await markBugs(trx, entity_id, settings);
      changes += await linkIssues(trx, entity_id);
      changes += await deriveBoardChanges(trx, entity_id, settings);
      // Before what follows from them: a page that comes in between must not count as seen.
      const collectedTrackers = await listCollectedTrackers(trx, entity_id);
      changes += await deriveIssueHistory(trx, entity_id);
      changes += await followSources(trx, entity_id, { now: now(), collectedTrackers });
      changes += await assignSprints(trx, entity_id);
      if (repo_id !== undefined) {
        const own = repoSettingsOf(await readRepoSettings(trx, entity_id, repo_id));
        const { release_tag_pattern } = effectiveEntitySettings({ ...stored, ...own });
        changes += await releaseFromHosts(trx, entity_id, repo_id, settings);
        changes += await releaseTags(trx, entity_id, repo_id, release_tag_pattern);
        changes += await releaseByRules(trx, entity_id, repo_id, settings);
        changes += await reconcileReleases(trx, entity_id, repo_id);
      }
      changes += await resolveDeployers(trx, entity_id);
      const released = await releaseWork(trx, entity_id, settings);
      changes += released.changed;
      if (repo_id !== undefined || released.issueIds.length > 0) {
        changes += await summarizeShipped(trx, entity_id, repo_id ?? null, released.issueIds);
      }
      changes += await shareReleases(trx, entity_id);
      await recordDefectsOfIssues(trx, entity_id, 'all');
      changes += await recordDefectsByRules(trx, entity_id, settings);
      changes += await linkDefects(trx, entity_id);
      changes += await releaseFixes(trx, entity_id);
      changes += await reconcileDefects(trx, entity_id, 'all', settings);
      changes += await traceOrigins(trx, entity_id);
      return changes;
    });
    // After those: whether a bug escaped depends on releases.
    await enqueue(store.db, 'derive_traits', { entity_id }, traitsQueueOptions({ entity_id }));
    log.debug({ entity_id, repo_id: repo_id ?? null, changed }, 'releases and defects are up to date');
  },
};
