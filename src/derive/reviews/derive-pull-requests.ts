// What follows from a pull request's commits, reviews and comments together, kept on it so that a chart reads one row.
import { sql } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { entityClock } from '../../domain/calendar/entity-calendar.ts';
import type { Database } from '../../storage/database/handle.ts';

interface Changed {
  readonly id: number;
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly merged_at: string | null;
  readonly released_at: string | null;
  readonly first_commit_authored_at: string | null;
  readonly first_human_review_at: string | null;
}

/** Returns how many changed. */
export async function derivePullRequests(
  db: Database,
  { entityId, repoId }: { readonly entityId: number; readonly repoId: number },
  settings: EntitySettings,
): Promise<number> {
  const { rows } = await sql<Changed>`
    update pull_requests set first_commit_authored_at = n.first_commit_at, first_commented_at = n.first_comment_at,
      first_human_review_at = n.first_human_review_at, first_review_at = n.first_review_at,
      last_activity_at = n.last_activity_at
    from (
      select x.id, c.first_commit_at, m.first_comment_at,
        least(v.first_human_at, m.first_human_at) as first_human_review_at, least(v.first_at, m.first_at) as first_review_at,
        greatest(x.host_updated_at, x.created_at, x.closed_at, x.merged_at, v.last_at, m.last_at) as last_activity_at
      from pull_requests x
      left join (
        select n.pull_request_id, min(n.authored_at) as first_commit_at
        from pull_request_commits n join pull_requests p on p.entity_id = n.entity_id and p.id = n.pull_request_id
        where n.entity_id = ${entityId} and p.repo_id = ${repoId} and n.removed_at is null
        group by 1) c on c.pull_request_id = x.id
      left join (
        select v.pull_request_id, min(v.submitted_at) filter (where not v.is_by_author) as first_at,
          min(v.submitted_at) filter (where not v.is_by_author and not v.is_bot) as first_human_at,
          max(v.submitted_at) as last_at
        from pull_request_reviews v join pull_requests p on p.entity_id = v.entity_id and p.id = v.pull_request_id
        where v.entity_id = ${entityId} and p.repo_id = ${repoId} and v.deleted_at is null
        group by 1) v on v.pull_request_id = x.id
      left join (
        select m.pull_request_id, min(m.commented_at) filter (where not m.is_by_author) as first_comment_at,
          min(m.commented_at) filter (where not m.is_by_author and m.is_review_comment) as first_at,
          min(m.commented_at) filter (where not m.is_by_author and m.is_review_comment and not m.is_bot) as first_human_at,
          max(m.commented_at) as last_at
        from pull_request_comments m join pull_requests p on p.entity_id = m.entity_id and p.id = m.pull_request_id
        where m.entity_id = ${entityId} and p.repo_id = ${repoId} and m.deleted_at is null
        group by 1) m on m.pull_request_id = x.id
      where x.entity_id = ${entityId} and x.repo_id = ${repoId}) n
    where pull_requests.entity_id = ${entityId} and pull_requests.id = n.id
      and ((pull_requests.first_commit_authored_at, pull_requests.first_commented_at, pull_requests.first_human_review_at,
        pull_requests.first_review_at, pull_requests.last_activity_at)
        is distinct from (n.first_commit_at, n.first_comment_at, n.first_human_review_at, n.first_review_at,
          n.last_activity_at)
        or (pull_requests.closed_at is not null and pull_requests.business_minutes_open_to_closed is null))
    returning pull_requests.id, pull_requests.opened_at, pull_requests.closed_at, pull_requests.merged_at,
      pull_requests.released_at, pull_requests.first_commit_authored_at, pull_requests.first_human_review_at`.execute(
    db,
  );
  if (rows.length === 0) return 0;
  const clock = entityClock(settings);
  const between = (from: string | null, to: string | null): number | null =>
    from === null || to === null
      ? null
      : clock.minutesBetween(Date.parse(from), Math.max(Date.parse(from), Date.parse(to)));
  await sql`
    update pull_requests set business_minutes_awaited_first_review = t.review, business_minutes_cycle_time = t.cycle,
      business_minutes_lead_time = t.lead, business_minutes_open_to_closed = t.open
    from unnest(${rows.map(({ id }) => id)}::bigint[],
      ${rows.map((row) => between(row.opened_at, row.first_human_review_at))}::int[],
      ${rows.map((row) => between(row.first_commit_authored_at, row.merged_at))}::int[],
      ${rows.map((row) => between(row.first_commit_authored_at, row.released_at))}::int[],
      ${rows.map((row) => between(row.opened_at, row.closed_at))}::int[]) as t(id, review, cycle, lead, open)
    where pull_requests.entity_id = ${entityId} and pull_requests.id = t.id`.execute(db);
  return rows.length;
}
