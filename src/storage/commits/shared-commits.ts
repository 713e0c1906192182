// A commit that several repos of an entity hold counts once: in the repo that was imported first. The row of every other
// repo names the repos that come before it (commits.counted_in), and its sums are kept apart under those, so that
// a report of any repos counts the commit exactly once. Whatever changes whether a repo holds a commit calls
// reconcileShared in the same transaction.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import { lockAuthors } from '../people/lock-authors.ts';
import { addToRollups, bumpDataVersion } from './rollups.ts';

interface RepoKey {
  readonly entityId: number;
  readonly repoId: number;
}

const LOCK_SPACE = 7_080_008;
const COMMITS_PER_STEP = 5000;

/**
 * Whether the row `h` stands for the work: it counts, or another commit of its repo counts for it. Not while it is
 * incomplete, outside the window, or on no branch any more. Whose statistics are processed does not matter.
 */
const HOLDS = sql`(h.presence = 'rewritten' or h.presence = 'existent' and (
  h.not_counted in ('rebase_copy', 'cherry_pick_copy', 'squash_source')
  or h.not_counted is null and (h.state = 'analysis_complete' or h.rolled_up)))`;

/** Lets one transaction of an entity at a time decide. Call it before anything else is locked. */
export async function lockShared(db: Database, entityId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${entityId % 2_147_483_647}::int)`.execute(db);
}

/** Says of commits that are about to be added to the daily tables where they count; other repos stay as they are. */
export async function placeNewCommits(db: Database, key: RepoKey, commitIds: readonly number[]): Promise<void> {
  const { entityId, repoId } = key;
  if (commitIds.length === 0 || !(await hasRepoBefore(db, key))) return;
  await sql`
    update commits set counted_in = w.repos
    from (
      select c.id, array_agg(h.repo_id order by h.repo_id) as repos
      from commits c
      join commits h on h.entity_id = c.entity_id and h.sha = c.sha and h.repo_id < ${repoId} and ${HOLDS}
      where c.entity_id = ${entityId} and c.id = any(${commitIds}) group by c.id) w
    where commits.entity_id = ${entityId} and commits.id = w.id
      and commits.counted_in is distinct from w.repos`.execute(db);
}

async function hasRepoBefore(db: Database, { entityId, repoId }: RepoKey): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from repos where entity_id = ${entityId} and id < ${repoId})`.execute(db);
  return rows[0]!.exists;
}

export type SharedScope =
  | { readonly commitIds: readonly number[] }
  | { readonly repoId: number }
  | { readonly shas: readonly Buffer[] };

function shasOf(entityId: number, scope: SharedScope): RawBuilder<unknown> {
  if ('shas' in scope) return sql`select distinct s as sha from unnest(${scope.shas}::bytea[]) as t(s)`;
  const isMeant = 'repoId' in scope ? sql`c.repo_id = ${scope.repoId}` : sql`c.id = any(${scope.commitIds})`;
  return sql`
    select distinct c.sha from commits c
    where c.entity_id = ${entityId} and ${isMeant} and (c.counted_in is not null or exists (
      select from commits x where x.entity_id = c.entity_id and x.sha = c.sha and x.repo_id <> c.repo_id))`;
}

/**
 * Decides anew where the commits count, in all repos that hold them, and moves their sums. Returns how many rows changed.
 * A row that another import is writing is left to that import, which decides at its end.
 */
export async function reconcileShared(db: Database, entityId: number, scope: SharedScope): Promise<number> {
  if (!(await canShare(db, entityId))) return 0;
  const { rows } = await sql<{ id: number; author_id: number; rolled_up: boolean; repos: number[] | null }>`
    with due as materialized (${shasOf(entityId, scope)})
    select c.id, c.author_id, c.rolled_up, w.repos
    from due d
    join commits c on c.entity_id = ${entityId} and c.sha = d.sha
    cross join lateral (
      select array_agg(h.repo_id order by h.repo_id) as repos from commits h
      where h.entity_id = c.entity_id and h.sha = c.sha and h.repo_id < c.repo_id and ${HOLDS}) w
    where c.counted_in is distinct from w.repos
    order by c.id for update of c skip locked`.execute(db);
  await lockAuthors(db, entityId, [...new Set(rows.map(({ author_id }) => author_id))]);
  for (let start = 0; start < rows.length; start += COMMITS_PER_STEP) {
    const step = rows.slice(start, start + COMMITS_PER_STEP);
    const counted = step.filter((row) => row.rolled_up).map((row) => row.id);
    await addToRollups(db, entityId, counted, -1);
    await sql`
      update commits set counted_in = t.repos::bigint[]
      from unnest(${step.map((row) => row.id)}::bigint[],
                  ${step.map(({ repos }) => (repos === null ? null : `{${repos.join(',')}}`))}::text[]) as t(id, repos)
      where commits.entity_id = ${entityId} and commits.id = t.id`.execute(db);
    await addToRollups(db, entityId, counted, 1);
  }
  if (rows.length > 0) await bumpDataVersion(db, entityId);
  return rows.length;
}

/** Whether there is more than one repo, or was. */
async function canShare(db: Database, entityId: number): Promise<boolean> {
  const { rows } = await sql<{ can: boolean }>`
    select (select count(*) from (select from repos where entity_id = ${entityId} limit 2) r) > 1
      or exists (select from commits where entity_id = ${entityId} and counted_in is not null) as can`.execute(db);
  return rows[0]!.can;
}
