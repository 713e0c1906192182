// What follows from a pull request's commits, reviews and comments together, kept on it so that a chart reads one row.
import { sql } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import type { BusinessClock } from '../../domain/calendar/business-time.ts';
import { entityClock } from '../../domain/calendar/entity-calendar.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { ReviewPlace } from '../../storage/reviews/place.ts';

/** By the entity's business time. */
const MINUTES = [
  { column: 'business_minutes_awaited_first_review', from: 'opened_at', to: 'first_human_review_at' },
  { column: 'business_minutes_cycle_time', from: 'first_commit_authored_at', to: 'merged_at' },
  { column: 'business_minutes_lead_time', from: 'first_commit_authored_at', to: 'released_at' },
  { column: 'business_minutes_open_to_closed', from: 'opened_at', to: 'closed_at' },
] as const;

const TIMES = [...new Set(MINUTES.flatMap(({ from, to }) => [from, to]))];

type Span = (typeof MINUTES)[number];
type TimedPull = { readonly id: number } & Readonly<Record<Span['from' | 'to'], string | null>> &
  Readonly<Record<Span['column'], number | null>>;

/** Returns how many changed. */
export async function derivePullRequests(db: Database, place: ReviewPlace, settings: EntitySettings): Promise<number> {
  return (await deriveTimes(db, place)) + (await deriveMinutes(db, place, settings));
}

async function deriveTimes(db: Database, { entityId, repoId }: ReviewPlace): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
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
      and (pull_requests.first_commit_authored_at, pull_requests.first_commented_at, pull_requests.first_human_review_at,
        pull_requests.first_review_at, pull_requests.last_activity_at)
        is distinct from (n.first_commit_at, n.first_comment_at, n.first_human_review_at, n.first_review_at,
          n.last_activity_at)`.execute(db);
  return Number(numAffectedRows);
}

/** Of all: times of the pull request may have changed, and settings that say what is business time. */
async function deriveMinutes(
  db: Database,
  { entityId, repoId }: ReviewPlace,
  settings: EntitySettings,
): Promise<number> {
  const rows: readonly TimedPull[] = await db
    .selectFrom('pull_requests')
    .select(['id', ...TIMES, ...MINUTES.map(({ column }) => column)])
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .execute();
  const clock = entityClock(settings);
  const changed = rows.flatMap((row) => {
    const minutes = MINUTES.map(({ from, to }) => minutesBetween(clock, row[from], row[to]));
    return MINUTES.every(({ column }, i) => row[column] === minutes[i]) ? [] : [{ id: row.id, minutes }];
  });
  if (changed.length === 0) return 0;
  const columns = MINUTES.map(({ column }) => sql.id(column));
  const lists = MINUTES.map((_, i) => sql`${changed.map(({ minutes }) => minutes[i]!)}::int[]`);
  await sql`
    update pull_requests set (${sql.join(columns)}) = row (${sql.join(columns.map((column) => sql`t.${column}`))})
    from unnest(${changed.map(({ id }) => id)}::bigint[], ${sql.join(lists)}) as t(id, ${sql.join(columns)})
    where pull_requests.entity_id = ${entityId} and pull_requests.id = t.id`.execute(db);
  return changed.length;
}

function minutesBetween(clock: BusinessClock, from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : clock.minutesBetween(Date.parse(from), Date.parse(to));
}
