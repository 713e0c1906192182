// Runs a compiled question: fills in its named parameters and reads cells or records.
import type { Store } from '../storage/handle.ts';
import { compileQuery } from './compile-query.ts';
import type { Question } from './compile-source.ts';
import type { AuditType } from './facts.ts';
import { addDays, type DateRange, type Interval, weekOf } from './intervals.ts';
import type { MeasureName } from './measures.ts';
import type { Scope } from './scope.ts';

export interface CellRow {
  readonly bucket: string;
  readonly grp: string;
  readonly split: string;
  /** Absent for measures that are times. */
  readonly value?: number;
  /** Of the record's time. */
  readonly begins_ms?: number;
  readonly ends_ms?: number;
  /** Of the cell's times, in the same order, separated by spaces. */
  readonly begins?: string;
  readonly ends?: string;
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

/** `:name` → `$n`, in order of first use. */
export function bindNamed(
  text: string,
  values: Readonly<Record<string, () => unknown>>,
): { readonly text: string; readonly values: unknown[] } {
  const names: string[] = [];
  const bound = text.replace(/(?<![:\w]):([a-z_]+)/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`the query names the parameter ${name}, which nobody fills in`);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: bound, values: names.map((name) => values[name]!()) };
}

/** Each is worked out only where a query names it. */
export function parametersOf(scope: Scope, frame: Frame): Record<string, () => unknown> {
  const { range, intervals } = frame;
  const { clock } = scope;
  const startOf = (date: string): Date => new Date(clock.startOf(date));
  return {
    entity: () => scope.entityId,
    from: () => range.from,
    to: () => range.to,
    from_at: () => startOf(range.from),
    to_at: () => startOf(addDays(range.to, 1)),
    zone: () => scope.zone,
    now: () => scope.now,
    provider: () => scope.aiProvider,
    people: () => scope.personIds,
    repos: () => scope.repoIds,
    organizations: () => scope.organizationIds,
    team: () => scope.teamId,
    holidays: () => holidaysOf(range, scope),
    cohorts_from: () => weekOf(range.from),
    cohorts_to: () => addDays(weekOf(range.to), 6),
    interval_keys: () => intervals.map(({ key }) => key),
    interval_ends: () => intervals.map(({ end }) => end),
    interval_ats: () =>
      intervals.map(({ end }) => new Date(Math.min(clock.startOf(addDays(end, 1)), scope.now.getTime()))),
    kept_groups: () => frame.keptGroups ?? [],
    kept_splits: () => frame.keptSplits ?? [],
  };
}

/** Weekdays of the range on which nobody is expected to work. */
function holidaysOf(range: DateRange, { clock, daysOff }: Scope): string[] {
  const holidays: string[] = [];
  for (let date = range.from; date <= range.to; date = addDays(date, 1)) {
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6 && !(clock.isBusinessDay(date) && !daysOff.has(date))) holidays.push(date);
  }
  return holidays;
}

export async function runQuery(
  store: Store,
  question: Question,
  scope: Scope,
  frame: Frame,
  also: readonly MeasureName[] = [],
): Promise<CellRow[]> {
  const text = compileQuery(question, scope, also);
  const bound = bindNamed(text, parametersOf(scope, frame));
  const { rows } = await store.pool.query(bound.text, bound.values);
  return rows;
}
