// What the import record of a repo shows of collecting.
import type { Database } from '../database/handle.ts';
import { countPullRequests } from '../reviews/pull-requests.ts';

export interface RepoKey {
  readonly entityId: number;
  readonly repoId: number;
}

/** Totals of the repo. `discoveredAt` is given when a walk over its pull requests has ended. */
export async function writePullRequestCounts(
  db: Database,
  { entityId, repoId }: RepoKey,
  discoveredAt: Date | null,
): Promise<void> {
  const { discovered, processed } = await countPullRequests(db, { entityId, repoId });
  await db
    .updateTable('imports')
    .set({
      pull_request_discovered_count: discovered,
      pull_request_processed_count: processed,
      ...(discoveredAt === null ? {} : { last_pr_discovery_at: discoveredAt }),
    })
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .execute();
}

/** A quota that is waited out is no failure of the import. Without a repo, all repos of the host wait. */
export async function writeQuotaExceeded(
  db: Database,
  {
    entityId,
    hostKey,
    repoId,
  }: { readonly entityId: number; readonly hostKey: string; readonly repoId: number | null },
  now: Date,
): Promise<void> {
  const ofHost = db.selectFrom('repos').select('id').where('entity_id', '=', entityId).where('host_key', '=', hostKey);
  await db
    .updateTable('imports')
    .set({ last_provider_quota_exceeded_at: now })
    .where('entity_id', '=', entityId)
    .where((is) => (repoId === null ? is('repo_id', 'in', ofHost) : is('repo_id', '=', repoId)))
    .execute();
}

/** What the host counts of the past year. */
export async function writeCommitCount(db: Database, { entityId, repoId }: RepoKey, count: number): Promise<void> {
  await db
    .updateTable('imports')
    .set({ provider_past_year_commit_count: count })
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .execute();
}
