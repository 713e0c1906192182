// What the picture of AI in a scope is made of besides reports: lines by evidence, seats, and each person's weeks before and
// after the first sign of AI.
import { type RawBuilder, sql } from 'kysely';
import { OPERATIONS } from '../../domain/commits/line-model.ts';
import { sumFilledLines } from '../commits/line-columns.ts';
import type { Database } from '../database/handle.ts';
import { isVisible } from '../people/contributors.ts';

export interface ImpactScope {
  readonly entityId: number;
  /** Null: all. */
  readonly repoIds: readonly number[] | null;
  readonly from: string;
  readonly to: string;
  readonly categories: readonly number[];
  /** Root committers that the caller may see; null: all. */
  readonly visible: readonly number[] | null;
}

/** Without repos in the scope, a shared commit counts once; within some, in each of them. */
const ofRepos = ({ repoIds }: ImpactScope): RawBuilder<unknown> =>
  repoIds === null
    ? sql`x.counted_in = '{}'`
    : sql`x.repo_id = any(${[...repoIds]}::bigint[]) and not (x.counted_in && ${[...repoIds]}::bigint[])`;

const CHANGED = sumFilledLines('x', OPERATIONS);

export interface EvidenceLines {
  /** Null for what has no evidence. */
  readonly source: string | null;
  readonly lines: number;
}

/** Changed lines of commits by their strongest evidence; records that name people alone are not of AI, yet known. */
export async function readEvidenceLines(
  db: Database,
  scope: ImpactScope,
): Promise<{ readonly by_source: EvidenceLines[]; readonly lines_changed: number; readonly lines_known: number }> {
  const within = sql`x.entity_id = ${scope.entityId} and x.authored_on between ${scope.from}::date and ${scope.to}::date
    and x.category = any(${[...scope.categories]}::smallint[]) and ${ofRepos(scope)}
    and ${isVisible(scope, sql`x.committer_id`)}`;
  const { rows } = await sql<EvidenceLines>`
    select x.source::text as source, sum(x.all_lines_changed)::float8 as lines from daily_ai x where ${within}
    group by 1 order by 1`.execute(db);
  const { rows: sums } = await sql<{ lines_changed: number; lines_known: number }>`
    select coalesce(sum(${sql.raw(CHANGED)}), 0)::float8 as lines_changed,
      coalesce(sum(x.known_lines_changed), 0)::float8 as lines_known
    from daily_facts x where ${within}`.execute(db);
  return { by_source: rows, ...sums[0]! };
}

export interface SeatRow {
  readonly ai_provider_em: string;
  readonly from_on: string;
  /** First day without; null while it is held. */
  readonly until_on: string | null;
  /** Last day on which the tool is known to have been used, by the provider's list or by reported use. */
  readonly last_used_on: string | null;
  readonly is_known: boolean;
}

/**
 * Seats of the range: all that providers list, known or not, and for providers without a list those that were stored. Who
 * may not see everybody gets no seat of somebody unknown either: it may be that of a hidden person.
 */
export async function listSeatsOfRange(
  db: Database,
  scope: Pick<ImpactScope, 'entityId' | 'from' | 'to' | 'visible'>,
): Promise<SeatRow[]> {
  const { entityId, from, to } = scope;
  const held = sql`s.from_on <= ${to}::date and (s.until_on is null or s.until_on > ${from}::date)`;
  const lastUse = (person: RawBuilder<unknown>) => sql`(
      select max(u.used_on) from ai_usages u join committers q on q.entity_id = u.entity_id and q.id = u.committer_id
      where u.entity_id = s.entity_id and u.is_activity_chosen and u.ai_provider_em = s.ai_provider_em
        and u.used_on <= ${to}::date and q.root_committer_id = (
          select p.root_committer_id from committers p where p.entity_id = s.entity_id and p.id = ${person}))`;
  const { rows } = await sql<SeatRow>`
    select s.ai_provider_em, s.from_on, s.until_on, greatest(s.last_activity_on, ${lastUse(sql`i.committer_id`)}) as last_used_on,
      i.committer_id is not null as is_known
    from (
      select l.entity_id, l.identity_id, l.ai_provider_em, l.from_on, max(l.last_activity_on) as last_activity_on,
        case when bool_or(l.until_on is null) then null else max(l.until_on) end as until_on
      from ai_seat_listings l where l.entity_id = ${entityId} group by 1, 2, 3, 4) s
    join ai_identities i on i.entity_id = s.entity_id and i.id = s.identity_id
    where ${held} and i.status_em <> 'ignored' and ${isVisible(scope, sql`i.committer_id`)}
    union all
    select s.ai_provider_em, s.from_on, s.until_on, ${lastUse(sql`s.committer_id`)}, true
    from ai_seats s
    where s.entity_id = ${entityId} and ${held} and ${isVisible(scope, sql`s.committer_id`)} and not exists (
      select 1 from ai_seat_listings l where l.entity_id = s.entity_id and l.ai_provider_em = s.ai_provider_em)
    order by 1, 2, 3`.execute(db);
  return rows;
}

export interface SideSums {
  readonly commit_count: number;
  readonly active_weeks: number;
  readonly delta: number;
  readonly lines_changed: number;
  readonly lines_churned: number;
  readonly lines_copied: number;
  readonly lines_moved: number;
  readonly duplicate_lines: number;
  readonly lines_of_old_code: number;
}

export interface AdoptionRow {
  readonly root_id: number;
  readonly user_name: string;
  /** Monday of the first week with use of AI or evidence of it. */
  readonly first_week: string;
  readonly before: SideSums;
  readonly after: SideSums;
}

/**
 * People whose first sign of AI lies in the range, with the sums of so many weeks on each side of its week, which is the
 * first one after. Of people with commits on both sides, and weeks that have all come.
 */
export async function readAdoption(
  db: Database,
  scope: ImpactScope,
  { weeks, today }: { readonly weeks: number; readonly today: string },
): Promise<{ readonly adopters: number; readonly people: AdoptionRow[] }> {
  const days = weeks * 7;
  const { rows } = await sql<AdoptionRow & { is_compared: boolean }>`
    with signs as (
      select o.root_committer_id as root_id, min(u.used_on) as first_on
      from ai_usages u join committers o on o.entity_id = u.entity_id and o.id = u.committer_id
      where u.entity_id = ${scope.entityId} and u.is_activity_chosen group by 1
      union all
      select o.root_committer_id, min(a.authored_on)
      from daily_ai a join committers o on o.entity_id = a.entity_id and o.id = a.committer_id
      where a.entity_id = ${scope.entityId} group by 1
    ), firsts as (
      select r.id as root_id, r.committer_user_name as user_name, date_trunc('week', min(s.first_on)::timestamp)::date as first_week
      from signs s join committers r on r.entity_id = ${scope.entityId} and r.id = s.root_id
      where r.processing_status = 'processing_stats' and not r.is_ai_agent
        and (${scope.visible === null} or r.id = any(${[...(scope.visible ?? [])]}::bigint[]))
      group by 1, 2
      having min(s.first_on) between ${scope.from}::date and ${scope.to}::date
    ), work as (
      select f.root_id, x.authored_on >= f.first_week as is_after, x.authored_on, 0 as commit_count, ${sql.raw(CHANGED)} as lines_changed,
        x.lines_churned, x.lines_copy_pasted + x.lines_copied as lines_copied, x.lines_moved, x.duplicate_lines,
        x.age_lt_2y + x.age_gte_2y as lines_of_old_code, 0::bigint as delta
      from firsts f
      join committers o on o.entity_id = ${scope.entityId} and o.root_committer_id = f.root_id
      join daily_facts x on x.entity_id = ${scope.entityId} and x.committer_id = o.id
        and x.authored_on >= f.first_week - ${days}::int and x.authored_on < f.first_week + ${days}::int
      where x.category = any(${[...scope.categories]}::smallint[]) and ${ofRepos(scope)}
      union all
      select f.root_id, x.authored_on >= f.first_week, x.authored_on, x.commit_count, 0, 0, 0, 0, 0, 0,
        x.delta_added + x.delta_updated + x.delta_deleted + x.delta_find_replaced
      from firsts f
      join committers o on o.entity_id = ${scope.entityId} and o.root_committer_id = f.root_id
      join daily_commits x on x.entity_id = ${scope.entityId} and x.committer_id = o.id
        and x.authored_on >= f.first_week - ${days}::int and x.authored_on < f.first_week + ${days}::int
      where ${ofRepos(scope)}
    ), sides as (
      select w.root_id, w.is_after, sum(w.commit_count)::float8 as commit_count, sum(w.delta)::float8 / 1000 as delta,
        count(distinct date_trunc('week', w.authored_on::timestamp))::int as active_weeks,
        sum(w.lines_changed)::float8 as lines_changed, sum(w.lines_churned)::float8 as lines_churned,
        sum(w.lines_copied)::float8 as lines_copied, sum(w.lines_moved)::float8 as lines_moved,
        sum(w.duplicate_lines)::float8 as duplicate_lines, sum(w.lines_of_old_code)::float8 as lines_of_old_code
      from work w group by 1, 2)
    select f.root_id, f.user_name, f.first_week, row_to_json(b) as before, row_to_json(a) as after,
      coalesce(b.commit_count > 0 and a.commit_count > 0 and f.first_week + ${days}::int <= ${today}::date, false) as is_compared
    from firsts f
    left join sides b on b.root_id = f.root_id and not b.is_after
    left join sides a on a.root_id = f.root_id and a.is_after
    order by f.first_week, f.user_name`.execute(db);
  return { adopters: rows.length, people: rows.filter(({ is_compared }) => is_compared) };
}

/** Of the whole entity, by UTC days. */
export async function countMergedPulls(
  db: Database,
  { entityId, from, to }: Pick<ImpactScope, 'entityId' | 'from' | 'to'>,
): Promise<number> {
  const { rows } = await sql<{ merged: number }>`
    select count(*)::int as merged from pull_requests
    where entity_id = ${entityId} and merged_at >= ${from}::date and merged_at < ${to}::date + 1`.execute(db);
  return rows[0]!.merged;
}
