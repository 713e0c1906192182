// Runs a compiled question: fills in its named parameters and reads cells or records.
import type { Store } from '../storage/database/handle.ts';
import type { AuditType } from './catalogue/facts.ts';
import type { MeasureName } from './catalogue/measures.ts';
import { compileQuery } from './compile/query.ts';
import type { Question } from './compile/source.ts';
import { addDays, type DateRange, datesOf, type Interval, weekOf } from './intervals.ts';
import { type Scope, type ScopeShape, shapeOf } from './scope.ts';

export interface CellRow {
  readonly bucket: string;
  readonly grp: string;
  readonly split: string;
  /** Absent for measures that are times; null where no row says anything of it. */
  readonly value?: number | null;
  /** Of the record's time. */
  readonly begins_ms?: number;
  readonly ends_ms?: number;
  /** Of the cell's times, in the same order, as `readMoment` reads them. */
  readonly begins?: Buffer;
  readonly ends?: Buffer;
  readonly record_id?: number;
  /** Where the fact's records are of several kinds. */
  readonly record_type?: AuditType;
  readonly members?: readonly string[];
  /** Values of further measures: value_1, value_2, … */
  readonly [further: `value_${number}`]: number | null;
}

export const MOMENT_BYTES = 8;
const UNIX_MS_OF_2000 = Date.UTC(2000, 0, 1);

/** The n-th of moments in the form in which the database keeps them, microseconds since 2000, as Unix milliseconds. */
export function readMoment(moments: Buffer, index: number): number {
  const place = index * MOMENT_BYTES;
  const microseconds = moments.readInt32BE(place) * 2 ** 32 + moments.readUInt32BE(place + 4);
  return Math.round(microseconds / 1000) + UNIX_MS_OF_2000;
}

export interface Frame {
  readonly range: DateRange;
  readonly intervals: readonly Interval[];
  readonly keptGroups?: readonly string[];
  readonly keptSplits?: readonly string[];
}

interface Statement {
  /** Under which the server remembers what it has parsed; absent beyond the first so many. */
  readonly name?: string;
  readonly text: string;
  /** Of its parameters, the first is $1. */
  readonly names: readonly string[];
}

/** `:name` → `$n`, in order of first use. */
export function bindNamed(text: string): Statement {
  const names: string[] = [];
  const bound = text.replace(/(?<![:\w]):([a-z_]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: bound, names };
}

const MOST_STATEMENTS = 2_000;
/** Every connection keeps each in the server's memory. */
const MOST_NAMED = 300;
const statements = new Map<string, Statement>();
let namedCount = 0;

/** Compiled once for each question and shape of scope: that takes as long as the smallest questions take to answer. */
function statementOf(question: Question, shape: ScopeShape, also: readonly MeasureName[]): Statement {
  const key = JSON.stringify([question, also, shape]);
  let statement = statements.get(key);
  if (statement === undefined) {
    if (statements.size >= MOST_STATEMENTS) statements.clear();
    statement = bindNamed(compileQuery(question, shape, also));
    if (namedCount < MOST_NAMED) {
      namedCount += 1;
      statement = { ...statement, name: `report-${namedCount}` };
    }
    statements.set(key, statement);
  }
  return statement;
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
    today: () => clock.dateOf(scope.now.getTime()),
    provider: () => scope.aiProvider,
    people: () => scope.personIds,
    repos: () => scope.repoIds,
    organizations: () => scope.organizationIds,
    team: () => scope.teamId,
    weight_took_part: () => scope.weights.took_part,
    weight_assisted: () => scope.weights.assisted,
    line_categories: () => scope.lineCategories,
    holidays: () => holidaysOf(range, scope),
    cohorts_from: () => weekOf(range.from),
    cohorts_to: () => addDays(weekOf(range.to), 6),
    interval_keys: () => intervals.map(({ key }) => key),
    interval_starts: () => intervals.map(({ start }) => startOf(start)),
    interval_ends: () => intervals.map(({ end }) => end),
    // of those that have begun
    interval_ats: () =>
      intervals
        .filter(({ start }) => clock.startOf(start) <= scope.now.getTime())
        .map(({ end }) => new Date(Math.min(clock.startOf(addDays(end, 1)), scope.now.getTime()))),
    kept_groups: () => frame.keptGroups ?? [],
    kept_splits: () => frame.keptSplits ?? [],
  };
}

/** Weekdays of the range on which nobody is expected to work. */
function holidaysOf(range: DateRange, { clock, daysOff }: Scope): string[] {
  const isDayOff = (date: string): boolean => {
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    return weekday !== 0 && weekday !== 6 && !(clock.isBusinessDay(date) && !daysOff.has(date));
  };
  return datesOf(range).filter(isDayOff);
}

export async function runQuery(
  store: Store,
  question: Question,
  scope: Scope,
  frame: Frame,
  also: readonly MeasureName[] = [],
): Promise<CellRow[]> {
  const { names, ...statement } = statementOf(question, shapeOf(scope), also);
  const parameters = parametersOf(scope, frame);
  const values = names.map((name) => {
    const read = parameters[name];
    if (read === undefined) throw new Error(`the query names the parameter ${name}, which nobody fills in`);
    return read();
  });
  const { rows } = await store.pool.query({ ...statement, values });
  return rows;
}
