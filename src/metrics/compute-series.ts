// Answers of the database → values by series and interval. Everything that is divided is divided here, from
// its parts, so that a merged series or a total is never a mean of means.
import { AI_COHORT_TITLES } from '../domain/ai/cohort.ts';
import type { AuditType } from '../domain/audit-types.ts';
import type { TimeStatistic } from '../domain/segments.ts';
import { FACTS } from './catalogue/facts.ts';
import { type AnyMeasure, MEASURES } from './catalogue/measures.ts';
import type { Plan, PlannedQuestion } from './compile/plan-segment.ts';
import type { Dimension } from './compile/source.ts';
import { addDays, type Interval, weeksOf } from './intervals.ts';
import { type CellRow, MOMENT_BYTES, readMoment } from './run-query.ts';
import type { Scope } from './scope.ts';

export interface Series {
  readonly group: string;
  /** The statistic's own series: a band's name or the value it is split by; '' when there is one. */
  readonly name: string;
  /** One for each interval; null where there is no value, undefined where there is no data at all. */
  readonly values: readonly (number | null | undefined)[];
  /** What each was divided by; null where nothing is divided, or nothing by a number. */
  readonly divisors: readonly (number | null)[];
  /** What the records are that each counts, the first kind where there are several; undefined where it counts none. */
  readonly audits: readonly (AuditType | undefined)[];
}

interface Quotient {
  readonly value: number | null | undefined;
  readonly divisor: number | null;
}

export interface Answer {
  readonly planned: PlannedQuestion;
  readonly rows: readonly CellRow[];
}

/** Split value → shown name. Applied before adding up, because a band may bear the same name. */
export type SplitLabel = (split: Dimension, value: string) => string;

interface Amount {
  /** Null where it is unknown: there are rows, and none of them says anything of it. */
  total: number | null;
  /** Single values, where the statistic is one of times. */
  items: number[] | null;
  /** What the first of its records are. */
  audit?: AuditType;
}
type Table = Map<string, Map<string, Amount>>;

const SEPARATOR = '\u0000';
const keyOf = (group: string, name: string): string => group + SEPARATOR + name;

function amountAt(table: Table, key: string, bucket: string): Amount {
  let buckets = table.get(key);
  if (buckets === undefined) {
    buckets = new Map();
    table.set(key, buckets);
  }
  let amount = buckets.get(bucket);
  if (amount === undefined) {
    amount = { total: null, items: null };
    buckets.set(bucket, amount);
  }
  return amount;
}

function add(amount: Amount, more: number): void {
  amount.total = (amount.total ?? 0) + more;
}

const NOTHING: Amount = { total: 0, items: null };

const MINUTE_MS = 60_000;

/** Length of an item in the measure's unit. */
export function lengthOf(measure: AnyMeasure, beginsMs: number, endsMs: number, scope: Scope): number {
  const end = Math.max(beginsMs, endsMs);
  if (measure.clock === 'calendar') {
    const day = (ms: number): number => Date.parse(`${scope.clock.dateOf(ms)}T00:00:00Z`) / (1440 * MINUTE_MS);
    return day(end) - day(beginsMs);
  }
  const isBusiness = measure.clock === 'business';
  const minutes = isBusiness ? scope.clock.minutesBetween(beginsMs, end, scope.daysOff) : (end - beginsMs) / MINUTE_MS;
  if (measure.in === 'hours') return minutes / 60;
  return minutes / (isBusiness ? scope.clock.minutesPerDay : 1440);
}

function gather(answers: readonly Answer[], intervals: readonly Interval[], scope: Scope, label: SplitLabel): Table {
  const table: Table = new Map();
  let bounds: { bucket: string; from: number; to: number }[] | undefined;
  for (const { planned, rows } of answers) {
    const { measure: measureName, split } = planned.question;
    const measure: AnyMeasure = MEASURES[measureName];
    const { audit } = FACTS[measure.fact];
    for (const row of rows) {
      const name = planned.band ?? (split === null ? '' : label(split, row.split));
      const key = keyOf(row.grp, name);
      if (row.begins === undefined || row.ends === undefined) {
        const amount = amountAt(table, key, row.bucket);
        if (row.value !== null) add(amount, (row.value ?? 0) / (measure.scale ?? 1));
        if (row.value) amount.audit ??= audit;
        continue;
      }
      const count = row.ends.length / MOMENT_BYTES;
      const amount = measure.clipped === true ? null : amountAt(table, key, row.bucket);
      for (let index = 0; index < count; index += 1) {
        const beginsMs = readMoment(row.begins, index);
        const endsMs = readMoment(row.ends, index);
        if (amount !== null) {
          const length = lengthOf(measure, beginsMs, endsMs, scope);
          add(amount, length);
          amount.audit ??= audit;
          amount.items ??= [];
          amount.items.push(length);
          continue;
        }
        bounds ??= intervals.map(({ key: bucket, start, end: last }) => ({
          bucket,
          from: scope.clock.startOf(start),
          to: scope.clock.startOf(addDays(last, 1)),
        }));
        for (const { bucket, from, to } of bounds) {
          if (beginsMs >= to || endsMs <= from) continue;
          const length = lengthOf(measure, Math.max(beginsMs, from), Math.min(endsMs, to), scope);
          add(amountAt(table, key, bucket), length);
        }
      }
    }
  }
  return table;
}

const QUANTILES: Record<Exclude<TimeStatistic, 'mean'>, number> = { median: 0.5, p75: 0.75, p90: 0.9 };

/** Quantiles lie between the two nearest items, as percentile_cont has them. */
export function statisticOf(items: readonly number[], statistic: TimeStatistic): number {
  if (statistic === 'mean') return items.reduce((sum, item) => sum + item, 0) / items.length;
  const sorted = items.toSorted((a, b) => a - b);
  const place = QUANTILES[statistic] * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
}

/** A function of intervals that works each out once. */
function rememberBy<T>(work: (interval: Interval) => T): (interval: Interval) => T {
  const known = new Map<Interval, T>();
  return (interval) => {
    let result = known.get(interval);
    if (result === undefined) {
      result = work(interval);
      known.set(interval, result);
    }
    return result;
  };
}

export function computeSeries(
  plan: Plan,
  answers: readonly Answer[],
  intervals: readonly Interval[],
  scope: Scope,
  statistic: TimeStatistic,
  label: SplitLabel,
): Series[] {
  const { row } = plan;
  const of = (part: PlannedQuestion['part']): Answer[] => answers.filter(({ planned }) => planned.part === part);
  const values = gather(of('value'), intervals, scope, label);
  const divisors = gather(of('of'), intervals, scope, label);
  const members = gather(of('members'), intervals, scope, label);
  const times = row.times ?? 1;
  const today = scope.clock.dateOf(scope.now.getTime());

  // What has a divisor has a value of 0 where nothing was found: cohorts with members, and groups, in each band.
  const keys = new Set([...values.keys(), ...members.keys()]);
  if (row.of !== undefined && row.split === undefined) {
    for (const key of divisors.keys()) {
      const group = key.slice(0, key.indexOf(SEPARATOR));
      for (const band of row.bands === undefined ? [''] : Object.keys(row.bands)) keys.add(keyOf(group, band));
    }
  }
  if (row.ofBands !== undefined) for (const key of divisors.keys()) keys.add(key);
  const activeWeeks = new Set([...values.values()].flatMap((buckets) => [...buckets.keys()]));

  // Of an interval the same for every series.
  const weeksIn = rememberBy(weeksOf);
  const businessDaysIn = rememberBy(({ start, end }) =>
    // Days that have not come are no days without anybody.
    scope.clock.countBusinessDays(start, [end, today].toSorted()[0]!, scope.daysOff),
  );

  const over = (amount: Amount | undefined, divisor: number): number | null | undefined =>
    typeof amount?.total === 'number' ? (amount.total / divisor) * times : amount?.total;

  const valueIn = (key: string, interval: Interval): Quotient => {
    const group = key.slice(0, key.indexOf(SEPARATOR));
    const name = key.slice(key.indexOf(SEPARATOR) + 1);
    if (row.per === 'active week') {
      const weeks = weeksIn(interval).filter((week) => activeWeeks.has(week));
      if (weeks.length === 0) return { value: undefined, divisor: 0 };
      const total = weeks.reduce((sum, week) => sum + (values.get(key)?.get(week)?.total ?? 0), 0);
      return { value: total / weeks.length, divisor: weeks.length };
    }
    const amount = values.get(key)?.get(interval.key);
    if (row.per === 'business day') {
      const days = businessDaysIn(interval);
      return { value: days === 0 ? null : over(amount, days), divisor: days };
    }
    if (row.per === 'cohort member') {
      const weeks = weeksIn(interval);
      const buckets = members.get(keyOf(group, name));
      const size = weeks.reduce((sum, week) => sum + (buckets?.get(week)?.total ?? 0), 0) / weeks.length;
      if (size === 0) return { value: amount === undefined ? undefined : null, divisor: 0 };
      return { value: over(amount ?? NOTHING, size), divisor: size };
    }
    if (row.of !== undefined || row.ofBands !== undefined) {
      const divisor = divisors.get(keyOf(group, row.ofBands === undefined ? '' : name))?.get(interval.key)?.total;
      if (divisor === undefined && amount === undefined) return { value: undefined, divisor: 0 };
      if (divisor === undefined || divisor === null || divisor <= 0) return { value: null, divisor: divisor ?? 0 };
      return { value: over(amount ?? NOTHING, divisor), divisor };
    }
    if (row.combine === 'mean') {
      const items = amount?.items ?? [];
      const value = items.length === 0 ? (amount === undefined ? undefined : null) : statisticOf(items, statistic);
      return { value, divisor: statistic === 'mean' ? items.length : null };
    }
    return { value: over(amount, 1), divisor: null };
  };

  return [...keys].map((key) => {
    const quotients = intervals.map((interval) => valueIn(key, interval));
    return {
      group: key.slice(0, key.indexOf(SEPARATOR)),
      name: key.slice(key.indexOf(SEPARATOR) + 1),
      values: quotients.map(({ value }) => value),
      divisors: quotients.map(({ divisor }) => divisor),
      audits: intervals.map((interval) => values.get(key)?.get(interval.key)?.audit),
    };
  });
}

/** Series in the order in which people expect them: bands as in the row, cohorts from least use to most. */
export function orderOf(plan: Plan, name: string): number {
  const known: readonly string[] =
    plan.row.split === 'ai_cohort' ? Object.values(AI_COHORT_TITLES) : Object.keys(plan.row.bands ?? {});
  const place = known.indexOf(name);
  return place === -1 ? known.length : place;
}
