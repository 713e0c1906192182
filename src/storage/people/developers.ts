// Developers: root committers with their last commits, their seats, and what a change of status touches.
// The identities of one person are folded into its root.
import { type RawBuilder, sql } from 'kysely';
import type { ProcessingStatus } from '../../domain/people/processing-status.ts';
import { bumpDataVersion, reconcileRollups } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';
import { holdsSeat } from './holds-seat.ts';

export interface DeveloperRow {
  readonly id: number;
  readonly committer_user_name: string;
  readonly full_name: string;
  readonly git_provider_id: string | null;
  readonly provider_email: string | null;
  readonly processing_status: ProcessingStatus;
  readonly is_ai_agent: boolean;
  readonly user_id: number | null;
  readonly last_commit_authored_at: string | null;
  readonly last_commit_committed_at: string | null;
}

export const DEVELOPER_SORTS = ['id', 'last_authored_at', 'processing_status'] as const;
export type DeveloperSort = (typeof DEVELOPER_SORTS)[number];

export interface DeveloperQuery {
  /** Null for the whole entity; otherwise only people with a commit in one of these. */
  readonly repoIds: readonly number[] | null;
  /** Root committers; null for no such filter. */
  readonly committerIds: readonly number[] | null;
  readonly gitProviderIds: readonly string[] | null;
  readonly processingStatus: ProcessingStatus | null;
  readonly authoredSince: Date | null;
  readonly sortBy: DeveloperSort;
  readonly limit: number;
  readonly offset: number;
}

const ORDERS: Readonly<Record<DeveloperSort, RawBuilder<unknown>>> = {
  id: sql`r.id`,
  last_authored_at: sql`a.authored_at desc nulls last, r.id`,
  processing_status: sql`r.processing_status, r.id`,
};

/**
 * The last commit of the person `r`, `a`. Over a whole entity it is looked up in an index for each: joined as a set, a planner that
 * knows nothing of a new entity would work the set out again for every person.
 */
function lastCommits(entityId: number, repoIds: readonly number[] | null): RawBuilder<unknown> {
  if (repoIds === null) {
    return sql`lateral (
      select max(l.authored_at) as authored_at, max(l.committed_at) as committed_at
      from committers p
      cross join lateral (
        (select c.authored_at, c.committed_at from commits c
         where c.entity_id = ${entityId} and c.author_id = p.id and c.presence = 'existent'
         order by c.authored_at desc limit 1)
        union all
        (select c.authored_at, c.committed_at from commits c
         where p.is_ai_agent and c.entity_id = ${entityId} and c.agent_id = p.id and c.presence = 'existent'
         order by c.authored_at desc limit 1)) l
      where p.entity_id = ${entityId} and p.root_committer_id = r.id) a on true`;
  }
  return sql`last_commits a on a.id = r.id`;
}

const lastOf = (
  column: 'author_id' | 'agent_id',
  entityId: number,
  repoIds: readonly number[],
): RawBuilder<unknown> => sql`
  select c.${sql.raw(column)} as committer_id, max(c.authored_at) as authored_at, max(c.committed_at) as committed_at
  from commits c
  where c.entity_id = ${entityId} and c.repo_id = any(${repoIds}) and c.presence = 'existent'
    and c.${sql.raw(column)} is not null
  group by 1`;

/** Of the repos; by root committer. */
const commitsOfRepos = (entityId: number, repoIds: readonly number[]): RawBuilder<unknown> => sql`
  with last_commits as materialized (
    select p.root_committer_id as id, max(n.authored_at) as authored_at, max(n.committed_at) as committed_at
    from (
      ${lastOf('author_id', entityId, repoIds)} union all ${lastOf('agent_id', entityId, repoIds)}) n
    join committers p on p.entity_id = ${entityId} and p.id = n.committer_id
    group by p.root_committer_id)`;

function conditions(entityId: number, query: DeveloperQuery): RawBuilder<unknown> {
  const all = [sql`r.entity_id = ${entityId}`, sql`r.id = r.root_committer_id`];
  if (query.repoIds !== null) all.push(sql`a.authored_at is not null`);
  if (query.committerIds !== null) all.push(sql`r.id = any(${query.committerIds})`);
  if (query.gitProviderIds !== null) {
    all.push(sql`exists (
      select from committers i where i.entity_id = ${entityId} and i.root_committer_id = r.id
        and lower(i.git_provider_id) = any(${query.gitProviderIds.map((id) => id.toLowerCase())}))`);
  }
  if (query.processingStatus !== null) all.push(sql`r.processing_status = ${query.processingStatus}`);
  if (query.authoredSince !== null) all.push(sql`a.authored_at >= ${query.authoredSince}`);
  return sql.join(all, sql` and `);
}

export async function listDevelopers(
  db: Database,
  entityId: number,
  query: DeveloperQuery,
): Promise<{ rows: DeveloperRow[]; total: number }> {
  const of = query.repoIds === null ? sql`` : commitsOfRepos(entityId, query.repoIds);
  const from = sql`
    from committers r left join ${lastCommits(entityId, query.repoIds)}
    where ${conditions(entityId, query)}`;
  const [page, count] = await Promise.all([
    sql<DeveloperRow>`
      ${of}
      select r.id, r.committer_user_name, r.full_name, r.git_provider_id, r.processing_status, r.is_ai_agent,
             coalesce(r.provider_email, nullif(r.email, '')) as provider_email,
             coalesce(r.user_id, (
               select u.id from users u join memberships m on m.user_id = u.id
               where m.entity_id = ${entityId} and u.email = lower(r.email))) as user_id,
             a.authored_at as last_commit_authored_at, a.committed_at as last_commit_committed_at
      ${from} order by ${ORDERS[query.sortBy]} limit ${query.limit} offset ${query.offset}`.execute(db),
    sql<{ total: number }>`${of} select count(*) as total ${from}`.execute(db),
  ]);
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 };
}

export async function countSeats(db: Database, entityId: number): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select count(*) as used from committers r
    where r.entity_id = ${entityId} and r.id = r.root_committer_id and ${holdsSeat('r')}`.execute(db);
  return rows[0]?.used ?? 0;
}

const SEAT_LOCK_SPACE = 7_080_006;

/** Whoever changes how many seats are used waits for the others, so that two calls cannot both take the last one. */
export async function lockSeats(db: Database, entityId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SEAT_LOCK_SPACE}, ${entityId % 2_147_483_648}::int)`.execute(db);
}

/** Sets people with all their identities, and brings the daily tables in line in the same transaction. */
export async function setProcessingStatuses(
  db: Database,
  entityId: number,
  rootIds: readonly number[],
  status: ProcessingStatus,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update committers set processing_status = ${status}::processing_status, is_status_chosen = true
    where entity_id = ${entityId} and root_committer_id = any(${rootIds})
    returning id`.execute(db);
  const changed = await reconcileRollups(db, entityId, { authorIds: rows.map(({ id }) => id) });
  // Reports also say whom they cover, so they change even where nobody had a commit.
  if (changed === 0) await bumpDataVersion(db, entityId);
}

/** Repos with a commit of theirs, by whatever identity. */
export async function listReposOfPeople(db: Database, entityId: number, rootIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ repo_id: number }>`
    select distinct c.repo_id
    from committers p join commits c on c.entity_id = p.entity_id and c.author_id = p.id
    where p.entity_id = ${entityId} and p.root_committer_id = any(${rootIds})
    order by c.repo_id`.execute(db);
  return rows.map(({ repo_id }) => repo_id);
}
