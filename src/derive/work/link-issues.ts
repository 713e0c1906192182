// Which commits worked on which issues. A commit belongs to the issues that its message or its branch names, that its pull
// request names or closes, and a squash to those of what it took in. Only what differs is written.
import { sql } from 'kysely';
import { analyzeGrown } from '../../storage/database/analyze-grown.ts';
import type { Database } from '../../storage/database/handle.ts';

/**
 * Every name that leads to an issue that is there: its key, keys that it had, and the bare number in the repo that the tracker
 * belongs to or, for work items of Azure, in every repo of that host.
 */
const names = (entityId: number) => sql`
  select i.id, lower(k.key) as key, null::bigint as repo_id
  from issues i, unnest(i.former_keys || i.key) as k(key)
  where i.entity_id = ${entityId} and i.deleted_at is null
  union all
  select i.id, '#' || split_part(i.key, '#', 2), t.repo_id
  from issues i join trackers t on t.entity_id = i.entity_id and t.id = i.tracker_id and t.repo_id is not null
  where i.entity_id = ${entityId} and i.deleted_at is null and i.key like '%#%'
  union all
  select i.id, '#' || split_part(i.key, '#', 2), r.id
  from issues i
  join trackers t on t.entity_id = i.entity_id and t.id = i.tracker_id and t.kind = 'azure_boards'
  join repos r on r.entity_id = i.entity_id and r.host_key like 'devops\\_suite%'
  where i.entity_id = ${entityId} and i.deleted_at is null and i.key like 'AB#%'`;

/** What commits or pull requests name. Of several issues with one key, the repo's own goes first. */
const mentionedBy = (entityId: number, source: 'commit' | 'pull_request') => sql`
  select distinct on (m.source_id, m.key) m.source_id, n.id as issue_id
  from issue_mentions m
  join names n on n.key = m.key and (n.repo_id is null or n.repo_id = m.repo_id)
  where m.entity_id = ${entityId} and m.source = ${source}
  order by m.source_id, m.key, n.repo_id nulls last, n.id`;

const wanted = (entityId: number) => sql`
  with names as materialized (${names(entityId)}),
  -- Two sets: of one with both, the planner expects next to nothing of either.
  of_commits as materialized (${mentionedBy(entityId, 'commit')}),
  of_pulls as materialized (${mentionedBy(entityId, 'pull_request')}),
  belonging as materialized (
    select n.pull_request_id, n.repo_id, n.sha from pull_request_commits n
    where n.entity_id = ${entityId} and n.removed_at is null
    union all
    select l.pull_request_id, l.repo_id, l.sha from pull_request_landings l where l.entity_id = ${entityId}
    union all
    select p.id, p.repo_id, p.merge_sha from pull_requests p where p.entity_id = ${entityId} and p.merge_sha is not null),
  named as materialized (
    select m.source_id as commit_id, m.issue_id from of_commits m
    union
    select c.id, m.issue_id from of_pulls m
    join belonging b on b.pull_request_id = m.source_id
    join commits c on c.entity_id = ${entityId} and c.repo_id = b.repo_id and c.sha = b.sha),
  wanted as materialized (
    select w.commit_id, w.issue_id, least(count(*) over (partition by w.commit_id), 1000)::smallint as issue_count
    from (
      select n.commit_id, n.issue_id from named n
      union
      select t.id, n.issue_id from named n
      join commits s on s.entity_id = ${entityId} and s.id = n.commit_id and s.not_counted = 'squash_source'
      join commits t on t.entity_id = ${entityId} and t.repo_id = s.repo_id and t.sha = s.derived_from) w)`;

/** How many rows changed, and the repos whose commits have other links now. */
export async function linkIssues(
  db: Database,
  entityId: number,
): Promise<{ readonly changed: number; readonly repoIds: readonly number[] }> {
  // One statement for both: finding what is wanted takes longer than all the rest.
  const { rows } = await sql<{ repo_id: number; changed: number }>`
    ${wanted(entityId)},
    removed as (
      delete from issue_commits x using issues i
      where x.entity_id = ${entityId} and i.entity_id = x.entity_id and i.id = x.issue_id and i.tracker_id is not null
        and not exists (select from wanted w where w.commit_id = x.commit_id and w.issue_id = x.issue_id)
      returning x.commit_id),
    stored as (
      insert into issue_commits (entity_id, commit_id, issue_id, issue_count)
      select ${entityId}::bigint, w.commit_id, w.issue_id, w.issue_count from wanted w
      on conflict (entity_id, commit_id, issue_id) do update set issue_count = excluded.issue_count
      where issue_commits.issue_count <> excluded.issue_count
      returning issue_commits.commit_id)
    select c.repo_id, count(*) as changed
    from (select commit_id from removed union all select commit_id from stored) x
    join commits c on c.entity_id = ${entityId} and c.id = x.commit_id
    group by c.repo_id`.execute(db);
  await analyzeGrown(db, entityId, ['issue_commits']);
  const dated = await sql`
    update issues set first_commit_authored_at = n.first_at, last_commit_authored_at = n.last_at
    from (
      select i.id, min(c.authored_at) as first_at, max(c.authored_at) as last_at
      from issues i
      left join issue_commits k on k.entity_id = i.entity_id and k.issue_id = i.id
      left join commits c on c.entity_id = k.entity_id and c.id = k.commit_id and c.presence <> 'removed'
      where i.entity_id = ${entityId} and i.tracker_id is not null group by i.id) n
    where issues.entity_id = ${entityId} and issues.id = n.id
      and (issues.first_commit_authored_at, issues.last_commit_authored_at) is distinct from (n.first_at, n.last_at)`.execute(
    db,
  );
  const linked = rows.reduce((sum, row) => sum + Number(row.changed), 0);
  return { changed: linked + Number(dated.numAffectedRows ?? 0n), repoIds: rows.map(({ repo_id }) => repo_id) };
}
