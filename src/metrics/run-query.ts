// Runs a compiled question: fills in its named parameters and reads cells or records.
import type { Store } from '../storage/handle.ts';
import { compileQuery } from './compile-query.ts';
import type { Question } from './compile-source.ts';
import type { AuditType } from './facts.ts';
import { addDays, type DateRange, type Interval, startOfDate, weekOf } from './intervals.ts';
import type { MeasureName } from './measures.ts';
import type { Scope } from './scope.ts';

export interface CellRow {
  readonly bucket: string;
  readonly grp: string;
  readonly split: string;
  /** Absent for measures that are times. */
  readonly value?: number;
  readonly begins_ms?: number;
  readonly ends_ms?: number;
  readonly record_id?: number;
  /** Where the fact's records are of several kinds. */
  readonly record_type?: AuditType;
  readonly members?: readonly string[];
  /** Values of further measures: value_1, value_2, … */
  readonly [further: `value_${number}`]: number;
}

export interface Frame {
  readonly range: DateRange;
  readonly intervals: readonly Interval[];
  readonly keptGroups?: readonly string[];
  readonly keptSplits?: readonly string[];
}

/** How far from an item's date its author's cohort may be asked for: origin lines are at most a year old. */
const COHORT_REACH_DAYS = 400;

/** `:name` → `$n`, in order of first use. */
export function bindNamed(
  text: string,
  values: Readonly<Record<string, unknown>>,
): { readonly text: string; readonly values: unknown[] } {
  const names: string[] = [];
  const bound = text.replace(/(?<![:\w]):([a-z_]+)/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`the query names the parameter ${name}, which nobody fills in`);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: bound, values: names.map((name) => values[name]) };
}

export function parametersOf(scope: Scope, frame: Frame, needsReach: boolean): Record<string, unknown> {
  const { range, intervals } = frame;
  const holidays: string[] = [];
  for (let date = range.from; date <= range.to; date = addDays(date, 1)) {
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6 && !(scope.clock.isBusinessDay(date) && !scope.daysOff.has(date))) {
      holidays.push(date);
    }
  }
  return {
    entity: scope.entityId,
    from: range.from,
    to: range.to,
    from_at: startOfDate(range.from, scope.zone),
    to_at: startOfDate(addDays(range.to, 1), scope.zone),
    zone: scope.zone,
    now: scope.now,
    provider: scope.aiProvider,
    people: scope.personIds,
    repos: scope.repoIds,
    organizations: scope.organizationIds,
    team: scope.teamId,
    holidays,
    cohorts_from: weekOf(addDays(range.from, needsReach ? -COHORT_REACH_DAYS : 0)),
    // Also what was written after the date of the item, such as a commit on an epic that was resolved before.
    cohorts_to: addDays(weekOf(addDays(range.to, needsReach ? COHORT_REACH_DAYS : 0)), 6),
    interval_keys: intervals.map(({ key }) => key),
    interval_ends: intervals.map(({ end }) => end),
    interval_ats: intervals.map(({ end }) => {
      const endMs = startOfDate(addDays(end, 1), scope.zone).getTime();
      return new Date(Math.min(endMs, scope.now.getTime()));
    }),
    kept_groups: frame.keptGroups ?? [],
    kept_splits: frame.keptSplits ?? [],
  };
}

export async function runQuery(
  store: Store,
  question: Question,
  scope: Scope,
  frame: Frame,
  also: readonly MeasureName[] = [],
): Promise<CellRow[]> {
  const text = compileQuery(question, scope, also);
  const bound = bindNamed(text, parametersOf(scope, frame, text.includes('written_on::timestamp')));
  const { rows } = await store.pool.query(bound.text, bound.values);
  return rows;
}
