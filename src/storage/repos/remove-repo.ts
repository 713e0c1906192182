// Takes a repo and whatever is known only by it out of an entity, in one transaction: reports never see half of it.
import { type RawBuilder, sql } from 'kysely';
import { creditUsages } from '../ai/usage-credits.ts';
import { bumpDataVersion, removeSums } from '../commits/rollups.ts';
import { lockShared, reconcileShared } from '../commits/shared-commits.ts';
import type { Database } from '../database/handle.ts';
import { lockAuthors } from '../people/lock-authors.ts';
import { removeUnknownPeople } from '../people/remove-unknown-people.ts';
import type { ImportRow } from './imports.ts';
import { isRepoName } from './repo-key.ts';

export interface RemovedCounts {
  readonly commits: number;
  readonly committers: number;
}

/** In the caller's transaction. A worker that imports the repo finds its right to write gone. */
export async function removeRepo(db: Database, row: ImportRow): Promise<RemovedCounts> {
  const { entity_id: entityId, repo_id: repoId } = row;
  await sql`set local statement_timeout = 0`.execute(db);
  await lockShared(db, entityId);
  await sql`delete from imports where entity_id = ${entityId} and id = ${row.id}`.execute(db);
  // Teams that were given the repo keep its name: without it they would count all repos of their people.
  await sql`delete from repo_sources where entity_id = ${entityId}
    and ${isRepoName('organization_slug', row.organization_slug)} and ${isRepoName('repo_slug', row.repo_slug)}`.execute(
    db,
  );
  if (repoId === null) return { commits: 0, committers: 0 };
  const shared = await sql<{ sha: Buffer }>`
    select distinct sha from commits where entity_id = ${entityId} and ${repoId} = any(counted_in)`.execute(db);
  const authors = await sql<{ id: number | null }>`
    select distinct author_id as id from commits where entity_id = ${entityId} and repo_id = ${repoId}
    union
    select i.committer_id from commits c
    cross join lateral unnest(array[c.committer_signature_id, c.raw_author_signature_id, c.author_signature_id,
      c.raw_committer_signature_id] || c.co_author_signature_ids) as n(id)
    join signatures s on s.entity_id = c.entity_id and s.id = n.id
    join committer_identities i on i.entity_id = s.entity_id and i.address_key = s.address_key
    where c.entity_id = ${entityId} and c.repo_id = ${repoId}
    union
    select p.author_id from pull_requests p where p.entity_id = ${entityId} and p.repo_id = ${repoId}
    union
    select v.reviewer_id from pull_request_reviews v
    join pull_requests p on p.entity_id = v.entity_id and p.id = v.pull_request_id
    where p.entity_id = ${entityId} and p.repo_id = ${repoId}
    union
    select m.author_id from pull_request_comments m
    join pull_requests p on p.entity_id = m.entity_id and p.id = m.pull_request_id
    where p.entity_id = ${entityId} and p.repo_id = ${repoId}
    union
    select unnest(array[i.assignee_id, i.host_created_by_id]) from issues i
    join trackers t on t.entity_id = i.entity_id and t.id = i.tracker_id
    where t.entity_id = ${entityId} and t.repo_id = ${repoId}`.execute(db);
  // Whoever changes people or commits in between would correct sums that are gone.
  await lockAuthors(
    db,
    entityId,
    authors.rows.flatMap(({ id }) => id ?? []),
  );
  await sql`select from commits where entity_id = ${entityId} and repo_id = ${repoId} order by id for update`.execute(
    db,
  );
  await removeSums(db, entityId, repoId);
  await removeDelivery(db, entityId, repoId);
  const commits = await removeCommits(db, entityId, repoId);
  for (const table of COLLECTED) {
    await sql`delete from ${sql.raw(table)} where entity_id = ${entityId} and repo_id = ${repoId}`.execute(db);
  }
  for (const table of ['skipped_commits', 'branches', 'tags']) {
    await sql`delete from ${sql.raw(table)} where entity_id = ${entityId} and repo_id = ${repoId}`.execute(db);
  }
  await removePlace(db, entityId, repoId);
  if (shared.rows.length > 0) await reconcileShared(db, entityId, { shas: shared.rows.map(({ sha }) => sha) });
  await creditUsages(db, entityId, 'entity');
  const committers = await removeUnknownPeople(
    db,
    entityId,
    authors.rows.flatMap(({ id }) => id ?? []),
  );
  await bumpDataVersion(db, entityId);
  return { commits, committers };
}

/** What hosts told of the repo; issues and sprints go with its tracker. */
const COLLECTED = [
  'issue_mentions',
  'pull_requests',
  'early_comments',
  'host_deployments',
  'workflow_runs',
  'sync_streams',
  'trackers',
] as const;

async function removeCommits(db: Database, entityId: number, repoId: number): Promise<number> {
  const own: RawBuilder<unknown> = sql`select id from commits where entity_id = ${entityId} and repo_id = ${repoId}`;
  const facts: readonly (readonly [table: string, column: string])[] = [
    ['commit_files', 'commit_id'],
    ['line_flows', 'commit_id'],
    ['commit_ai', 'commit_id'],
    ['commit_traits', 'commit_id'],
    ['issue_commits', 'commit_id'],
    ['defect_commits', 'commit_id'],
    ['defect_origins', 'fix_commit_id'],
    ['defect_origins', 'origin_commit_id'],
  ];
  for (const [table, column] of facts) {
    await sql`delete from ${sql.raw(table)} where entity_id = ${entityId} and ${sql.raw(column)} in (${own})`.execute(
      db,
    );
  }
  const { numAffectedRows = 0n } =
    await sql`delete from commits where entity_id = ${entityId} and repo_id = ${repoId}`.execute(db);
  return Number(numAffectedRows);
}

/** Releases, and the defects that are named for this repo alone: not for the entity, an organization or another repo. */
async function removeDelivery(db: Database, entityId: number, repoId: number): Promise<void> {
  await sql`
    delete from critical_defects d where d.entity_id = ${entityId}
      and exists (select from defect_scopes s
        where s.entity_id = d.entity_id and s.defect_id = d.id and s.repo_id = ${repoId})
      and not exists (select from defect_scopes s
        where s.entity_id = d.entity_id and s.defect_id = d.id and s.repo_id is distinct from ${repoId})`.execute(db);
  await sql`
    update critical_defects set origin_release_id = null where entity_id = ${entityId}
      and origin_release_id in (select id from releases where entity_id = ${entityId} and repo_id = ${repoId})`.execute(
    db,
  );
  await sql`update critical_defects set repo_id = null where entity_id = ${entityId} and repo_id = ${repoId}`.execute(
    db,
  );
  for (const table of ['defect_scopes', 'defect_fixes', 'released_changes', 'deployments', 'releases']) {
    await sql`delete from ${sql.raw(table)} where entity_id = ${entityId} and repo_id = ${repoId}`.execute(db);
  }
}

/** The repo itself, and its organization when that was its last. */
async function removePlace(db: Database, entityId: number, repoId: number): Promise<void> {
  const { rows } = await sql<{ organization_id: number }>`
    delete from repos where entity_id = ${entityId} and id = ${repoId} returning organization_id`.execute(db);
  await sql`
    delete from organizations o where o.entity_id = ${entityId} and o.id = any(${rows.map((row) => row.organization_id)})
      and not exists (select from repos r where r.entity_id = o.entity_id and r.organization_id = o.id)
      and not exists (select from defect_scopes s where s.entity_id = o.entity_id and s.organization_id = o.id)`.execute(
    db,
  );
}
