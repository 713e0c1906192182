// The nightly comparison of what is stored with what hosts say: what is read again, and how much of it differed.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import { rowsOf } from './rows.ts';

/** Of a repo or tracker, each night: what is open, the latest first; and of what is closed about one in a hundred. */
const MOST_OPEN = 100;
const MOST_CLOSED = 25;
const CLOSED_SHARE = 100;
/** How far fresh walks look back once more, so that what a host showed too late is found. */
const LOOK_BACK = '1 day';

export interface Night {
  /** Of trackers whose issues can be fetched by themselves. */
  readonly trackerKinds: readonly string[];
  /** Streams of hosts whose items change long after they were made, and for how many days. */
  readonly lateStreams: readonly { readonly provider: string; readonly stream: string; readonly days: number }[];
}

/** Makes the items of a night due, of all entities. Returns how many there are. */
export async function wantComparisons(db: Database, { trackerKinds, lateStreams }: Night, now: Date): Promise<number> {
  const at = now.toISOString();
  const wanted = (await wantPullRequests(db, at)) + (await wantIssues(db, trackerKinds, at));
  const late = rowsOf(lateStreams, { provider: 'text', stream: 'text', days: 'int' });
  // Of nights without a look in between, those of late streams do not add up.
  await sql`
    update sync_streams s set watermark = coalesce((
      select least(s.watermark, ${at}::timestamptz - t.days * interval '1 day') from ${late}
      where t.stream = s.stream and t.provider = split_part(s.host_key, ':', 1)), s.watermark - ${LOOK_BACK}::interval)
    where s.mode = 'fresh' and s.cursor is null and s.watermark is not null and s.repo_id is not null`.execute(db);
  return wanted;
}

async function wantPullRequests(db: Database, at: string): Promise<number> {
  await sql`
    insert into reconciliations (entity_id, repo_id, host_key, started_at)
    select r.entity_id, r.id, r.host_key, ${at}::timestamptz from repos r
    where r.host_key is not null and exists (
      select from sync_streams s where s.entity_id = r.entity_id and s.repo_id = r.id and s.mode = 'fresh'
        and s.watermark is not null)
    on conflict (entity_id, repo_id) do update set host_key = excluded.host_key, started_at = excluded.started_at,
      compared = 0, differed = 0`.execute(db);
  const { numAffectedRows } = await sql`
    insert into refetches (entity_id, host_key, scope_kind, scope_id, item_kind, item_key, wanted_at, not_before, is_comparison)
    select p.entity_id, p.host_key, 'repo', p.repo_id, 'pull_request', p.number::text, ${at}::timestamptz, ${at}::timestamptz, true
    from (
      select p.entity_id, p.repo_id, p.number, c.host_key, p.closed_at is null as is_open, row_number() over (
        partition by p.entity_id, p.repo_id, p.closed_at is null
        order by case when p.closed_at is null then p.host_updated_at end desc, p.id) as place
      from pull_requests p
      join reconciliations c on c.entity_id = p.entity_id and c.repo_id = p.repo_id and c.started_at = ${at}::timestamptz
      where p.closed_at is null
        or (p.id + (${at}::date - date '2000-01-01')) % ${CLOSED_SHARE}::int = 0) p
    where p.place <= case when p.is_open then ${MOST_OPEN}::int else ${MOST_CLOSED}::int end
    on conflict (entity_id, scope_kind, scope_id, item_kind, item_key) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Of connected trackers; `kinds` are those whose issues can be fetched by themselves. Epics are left out: some are projects, which
 * are something else to their tracker.
 */
async function wantIssues(db: Database, kinds: readonly string[], at: string): Promise<number> {
  await sql`
    insert into tracker_reconciliations (entity_id, tracker_id, host_key, started_at)
    select t.entity_id, t.id, t.host_key, ${at}::timestamptz from trackers t
    where t.kind = any(${kinds}::text[]) and t.token_sealed is not null and exists (
      select from sync_streams s where s.entity_id = t.entity_id and s.tracker_id = t.id and s.stream = 'issues'
        and s.mode = 'fresh' and s.watermark is not null)
    on conflict (entity_id, tracker_id) do update set host_key = excluded.host_key, started_at = excluded.started_at,
      compared = 0, differed = 0`.execute(db);
  const { numAffectedRows } = await sql`
    insert into refetches (entity_id, host_key, scope_kind, scope_id, item_kind, item_key, wanted_at, not_before, is_comparison)
    select i.entity_id, i.host_key, 'tracker', i.tracker_id, 'issue', i.external_id, ${at}::timestamptz, ${at}::timestamptz, true
    from (
      select i.entity_id, i.tracker_id, i.external_id, c.host_key, i.host_resolved_at is null as is_open, row_number() over (
        partition by i.entity_id, i.tracker_id, i.host_resolved_at is null
        order by case when i.host_resolved_at is null then i.host_updated_at end desc, i.id) as place
      from issues i
      join tracker_reconciliations c on c.entity_id = i.entity_id and c.tracker_id = i.tracker_id
        and c.started_at = ${at}::timestamptz
      where i.deleted_at is null and not i.is_epic and (i.host_resolved_at is null
        or (i.id + (${at}::date - date '2000-01-01')) % ${CLOSED_SHARE}::int = 0)) i
    where i.place <= case when i.is_open then ${MOST_OPEN}::int else ${MOST_CLOSED}::int end
    on conflict (entity_id, scope_kind, scope_id, item_kind, item_key) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

const COUNTED_IN = {
  repo: { table: 'reconciliations', id: 'repo_id' },
  tracker: { table: 'tracker_reconciliations', id: 'tracker_id' },
} as const;

export async function countComparison(
  db: Database,
  { entityId, kind, id }: { readonly entityId: number; readonly kind: 'repo' | 'tracker'; readonly id: number },
  hasDiffered: boolean,
): Promise<void> {
  const differed = hasDiffered ? 1 : 0;
  const place = COUNTED_IN[kind];
  await sql`
    update ${sql.table(place.table)} set compared = compared + 1, differed = differed + ${differed}::int,
      compared_total = compared_total + 1, differed_total = differed_total + ${differed}::int
    where entity_id = ${entityId} and ${sql.ref(place.id)} = ${id}`.execute(db);
}

export interface ReconcileSum {
  readonly host_key: string;
  readonly started_at: string;
  readonly compared: number;
  readonly differed: number;
  readonly compared_total: number;
  readonly differed_total: number;
}

/** By host or tracker; of one entity, or of all. */
export async function sumReconciliations(db: Database, entityId: number | null): Promise<ReconcileSum[]> {
  const { rows } = await sql<ReconcileSum>`
    select host_key, max(started_at) as started_at, sum(compared)::int as compared, sum(differed)::int as differed,
      sum(compared_total)::float8 as compared_total, sum(differed_total)::float8 as differed_total
    from (
      select entity_id, host_key, started_at, compared, differed, compared_total, differed_total from reconciliations
      union all
      select entity_id, host_key, started_at, compared, differed, compared_total, differed_total
      from tracker_reconciliations) c
    where ${entityId}::bigint is null or entity_id = ${entityId}::bigint
    group by host_key order by host_key`.execute(db);
  return rows;
}
