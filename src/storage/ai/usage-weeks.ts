// How much AI tools were used by a person in an ISO week, kept in weekly_people by whatever changes a report of use,
// in the same transaction. Beside it imports keep the days with commits; together they set the person's cohort.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/handle.ts';

type UsedDays = readonly { readonly committer_id: number | null; readonly used_on: string }[];

/** Monday of the ISO week. */
const weekOf = (day: string): RawBuilder<unknown> => sql.raw(`${day} - (${day} - '0001-01-01'::date) % 7`);

/** What the reports now say about these people's weeks; null: about all. */
export async function sumUsageWeeks(db: Database, entityId: number, used: UsedDays | null): Promise<void> {
  const named = used?.filter(({ committer_id }) => committer_id !== null);
  if (named?.length === 0) return;
  // Looked up week by week: people have years of reports.
  const reports =
    named === undefined
      ? sql`select u.*, ${weekOf('u.used_on')} as week from ai_usages u
          where u.entity_id = ${entityId} and u.committer_id is not null and u.is_activity_chosen`
      : sql`select u.*, w.week from (${weeksOf(named)}) w cross join lateral (
          select u.* from ai_usages u where u.entity_id = ${entityId} and u.committer_id = w.committer_id
            and u.is_activity_chosen and u.used_on between w.week and w.week + 6 offset 0) u`;
  await sql`
    insert into weekly_people (entity_id, committer_id, week, interactions, usage_days)
    select u.entity_id, u.committer_id, u.week,
      sum(case when u.prompted_suggest_count is null and u.tab_accept_count is null
        then (coalesce(u.lines_added, 0) + 19) / 20
        else coalesce(u.prompted_suggest_count, 0) + coalesce(u.tab_accept_count, 0) end),
      bit_or(1 << (u.used_on - '0001-01-01'::date) % 7)
    from (${reports}) u
    group by 1, 2, 3 order by 3, 2
    on conflict (entity_id, week, committer_id) do update
      set interactions = excluded.interactions, usage_days = excluded.usage_days
      where weekly_people.interactions <> excluded.interactions or weekly_people.usage_days <> excluded.usage_days
    `.execute(db);
}

/** The same after reports were deleted, or others were chosen: a week whose last one is gone has none that would say so. */
export async function sumUsageWeeksAfterRemoval(db: Database, entityId: number, removed: UsedDays): Promise<void> {
  const named = removed.filter(({ committer_id }) => committer_id !== null);
  if (named.length === 0) return;
  await sql`
    update weekly_people u set interactions = 0, usage_days = 0
    where u.entity_id = ${entityId} and u.usage_days <> 0 and (u.committer_id, u.week) in (${weeksOf(named)})
      and not exists (
        select from ai_usages g where g.entity_id = u.entity_id and g.committer_id = u.committer_id
          and g.is_activity_chosen and g.used_on between u.week and u.week + 6)`.execute(db);
  await sumUsageWeeks(db, entityId, named);
}

const weeksOf = (named: UsedDays): RawBuilder<unknown> => sql`
  select distinct x.committer_id, ${weekOf('x.used_on')} as week
  from unnest(${named.map(({ committer_id }) => committer_id)}::bigint[],
    ${named.map(({ used_on }) => used_on)}::date[]) as x(committer_id, used_on)`;
