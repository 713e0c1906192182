// Days off of developers. A day belongs to the committer it was recorded for; whoever reads days off of a
// person takes those of all its identities, so that merging and splitting people loses none.
import { sql } from 'kysely';
import { bumpDataVersion } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';

const identitiesOf = (entityId: number, rootId: number) =>
  sql`(select id from committers where entity_id = ${entityId} and root_committer_id = ${rootId})`;

/** Those of the given days on which the person is off already. */
export async function findDaysOff(
  db: Database,
  entityId: number,
  rootId: number,
  days: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ off_on: string }>`
    select distinct off_on from days_off
    where entity_id = ${entityId} and committer_id in ${identitiesOf(entityId, rootId)}
      and off_on = any(${days}::date[]) order by off_on`.execute(db);
  return rows.map(({ off_on }) => off_on);
}

/** All days off of the person. */
export async function listDaysOff(db: Database, entityId: number, rootId: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ off_on: string }>`
    select off_on from days_off
    where entity_id = ${entityId} and committer_id in ${identitiesOf(entityId, rootId)}`.execute(db);
  return new Set(rows.map(({ off_on }) => off_on));
}

/** Returns how many of the days are new. */
export async function insertDaysOff(
  db: Database,
  entityId: number,
  rootId: number,
  days: readonly string[],
): Promise<number> {
  const known = new Set(await findDaysOff(db, entityId, rootId, days));
  const fresh = days.filter((day) => !known.has(day));
  if (fresh.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`
    insert into days_off (entity_id, committer_id, off_on)
    select ${entityId}, ${rootId}, day from unnest(${fresh}::date[]) as t(day)
    on conflict (entity_id, committer_id, off_on) do nothing`.execute(db);
  await bumpDataVersion(db, entityId);
  return Number(numAffectedRows);
}

/** Every recorded day of the range goes, also one that has become a holiday since. Returns the days. */
export async function deleteDaysOff(
  db: Database,
  entityId: number,
  rootId: number,
  range: { readonly first: string; readonly last: string },
): Promise<string[]> {
  const { rows } = await sql<{ off_on: string }>`
    delete from days_off
    where entity_id = ${entityId} and committer_id in ${identitiesOf(entityId, rootId)}
      and off_on between ${range.first}::date and ${range.last}::date
    returning off_on`.execute(db);
  if (rows.length > 0) await bumpDataVersion(db, entityId);
  return [...new Set(rows.map(({ off_on }) => off_on))];
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
