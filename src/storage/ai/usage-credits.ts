// How much of a person's lines of a day is credited to the AI tools that reported use by that person: reported
// lines ÷ changed lines, at most four fifths, of the lines in commits without evidence of their own. Lines are those of
// the categories that the entity's line statistics count. Only reports that count are credited (choose-usages.ts).
// Whatever changes a report of use, the commits of a day, who is whose identity or those categories calls this in the
// same transaction.
import { type RawBuilder, sql } from 'kysely';
import { OPERATIONS } from '../../domain/commits/line-model.ts';
import { readLineCategories } from '../access/entity-settings.ts';
import { sumFilledLines } from '../commits/line-columns.ts';
import type { Database } from '../database/handle.ts';
import { type ChoiceScope, chooseUsages } from './choose-usages.ts';
import { sumUsageWeeksAfterRemoval } from './usage-weeks.ts';

/** Whose days may have changed. */
export type CreditScope =
  | { readonly commitIds: readonly number[] }
  | { readonly committerIds: readonly number[] }
  | { readonly usedBy: readonly { readonly committer_id: number | null; readonly used_on: string }[] }
  | 'entity';

/** Days whose credits are worked out anew, by the person; null: all. */
function daysOf(entityId: number, scope: CreditScope): RawBuilder<unknown> | null {
  if (scope === 'entity') return null;
  if ('commitIds' in scope) {
    return sql`
      select distinct o.root_committer_id as root_id, c.authored_on as day
      from commits c join committers o on o.entity_id = c.entity_id and o.id = c.author_id
      where c.entity_id = ${entityId} and c.id = any(${scope.commitIds})
        and exists (select from ai_usages where entity_id = ${entityId})`;
  }
  if ('committerIds' in scope) {
    return sql`
      select distinct o.root_committer_id as root_id, g.used_on as day
      from committers x
      join committers o on o.entity_id = x.entity_id and o.root_committer_id = x.root_committer_id
      join ai_usages g on g.entity_id = o.entity_id and g.committer_id = o.id
      where x.entity_id = ${entityId} and x.id = any(${scope.committerIds})`;
  }
  const used = scope.usedBy.filter(({ committer_id }) => committer_id !== null);
  return sql`
    select distinct o.root_committer_id as root_id, x.day
    from unnest(${used.map(({ committer_id }) => committer_id)}::bigint[],
      ${used.map(({ used_on }) => used_on)}::date[]) as x(committer_id, day)
    join committers o on o.entity_id = ${entityId} and o.id = x.committer_id`;
}

/**
 * The rows of a table with their person and day. Those of single days are looked up one by one, because the table is
 * as large as the history.
 */
function rowsOf(entityId: number, table: 'ai_usages' | 'daily_facts', days: RawBuilder<unknown> | null) {
  const day = sql.raw(table === 'ai_usages' ? 't.used_on' : 't.authored_on');
  const from = sql.raw(table);
  return days === null
    ? sql`
      select o.root_committer_id as root_id, ${day} as day, t.*
      from ${from} t join committers o on o.entity_id = t.entity_id and o.id = t.committer_id
      where t.entity_id = ${entityId}`
    : sql`
      select d.root_id, d.day, t.*
      from due d
      join committers o on o.entity_id = ${entityId} and o.root_committer_id = d.root_id
      cross join lateral (
        select t.* from ${from} t
        where t.entity_id = ${entityId} and t.committer_id = o.id and ${day} = d.day offset 0) t`;
}

const CHANGED_LINES = sql.raw(`(${sumFilledLines('w', OPERATIONS)})`);

/** What a report is credited with. */
const CREDITS = [
  'credited_share',
  'credited_lines_added',
  'credited_lines_deleted',
  'credited_lines_changed',
  'credited_delta',
] as const;

/** Reports that count otherwise than before change the weeks of their people too. */
async function choose(db: Database, entityId: number, scope: CreditScope): Promise<void> {
  if (scope !== 'entity' && 'commitIds' in scope) return;
  const ofChoice: ChoiceScope =
    scope !== 'entity' && 'usedBy' in scope ? { days: scope.usedBy.map(({ used_on }) => used_on) } : scope;
  await sumUsageWeeksAfterRemoval(db, entityId, await chooseUsages(db, entityId, ofChoice));
}

/**
 * Decides which reports count, and credits those. Returns how many reports of use have another credit now.
 */
export async function creditUsages(db: Database, entityId: number, scope: CreditScope): Promise<number> {
  await choose(db, entityId, scope);
  const days = daysOf(entityId, scope);
  const counted = sql`w.category = any(${await readLineCategories(db, entityId)}::smallint[])`;
  const ofCounted = (lines: RawBuilder<unknown>) => sql`case when ${counted} then ${lines} else 0 end`;
  // Reports and work of a day meet in a window: a join of the two would be a guess for a planner without figures. So would
  // the join with what is changed: of single days the rows are named, or all reports of the entity would be read.
  const { numAffectedRows } = await sql`
    with due as materialized (${days ?? sql`select`}
    ), both_parts as (
      select u.root_id, u.day, u.id, case when u.is_activity_chosen then u.lines_added end::float8 as lines, null::float8 as lines_changed,
        null::float8 as unknown_lines_added, null::float8 as unknown_lines_deleted,
        null::float8 as unknown_lines_changed, null::float8 as unknown_delta, ${sql.raw(CREDITS.join(', '))}
      from (${rowsOf(entityId, 'ai_usages', days)}) u
      union all
      select w.root_id, w.day, null, null, ${ofCounted(CHANGED_LINES)}, ${ofCounted(sql`w.unknown_lines_added`)},
        ${ofCounted(sql`w.unknown_lines_deleted`)}, ${ofCounted(sql`${CHANGED_LINES} - w.known_lines_changed`)},
        w.unknown_delta, ${sql.raw(CREDITS.map(() => 'null').join(', '))}
      from (${rowsOf(entityId, 'daily_facts', days)}) w
      where w.counted_in = '{}'
    ), of_days as (
      select b.id, b.lines, ${sql.raw(CREDITS.map((name) => `b.${name}`).join(', '))},
        sum(b.lines) over d as reported, sum(b.lines_changed) over d as lines_changed,
        sum(b.unknown_lines_added) over d as unknown_lines_added,
        sum(b.unknown_lines_deleted) over d as unknown_lines_deleted,
        sum(b.unknown_lines_changed) over d as unknown_lines_changed, sum(b.unknown_delta) over d as unknown_delta
      from both_parts b
      window d as (partition by b.root_id, b.day)
    ), changed as materialized (
      select x.id, c.credit, 1000 * c.credit * x.unknown_lines_added as lines_added,
        1000 * c.credit * x.unknown_lines_deleted as lines_deleted,
        1000 * c.credit * x.unknown_lines_changed as lines_changed, c.credit * x.unknown_delta as delta
      from of_days x
      cross join lateral (
        select case when x.lines > 0 and x.lines_changed > 0 then x.lines * least(0.8 / x.reported, 1 / x.lines_changed) end as credit) c
      where x.id is not null and (${sql.raw(CREDITS.map((name) => `x.${name}`).join(', '))})
        is distinct from (c.credit, 1000 * c.credit * x.unknown_lines_added, 1000 * c.credit * x.unknown_lines_deleted,
          1000 * c.credit * x.unknown_lines_changed, c.credit * x.unknown_delta)
    )
    update ai_usages set credited_share = n.credit, credited_lines_added = n.lines_added,
      credited_lines_deleted = n.lines_deleted, credited_lines_changed = n.lines_changed, credited_delta = n.delta
    from changed n
    where ai_usages.entity_id = ${entityId} and ai_usages.id = n.id
      and ${days === null ? sql`true` : sql`ai_usages.id = any(array(select id from changed))`}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
