// What releases brought into production, summed up for reports: by author, and by change. Only what differs from
// what is stored is written.
import { sql } from 'kysely';
import type { Database } from '../../storage/database/handle.ts';

/** Of these repos, or of all, and of the issues given, wherever their commits are. Returns how many rows changed. */
export async function summarizeShipped(
  db: Database,
  entityId: number,
  repoIds: readonly number[] | null,
  issueIds: readonly number[] = [],
): Promise<number> {
  // What is found is compared twice, and finding it takes longer than all the rest.
  const statements = [
    sql<Changed>`
      with found as materialized (${authorsOf(entityId, repoIds)}),
      removed as (
        delete from release_authors a
        where a.entity_id = ${entityId} and ${isOf('a', repoIds)}
          and not exists (
            select 1 from found f where f.release_id = a.release_id and f.committer_id = a.committer_id)
        returning 1),
      stored as (
        insert into release_authors
          (entity_id, release_id, committer_id, repo_id, released_at, commit_count, counted_commit_count)
        select * from found
        on conflict (entity_id, release_id, committer_id) do update set released_at = excluded.released_at,
          commit_count = excluded.commit_count, counted_commit_count = excluded.counted_commit_count
        where (release_authors.released_at, release_authors.commit_count, release_authors.counted_commit_count)
          is distinct from (excluded.released_at, excluded.commit_count, excluded.counted_commit_count)
        returning 1)
      ${CHANGED}`,
    sql<Changed>`
      with ${linksOf(entityId, repoIds, issueIds)},
      found as materialized (${changesOf(entityId, repoIds)}),
      removed as (
        delete from released_changes x
        where x.entity_id = ${entityId}
          and (${isOf('x', repoIds)} or (x.record_type = 'issues' and x.record_id in (select issue_id from touched)))
          and not exists (
            select 1 from found f where f.record_type = x.record_type and f.record_id = x.record_id)
        returning 1),
      stored as (
        insert into released_changes (entity_id, record_type, record_id, committer_id, repo_id, started_at, released_at)
        select * from found
        on conflict (entity_id, record_type, record_id) do update set committer_id = excluded.committer_id,
          repo_id = excluded.repo_id, started_at = excluded.started_at, released_at = excluded.released_at
        where (released_changes.committer_id, released_changes.repo_id, released_changes.started_at,
            released_changes.released_at)
          is distinct from (excluded.committer_id, excluded.repo_id, excluded.started_at, excluded.released_at)
        returning 1)
      ${CHANGED}`,
  ];
  let changed = 0;
  for (const statement of statements) changed += Number((await statement.execute(db)).rows[0]!.changed);
  return changed;
}

interface Changed {
  readonly changed: number;
}

const CHANGED = sql`select (select count(*) from removed) + (select count(*) from stored) as changed`;

const isOf = (table: string, repoIds: readonly number[] | null) =>
  repoIds === null ? sql`true` : sql`${sql.ref(`${table}.repo_id`)} = any(${repoIds}::bigint[])`;

/**
 * What the commits of the repos name. Sets of their own, each looked up by one key: asked for within the statement, the planner
 * takes them for nearly empty and goes through them anew for every row.
 */
const linksOf = (entityId: number, repoIds: readonly number[] | null, issueIds: readonly number[]) => sql`
  links as materialized (
    select n.issue_id, n.commit_id, i.is_epic
    from commits c
    join issue_commits n on n.entity_id = c.entity_id and n.commit_id = c.id
    join issues i on i.entity_id = n.entity_id and i.id = n.issue_id
    where c.entity_id = ${entityId} and ${isOf('c', repoIds)}),
  -- With all that a commit of the repos names: a release of one repo can be the last that an issue of another waits for.
  touched as materialized (
    select issue_id from links union select unnest(${issueIds}::bigint[])),
  -- An epic is many changes.
  naming_commits as materialized (select distinct commit_id from links where not is_epic),
  naming_pulls as materialized (
    select x.id
    from pull_requests x
    join pull_request_commits n on n.entity_id = x.entity_id and n.pull_request_id = x.id and n.removed_at is null
    join commits c on c.entity_id = n.entity_id and c.repo_id = n.repo_id and c.sha = n.sha
    join issue_commits m on m.entity_id = c.entity_id and m.commit_id = c.id
    join issues i on i.entity_id = m.entity_id and i.id = m.issue_id and not i.is_epic
    where x.entity_id = ${entityId} and ${isOf('x', repoIds)}
    union
    select x.id
    from pull_requests x
    join pull_request_landings l on l.entity_id = x.entity_id and l.pull_request_id = x.id
    join commits c on c.entity_id = l.entity_id and c.repo_id = l.repo_id and c.sha = l.sha
    join naming_commits m on m.commit_id = c.id
    where x.entity_id = ${entityId} and ${isOf('x', repoIds)}
    ${sql.join(
      LANDING_COLUMNS.map(
        (column) => sql`
    union
    select x.id
    from pull_requests x
    join commits c on c.entity_id = x.entity_id and c.repo_id = x.repo_id and c.sha = ${sql.ref(`x.${column}`)}
    join naming_commits m on m.commit_id = c.id
    where x.entity_id = ${entityId} and ${isOf('x', repoIds)}`,
      ),
      sql``,
    )})`;

const LANDING_COLUMNS = ['squash_sha', 'merge_sha'] as const;

const authorsOf = (entityId: number, repoIds: readonly number[] | null) => sql`
  select s.entity_id, s.id as release_id, c.author_id as committer_id, s.repo_id, s.released_at,
    count(*) as commit_count, count(*) filter (where c.rolled_up) as counted_commit_count
  from releases s
  join release_commits n on n.entity_id = s.entity_id and n.release_id = s.id
  join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
  where s.entity_id = ${entityId} and ${isOf('s', repoIds)} and not s.is_baseline
  group by 1, 2, 3, 4, 5`;

/** A change is the issue where there is one, else the pull request, else the commit. */
const changesOf = (entityId: number, repoIds: readonly number[] | null) => sql`
  select i.entity_id, 'issues' as record_type, i.id as record_id, i.assignee_id as committer_id, l.repo_id,
    coalesce(i.first_commit_authored_at, l.authored_at) as started_at, i.released_at
  from issues i
  cross join lateral (
    select c.repo_id, c.authored_at, bool_or(c.rolled_up) over () as counts
    from issue_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
    where n.entity_id = i.entity_id and n.issue_id = i.id order by c.authored_at, c.id limit 1) l
  where i.entity_id = ${entityId} and i.released_at is not null and l.counts and not i.is_epic
    and i.id in (select issue_id from touched)
  union all
  select x.entity_id, 'pull_requests', x.id, x.author_id, x.repo_id, x.first_commit_authored_at, x.released_at
  from pull_requests x
  join committers a on a.entity_id = x.entity_id and a.id = x.author_id
  join committers r on r.entity_id = a.entity_id and r.id = a.root_committer_id
    and r.processing_status = 'processing_stats'
  where x.entity_id = ${entityId} and ${isOf('x', repoIds)} and x.released_at is not null
    and x.first_commit_authored_at is not null and not x.is_author_bot
    and not exists (select from naming_pulls m where m.id = x.id)
  union all
  select c.entity_id, 'commits', c.id, c.author_id, c.repo_id, c.authored_at, s.released_at
  from releases s
  join release_commits n on n.entity_id = s.entity_id and n.release_id = s.id
  join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
  where s.entity_id = ${entityId} and ${isOf('s', repoIds)} and not s.is_baseline and c.rolled_up
    and not exists (select from naming_commits m where m.commit_id = c.id)
    and not exists (
      select 1 from pull_request_commits m
      where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.sha = c.sha and m.removed_at is null)
    and not exists (
      select 1 from pull_request_landings m
      where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.sha = c.sha)
    and not exists (
      select 1 from pull_requests m
      where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.squash_sha = c.sha)
    and not exists (
      select 1 from pull_requests m
      where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.merge_sha = c.sha)`;
