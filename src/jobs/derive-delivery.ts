// Works out what follows from releases, defects and commits together: the releases that tags and rules
// make, the commits that each release shipped, the commits that worked on defects, and where those began.
//
// In steps of their own: whoever records a release, a defect or usage waits for the row with the entity's version, which
// the later steps hold to their end. A step that fails is done again with those before it; all write only what differs.

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
import { type EntitySettings, effectiveEntitySettings, repoSettingsOf } from '../domain/access/entity-settings.ts';
import { deriveQueueOptions, traitsQueueOptions } from '../domain/derive-queue.ts';
import type { TaskPayloads } from '../domain/tasks.ts';
import { isActiveEntity } from '../storage/access/entities.ts';
import { readRepoSettings, readStoredSettings } from '../storage/access/entity-settings.ts';
import { bumpDataVersion } from '../storage/commits/rollups.ts';
import { analyzeGrown } from '../storage/database/analyze-grown.ts';
import type { Database } from '../storage/database/handle.ts';
import { longTransaction } from '../storage/database/long-transaction.ts';
import { longSession, type ReadingSession } from '../storage/database/session.ts';
import { releaseFixes } from '../storage/delivery/defect-releases.ts';
import { resolveDeployers } from '../storage/delivery/releases.ts';
import { enqueue } from '../storage/queue/queue.ts';
import { endWaitingJobs, listWaitingJobs } from '../storage/queue/waiting-jobs.ts';
import { lockTeams } from '../storage/teams/teams.ts';
import { listCollectedTrackers } from '../storage/work/trackers.ts';
import type { JobContext, JobParts, Task } from './task.ts';

/** What an import or a backfill fills, and this compares row by row. */
const COMPARED = [
  'commits',
  'committers',
  'issues',
  'issue_changes',
  'issue_commits',
  'issue_mentions',
  'pull_requests',
  'pull_request_commits',
  'pull_request_landings',
  'releases',
  'release_commits',
] as const;

/** Most of it is the same for one repo and for many. */
const MOST_JOBS_AT_ONCE = 50;

interface Scope {
  readonly entityId: number;
  readonly repoIds: readonly number[];
  /** Something that is not of one repo has changed: issues, settings, people. */
  readonly isWide: boolean;
  /** The entity's own; a repo may have others. */
  readonly stored: Awaited<ReturnType<typeof readStoredSettings>>;
  readonly settings: EntitySettings;
}

type WaitingJobs = Awaited<ReturnType<typeof listOthers>>;

export const deriveDelivery: Task<'derive_delivery'> = {
  description: 'Works out what follows from releases, defects and commits together.',
  async run(payload, job, parts) {
    const { entity_id: entityId } = payload;
    const { db } = parts.store;
    if (!(await isActiveEntity(db, entityId))) return;
    const waiting = await listOthers(db, entityId, job);
    try {
      await derive(payload, waiting, job, parts);
    } catch (error) {
      if (waiting.length === 0 || job.signal.aborted) throw error;
      // Whatever is wrong with one of the others is theirs.
      job.log.warn({ err: error, entity_id: entityId, others: waiting.length }, 'deriving several repos failed');
      await derive(payload, [], job, parts);
    }
  },
};

async function derive(
  payload: TaskPayloads['derive_delivery'],
  waiting: WaitingJobs,
  { log }: JobContext,
  { store, now }: JobParts,
): Promise<void> {
  const { db } = store;
  const { entity_id: entityId } = payload;
  const asked = [payload, ...waiting.map((other) => other.payload)].map(({ repo_id }) => repo_id);
  const stored = await readStoredSettings(db, entityId);
  const scope: Scope = {
    entityId,
    repoIds: [...new Set(asked)].filter((repoId) => repoId !== undefined),
    isWide: asked.includes(undefined),
    stored,
    settings: effectiveEntitySettings(stored),
  };
  // One by one, because an import of the repo waits for its row.
  let changed = 0;
  for (const repoId of scope.repoIds) {
    changed += await longTransaction(db, (trx) => readMentions(trx, { entityId, repoId }));
  }
  await analyzeGrown(db, entityId, COMPARED);
  const work = await longTransaction(db, (trx) => deriveWork(trx, scope));
  changed += work.changed;
  changed += await longTransaction(db, (trx) => deriveTeams(trx, scope, { now: now(), ...work }));
  changed += await longSession(store, (session) => deriveReleases(session, scope));
  changed += await longTransaction(db, (trx) => deriveShipped(trx, scope));
  changed += await longTransaction(db, async (trx) => {
    const defects = await deriveDefects(trx, scope);
    await endWaitingJobs(trx, waiting);
    // After those: whether a bug escaped depends on releases.
    await enqueue(trx, 'derive_traits', { entity_id: entityId }, traitsQueueOptions({ entity_id: entityId }));
    return defects;
  });
  log.debug({ entity_id: entityId, repo_ids: scope.repoIds, changed }, 'releases and defects are up to date');
}

/** A job that has failed is tried alone. */
const listOthers = async (db: Database, entityId: number, { attempt }: JobContext) =>
  attempt > 1
    ? []
    : listWaitingJobs(db, {
        task: 'derive_delivery',
        queueName: deriveQueueOptions({ entity_id: entityId }).queueName,
        most: MOST_JOBS_AT_ONCE,
      });

async function deriveWork(
  trx: Database,
  { entityId, repoIds, isWide, settings }: Scope,
): Promise<{ readonly changed: number; readonly collectedTrackers: readonly number[] }> {
  let changed = await markBugs(trx, entityId, settings);
  const linked = await linkIssues(trx, entityId);
  changed += linked.changed;
  changed += await deriveBoardChanges(trx, entityId, settings);
  // Before what follows from them: a page that comes in between must not count as seen.
  const collectedTrackers = await listCollectedTrackers(trx, entityId);
  changed += await deriveIssueHistory(trx, entityId);
  // A commit that names another issue now, or none, is another change. Asked for together with the links: a run that fails
  // further on finds nothing new about them when it is tried again.
  for (const repo_id of isWide ? [] : linked.repoIds.filter((id) => !repoIds.includes(id))) {
    const payload = { entity_id: entityId, repo_id };
    await enqueue(trx, 'derive_delivery', payload, deriveQueueOptions(payload));
  }
  return { changed, collectedTrackers };
}

async function deriveTeams(
  trx: Database,
  { entityId, settings }: Scope,
  seen: { readonly now: Date; readonly collectedTrackers: readonly number[] },
): Promise<number> {
  // Both first, and in the order of the operations: nobody changes teams while this reads them.
  await lockTeams(trx, entityId);
  await bumpDataVersion(trx, entityId);
  return (
    (await followSources(trx, entityId, { ...seen, timeZone: settings.time_zone })) +
    (await assignSprints(trx, entityId))
  );
}

async function deriveReleases(
  session: ReadingSession,
  { entityId, repoIds, stored, settings }: Scope,
): Promise<number> {
  const { db: trx } = session;
  // First: nobody changes releases while this reads them.
  await bumpDataVersion(trx, entityId);
  let changed = 0;
  for (const repoId of repoIds) {
    const own = repoSettingsOf(await readRepoSettings(trx, entityId, repoId));
    const { release_tag_pattern } = effectiveEntitySettings({ ...stored, ...own });
    changed += await releaseFromHosts(trx, entityId, repoId, settings);
    changed += await releaseTags(trx, entityId, repoId, release_tag_pattern);
    changed += await releaseByRules(trx, entityId, repoId, settings);
    changed += await reconcileReleases(session, entityId, repoId);
  }
  return changed + (await resolveDeployers(trx, entityId));
}

async function deriveShipped(trx: Database, { entityId, repoIds, isWide, settings }: Scope): Promise<number> {
  await bumpDataVersion(trx, entityId);
  await analyzeGrown(trx, entityId, ['release_commits']);
  const { changed, issueIds } = await releaseWork(trx, entityId, settings);
  return (
    changed +
    (await summarizeShipped(trx, entityId, isWide ? null : repoIds, issueIds)) +
    (await shareReleases(trx, entityId))
  );
}

async function deriveDefects(trx: Database, { entityId, settings }: Scope): Promise<number> {
  // First: nobody changes defects while this reads them.
  await bumpDataVersion(trx, entityId);
  await recordDefectsOfIssues(trx, entityId, 'all');
  let changed = await recordDefectsByRules(trx, entityId, settings);
  changed += await linkDefects(trx, entityId);
  changed += await releaseFixes(trx, entityId);
  changed += await reconcileDefects(trx, entityId, 'all', settings);
  return changed + (await traceOrigins(trx, entityId));
}
