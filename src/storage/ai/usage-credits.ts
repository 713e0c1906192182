// How much of a person's lines of a day is credited to the AI tools that reported use by that person: reported
// lines ÷ changed lines, at most four fifths, of the lines in commits without evidence of their own. Lines are those of
// the categories that the entity's line statistics count. Only reports that count are credited (choose-usages.ts).
// A day is one of UTC, by which tools report. Whatever changes a report of use, the commits of a day, who is whose identity
// or those categories calls this in the same transaction.
import { type RawBuilder, sql } from 'kysely';
import { effectiveEntitySettings, lineCategoryIds } from '../../domain/access/entity-settings.ts';
import { OPERATIONS } from '../../domain/commits/line-model.ts';
import { readStoredSettings } from '../access/entity-settings.ts';
import { sumFilledLines } from '../commits/line-columns.ts';
import { utcDayOf } from '../commits/utc-day.ts';
import { arrayText } from '../database/array-text.ts';
import type { Database } from '../database/handle.ts';
import { type ChoiceScope, chooseUsages } from './choose-usages.ts';
import { noteUsageWeeks } from './usage-weeks.ts';

/** Whose days may have changed. */
export type CreditScope =
  | { readonly commitIds: readonly number[] }
  | { readonly committerIds: readonly number[] }
  | { readonly usedBy: readonly { readonly committer_id: number | null; readonly used_on: string }[] }
  | 'entity';

/** Days whose credits are worked out anew, by the person, where those are not all or whole days. */
function daysOf(entityId: number, scope: CreditScope): RawBuilder<unknown> {
  if (scope === 'entity' || wholeDaysOf(scope) !== null) return sql`select`;
  if ('commitIds' in scope) {
    return sql`
      select distinct o.root_committer_id as root_id, ${sql.raw(utcDayOf('c'))} as day
      from commits c join committers o on o.entity_id = c.entity_id and o.id = c.author_id
      where c.entity_id = ${entityId} and c.id = any(${scope.commitIds})`;
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
    from unnest(${arrayText(used.map(({ committer_id }) => committer_id))}::bigint[],
      ${arrayText(used.map(({ used_on }) => used_on))}::date[]) as x(committer_id, day)
    join committers o on o.entity_id = ${entityId} and o.id = x.committer_id`;
}

/** From here on a range of each day is read rather than the reports of each person. */
const MANY_PEOPLE_A_DAY = 20;

/** Days that are read as a whole, because many people are due on each; null where people are looked up. */
function wholeDaysOf(scope: CreditScope): readonly string[] | null {
  if (scope === 'entity' || !('usedBy' in scope)) return null;
  const days = new Set(scope.usedBy.map(({ used_on }) => used_on));
  return scope.usedBy.length < MANY_PEOPLE_A_DAY * days.size ? null : [...days];
}

/** The reports of the days, with their person. The table is as large as the history. */
function reportsOf(entityId: number, scope: CreditScope): RawBuilder<unknown> {
  const withPerson = (reports: RawBuilder<unknown>) => sql`
    select o.root_committer_id as root_id, t.used_on as day, t.*
    from (${reports}) t join people o on o.id = t.committer_id`;
  if (scope === 'entity') return withPerson(sql`select t.* from ai_usages t where t.entity_id = ${entityId}`);
  const days = wholeDaysOf(scope);
  if (days === null) {
    return sql`
      select d.root_id, d.day, t.*
      from due d
      join committers o on o.entity_id = ${entityId} and o.root_committer_id = d.root_id
      cross join lateral (
        select t.* from ai_usages t
        where t.entity_id = ${entityId} and t.committer_id = o.id and t.used_on = d.day offset 0) t`;
  }
  // Each part has an index that begins with the day.
  const ofDays = (source: RawBuilder<unknown>) => sql`
    select t.* from ai_usages t
    where t.entity_id = ${entityId} and t.used_on = any(${arrayText(days)}::date[]) and ${source}`;
  return withPerson(
    sql`${ofDays(sql`t.source_em = 'submitted'`)} union all ${ofDays(sql`t.source_em <> 'submitted'`)}`,
  );
}

const CHANGED_LINES = sql.raw(`(${sumFilledLines('w', OPERATIONS)})`);

interface CountedWork {
  /** Of code whose lines count. */
  readonly categories: readonly number[];
  /** Whether days of the entity are those of UTC. */
  readonly isUtc: boolean;
}

/** What was committed on the days, with its person, in lines that count: a range of each day, of whoever is due. */
function workOf(entityId: number, scope: CreditScope, { categories, isUtc }: CountedWork): RawBuilder<unknown> {
  const counted = (lines: RawBuilder<unknown>) =>
    sql`case when w.category = any(${categories}::smallint[]) then ${lines} else 0 end`;
  const days = wholeDaysOf(scope);
  const dueDays = days === null ? sql`array(select distinct d.day from due d)` : sql`${arrayText(days)}::date[]`;
  // Sums are found by the entity's day, which may be the one before or after.
  const near = isUtc ? dueDays : sql`array(select d.day + n from unnest(${dueDays}) d(day), generate_series(-1, 1) n)`;
  return sql`
    select o.root_committer_id as root_id, w.utc_on as day, null as id, null as lines, ${counted(CHANGED_LINES)},
      ${counted(sql`w.unknown_lines_added`)}, ${counted(sql`w.unknown_lines_deleted`)},
      ${counted(sql`${CHANGED_LINES} - w.known_lines_changed`)}, w.unknown_delta,
      ${sql.raw(CREDITS.map(() => 'null').join(', '))}
    from daily_facts w join people o on o.id = w.committer_id
    where w.entity_id = ${entityId} and w.counted_in = '{}'
      and ${scope === 'entity' ? sql`true` : sql`w.authored_on = any(${near}) and w.utc_on = any(${dueDays})`}`;
}

/** What a report is credited with. */
export const CREDITS = [
  'credited_share',
  'credited_lines_added',
  'credited_lines_deleted',
  'credited_lines_changed',
  'credited_delta',
] as const;

async function hasUsages(db: Database, entityId: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from ai_usages where entity_id = ${entityId}) as has`.execute(db);
  return rows[0]!.has;
}

/** Reports that count otherwise than before change the weeks of their people too. */
async function choose(db: Database, entityId: number, scope: CreditScope): Promise<void> {
  if (scope !== 'entity' && 'commitIds' in scope) return;
  const ofChoice: ChoiceScope =
    scope !== 'entity' && 'usedBy' in scope ? { days: scope.usedBy.map(({ used_on }) => used_on) } : scope;
  await noteUsageWeeks(db, entityId, await chooseUsages(db, entityId, ofChoice));
}

/**
 * Decides which reports count, and credits those. Returns how many reports of use have another credit now.
 */
export async function creditUsages(db: Database, entityId: number, scope: CreditScope): Promise<number> {
  // Every batch of an import asks, and most entities have no reports.
  if (scope !== 'entity' && 'commitIds' in scope && !(await hasUsages(db, entityId))) return 0;
  await choose(db, entityId, scope);
  const days = daysOf(entityId, scope);
  const settings = effectiveEntitySettings(await readStoredSettings(db, entityId));
  const counted = { categories: lineCategoryIds(settings), isUtc: settings.time_zone === 'UTC' };
  // Reports and work of a day meet in a window: a join of the two would be a guess for a planner without figures. So would
  // the join with what is changed: of single days the rows are named, or all reports of the entity would be read.
  // Many people are read once, few are looked up.
  const asRead = scope === 'entity' || wholeDaysOf(scope) !== null ? sql`materialized` : sql`not materialized`;
  const { numAffectedRows } = await sql`
    with due as materialized (${days}
    ), people as ${asRead} (
      select c.id, c.root_committer_id from committers c where c.entity_id = ${entityId}
    ), both_parts as (
      select u.root_id, u.day, u.id, case when u.is_activity_chosen then u.lines_added end::float8 as lines, null::float8 as lines_changed,
        null::float8 as unknown_lines_added, null::float8 as unknown_lines_deleted,
        null::float8 as unknown_lines_changed, null::float8 as unknown_delta, ${sql.raw(CREDITS.join(', '))}
      from (${reportsOf(entityId, scope)}) u
      union all
      ${workOf(entityId, scope, counted)}
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
      and ${scope === 'entity' ? sql`true` : sql`ai_usages.id = any(array(select id from changed))`}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
