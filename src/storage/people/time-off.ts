// Days off of developers. A day belongs to the committer it was recorded for; whoever reads days off of a
// person takes those of all its identities, so that merging and splitting people loses none.
import { sql } from 'kysely';
import { bumpDataVersion } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';

const identitiesOf = (entityId: number, rootId: number) =>
  sql`(select id from committers where entity_id = ${entityId} and root_committer_id = ${rootId})`;

/** All days off of the person. */
export async function listDaysOff(db: Database, entityId: number, rootId: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ off_on: string }>`
    select off_on from days_off
    where entity_id = ${entityId} and committer_id in ${identitiesOf(entityId, rootId)}`.execute(db);
  return new Set(rows.map(({ off_on }) => off_on));
}

/** Of each of the people: how many of the days are new to them. */
export async function insertDaysOff(
  db: Database,
  entityId: number,
  rootIds: readonly number[],
  days: readonly string[],
): Promise<Map<number, number>> {
  if (rootIds.length === 0 || days.length === 0) return new Map();
  const { rows } = await sql<{ root_id: number; days: number }>`
    with fresh as (
      insert into days_off (entity_id, committer_id, off_on)
      select ${entityId}::bigint, p.root_id, d.day
      from unnest(${rootIds}::bigint[]) as p(root_id) cross join unnest(${days}::date[]) as d(day)
      where not exists (
        select from committers c join days_off o on o.entity_id = c.entity_id and o.committer_id = c.id
        where c.entity_id = ${entityId} and c.root_committer_id = p.root_id and o.off_on = d.day)
      on conflict (entity_id, committer_id, off_on) do nothing
      returning committer_id)
    select committer_id as root_id, count(*)::integer as days from fresh group by 1`.execute(db);
  if (rows.length > 0) await bumpDataVersion(db, entityId);
  return new Map(rows.map((row) => [row.root_id, row.days]));
}

export interface RemovedDays {
  readonly days: number;
  /** Those of them that are workdays. */
  readonly workdays: number;
}

/** Every recorded day of the range goes, also one that has become a holiday since. Counts the days by person. */
export async function deleteDaysOff(
  db: Database,
  entityId: number,
  rootIds: readonly number[],
  range: { readonly first: string; readonly last: string; readonly workdays: readonly string[] },
): Promise<Map<number, RemovedDays>> {
  const { rows } = await sql<RemovedDays & { root_id: number }>`
    with gone as (
      delete from days_off using committers c
      where days_off.entity_id = ${entityId} and c.entity_id = ${entityId} and c.id = days_off.committer_id
        and c.root_committer_id = any(${rootIds}::bigint[])
        and days_off.off_on between ${range.first}::date and ${range.last}::date
      returning c.root_committer_id as root_id, days_off.off_on)
    select root_id, count(distinct off_on)::integer as days,
      count(distinct off_on) filter (where off_on = any(${range.workdays}::date[]))::integer as workdays
    from gone group by root_id`.execute(db);
  if (rows.length > 0) await bumpDataVersion(db, entityId);
  return new Map(rows.map(({ root_id, ...removed }) => [root_id, removed]));
}

export interface DayOffRow {
  readonly user_name: string;
  readonly full_name: string;
  readonly date: string;
}

/** Days off in a range, of these people or of all, the earliest first. */
export async function listTimeOff(
  db: Database,
  entityId: number,
  filter: { readonly rootIds: readonly number[] | null; readonly first: string; readonly last: string },
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: DayOffRow[]; readonly total: number }> {
  const found = sql`
    select distinct r.committer_user_name as user_name, r.full_name, d.off_on as date
    from days_off d
    join committers c on c.entity_id = d.entity_id and c.id = d.committer_id
    join committers r on r.entity_id = c.entity_id and r.id = c.root_committer_id
    where d.entity_id = ${entityId} and d.off_on between ${filter.first}::date and ${filter.last}::date
      and (${filter.rootIds}::bigint[] is null or r.id = any(${filter.rootIds}::bigint[]))`;
  const [list, count] = await Promise.all([
    sql<DayOffRow>`${found} order by date, user_name limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from (${found}) f`.execute(db),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}
