// What releases brought into production, summed up for reports: by author, and by change. Only what differs from
// what is stored is written.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../storage/database/handle.ts';

/** Of one repo, or of all, and of the issues given, wherever their commits are. Returns how many rows changed. */
export async function summarizeShipped(
  db: Database,
  entityId: number,
  repoId: number | null,
  issueIds: readonly number[] = [],
): Promise<number> {
  const authors = authorsOf(entityId, repoId);
  const issues = issuesOf(entityId, repoId, issueIds);
  const changes = changesOf(entityId, repoId, issues);
  const statements = [
    sql`
      delete from release_authors a
      where a.entity_id = ${entityId} and ${isOf('a', repoId)}
        and not exists (
          select 1 from (${authors}) f where f.release_id = a.release_id and f.committer_id = a.committer_id)`,
    sql`
      insert into release_authors
        (entity_id, release_id, committer_id, repo_id, released_at, commit_count, counted_commit_count)
      ${authors}
      on conflict (entity_id, release_id, committer_id) do update set released_at = excluded.released_at,
        commit_count = excluded.commit_count, counted_commit_count = excluded.counted_commit_count
      where (release_authors.released_at, release_authors.commit_count, release_authors.counted_commit_count)
        is distinct from (excluded.released_at, excluded.commit_count, excluded.counted_commit_count)`,
    sql`
      delete from released_changes x
      where x.entity_id = ${entityId}
        and (${isOf('x', repoId)} or (x.record_type = 'issues' and x.record_id in (${issues})))
        and not exists (
          select 1 from (${changes}) f where f.record_type = x.record_type and f.record_id = x.record_id)`,
    sql`
      insert into released_changes (entity_id, record_type, record_id, committer_id, repo_id, started_at, released_at)
      ${changes}
      on conflict (entity_id, record_type, record_id) do update set committer_id = excluded.committer_id,
        repo_id = excluded.repo_id, started_at = excluded.started_at, released_at = excluded.released_at
      where (released_changes.committer_id, released_changes.repo_id, released_changes.started_at,
          released_changes.released_at)
        is distinct from (excluded.committer_id, excluded.repo_id, excluded.started_at, excluded.released_at)`,
  ];
  let changed = 0;
  for (const statement of statements) changed += Number((await statement.execute(db)).numAffectedRows ?? 0n);
  return changed;
}

const isOf = (table: string, repoId: number | null) =>
  repoId === null ? sql`true` : sql`${sql.ref(`${table}.repo_id`)} = ${repoId}`;

/** With issues that a commit of the repo names: a release of one repo can be the last that an issue of another waits for. */
const issuesOf = (entityId: number, repoId: number | null, issueIds: readonly number[]) => sql`
  select n.issue_id from commits c join issue_commits n on n.entity_id = c.entity_id and n.commit_id = c.id
  where c.entity_id = ${entityId} and ${isOf('c', repoId)}
  union all select unnest(${issueIds}::bigint[])`;

const authorsOf = (entityId: number, repoId: number | null) => sql`
  select s.entity_id, s.id as release_id, c.author_id as committer_id, s.repo_id, s.released_at,
    count(*) as commit_count, count(*) filter (where c.rolled_up) as counted_commit_count
  from releases s
  join release_commits n on n.entity_id = s.entity_id and n.release_id = s.id
  join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
  where s.entity_id = ${entityId} and ${isOf('s', repoId)} and not s.is_baseline
  group by 1, 2, 3, 4, 5`;

/** Whether the commit `c` names an issue; an epic is many changes. */
const NAMES_ISSUE = sql`exists (
  select 1 from issue_commits m join issues i on i.entity_id = m.entity_id and i.id = m.issue_id and not i.is_epic
  where m.entity_id = c.entity_id and m.commit_id = c.id)`;

/** A change is the issue where there is one, else the pull request, else the commit. */
const changesOf = (entityId: number, repoId: number | null, issues: RawBuilder<unknown>) => sql`
  select i.entity_id, 'issues' as record_type, i.id as record_id, i.assignee_id as committer_id, l.repo_id,
    coalesce(i.first_commit_authored_at, l.authored_at) as started_at, i.released_at
  from issues i
  cross join lateral (
    select c.repo_id, c.authored_at, bool_or(c.rolled_up) over () as counts
    from issue_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
    where n.entity_id = i.entity_id and n.issue_id = i.id order by c.authored_at, c.id limit 1) l
  where i.entity_id = ${entityId} and i.released_at is not null and l.counts and not i.is_epic
    and i.id in (${issues})
  union all
  select x.entity_id, 'pull_requests', x.id, x.author_id, x.repo_id, x.first_commit_authored_at, x.released_at
  from pull_requests x
  join committers a on a.entity_id = x.entity_id and a.id = x.author_id
  join committers r on r.entity_id = a.entity_id and r.id = a.root_committer_id
    and r.processing_status = 'processing_stats'
  where x.entity_id = ${entityId} and ${isOf('x', repoId)} and x.released_at is not null
    and x.first_commit_authored_at is not null and not x.is_author_bot and not exists (
      select 1 from pull_request_commits n
      join commits c on c.entity_id = n.entity_id and c.repo_id = n.repo_id and c.sha = n.sha
      where n.entity_id = x.entity_id and n.pull_request_id = x.id and ${NAMES_ISSUE})
    and not exists (
      select 1 from commits c where c.entity_id = x.entity_id and c.repo_id = x.repo_id
        and c.sha in (x.squash_sha, x.merge_sha) and ${NAMES_ISSUE})
  union all
  select c.entity_id, 'commits', c.id, c.author_id, c.repo_id, c.authored_at, s.released_at
  from releases s
  join release_commits n on n.entity_id = s.entity_id and n.release_id = s.id
  join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
  where s.entity_id = ${entityId} and ${isOf('s', repoId)} and not s.is_baseline and c.rolled_up
    and not ${NAMES_ISSUE}
    and not exists (
      select 1 from pull_request_commits m
      where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.sha = c.sha)
    and not exists (
      select 1 from pull_requests m
      where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.squash_sha = c.sha)
    and not exists (
      select 1 from pull_requests m
      where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.merge_sha = c.sha)`;
