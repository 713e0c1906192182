// How much AI tools were used by a person in an ISO week, kept in weekly_people. Whatever changes a report of use notes its
// weeks in usage_weeks_due, in the same transaction; a job sums those up. Until then reports of statistics read the reports
// of use of these weeks themselves, so that nobody sees old sums. Imports keep the days with commits in the same rows;
// together they set the person's cohort.
import { sql } from 'kysely';
import { arrayText } from '../database/array-text.ts';
import type { Database } from '../database/handle.ts';

type UsedDays = readonly { readonly committer_id: number | null; readonly used_on: string }[];

/** How much use a report stands for, and on which day of its week: Monday is 1, Tuesday 2, Wednesday 4, … */
export const INTERACTIONS_OF_REPORT = `case when u.prompted_suggest_count is null and u.tab_accept_count is null
  then (coalesce(u.lines_added, 0) + 19) / 20
  else coalesce(u.prompted_suggest_count, 0) + coalesce(u.tab_accept_count, 0) end`;
export const DAY_OF_REPORT = `1 << (u.used_on - '0001-01-01'::date) % 7`;

const DAY_MILLISECONDS = 86_400_000;

/** Monday of the ISO week. The first day of 1970 was a Thursday. */
function weekOf(day: string): string {
  const dayNumber = Date.parse(`${day}T00:00:00Z`) / DAY_MILLISECONDS;
  return new Date((dayNumber - ((((dayNumber + 3) % 7) + 7) % 7)) * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** Must be called in the transaction that changes the reports. */
export async function noteUsageWeeks(db: Database, entityId: number, used: UsedDays): Promise<void> {
  const days = new Set(used.flatMap(({ committer_id, used_on }) => (committer_id === null ? [] : [used_on])));
  if (days.size === 0) return;
  // In one order, or two would wait for each other. The update keeps a sum that runs from ending before this does.
  const weeks = [...new Set([...days].map(weekOf))].toSorted();
  await sql`
    insert into usage_weeks_due (entity_id, week, noted_at)
    select ${entityId}::bigint, week, now() from unnest(${arrayText(weeks)}::date[]) as week
    on conflict (entity_id, week) do update set noted_at = excluded.noted_at`.execute(db);
}

export const listEntitiesWithDueWeeks = async (db: Database): Promise<number[]> =>
  (await db.selectFrom('usage_weeks_due').select('entity_id').distinct().orderBy('entity_id').execute()).map(
    ({ entity_id }) => entity_id,
  );

/** Sums up the weeks that are due, each in a transaction of its own. Returns how many were. */
export async function sumDueWeeks(db: Database, entityId: number): Promise<number> {
  const due = await db
    .selectFrom('usage_weeks_due')
    .select('week')
    .where('entity_id', '=', entityId)
    .orderBy('week')
    .execute();
  let count = 0;
  for (const { week } of due) {
    if (await db.transaction().execute((trx) => sumDueWeek(trx, entityId, week))) count += 1;
  }
  return count;
}

/** Returns false where somebody else sums it up, or changes reports of it just now: it is due again then. */
async function sumDueWeek(db: Database, entityId: number, week: string): Promise<boolean> {
  const { rows } = await sql`
    select from usage_weeks_due where entity_id = ${entityId} and week = ${week}::date
    for update skip locked`.execute(db);
  if (rows.length === 0) return false;
  const reports = sql`
    select u.* from ai_usages u
    where u.entity_id = ${entityId} and u.committer_id is not null and u.is_activity_chosen
      and u.used_on between ${week}::date and ${week}::date + 6`;
  await sql`
    insert into weekly_people (entity_id, committer_id, week, interactions, usage_days)
    select u.entity_id, u.committer_id, ${week}::date, sum(${sql.raw(INTERACTIONS_OF_REPORT)}),
      bit_or(${sql.raw(DAY_OF_REPORT)})
    from (${reports}) u
    group by 1, 2, 3 order by 2
    on conflict (entity_id, week, committer_id) do update
      set interactions = excluded.interactions, usage_days = excluded.usage_days
      where weekly_people.interactions <> excluded.interactions or weekly_people.usage_days <> excluded.usage_days
    `.execute(db);
  // Those whose last report is gone.
  await sql`
    update weekly_people set interactions = 0, usage_days = 0
    where entity_id = ${entityId} and week = ${week}::date and usage_days <> 0
      and committer_id not in (select u.committer_id from (${reports}) u)`.execute(db);
  await db.deleteFrom('usage_weeks_due').where('entity_id', '=', entityId).where('week', '=', week).execute();
  return true;
}
