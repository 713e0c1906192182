// The cards beside a chart: the statistic over the whole range, then those of its subject, each with the
// period of equal length before. Totals are computed from the parts, never from the points.
import type { SegmentId } from '../domain/segments.ts';
import type { Store } from '../storage/database/handle.ts';
import { importedDays, type KnownData, whyNotImported, whyUnavailable } from './availability.ts';
import { BY, type SegmentRow } from './catalogue/segment-row.ts';
import { SEGMENTS, type Subject, subjectOf } from './catalogue/segments/index.ts';
import { namesOf } from './compile/plan-segment.ts';
import { addDays, type DateRange, daysIn, wholeRange } from './intervals.ts';
import { type ReportQuery, runReport } from './run-report.ts';
import type { Scope } from './scope.ts';

export interface Card {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly value_precision: number;
  readonly value: number | null;
  readonly weekday_count: number;
  readonly value_per_weekday: number | null;
  readonly previous_value: number | null;
  readonly previous_value_per_weekday: number | null;
  readonly percent_change: number | null;
  readonly detail: string;
  /** Why there is no value: what the figure needs is missing. */
  readonly unavailable_reason?: string;
  /** Of a figure that rests on evidence of AI. */
  readonly low?: number | null;
  readonly high?: number | null;
  /** Lines with evidence by its source, in percent of changed lines; only on the card ai_coverage. */
  readonly by_source?: Record<string, number>;
}

const plain = { by: BY.code, higher_is_better: null, companion: 'none', needs: ['commits'] } as const;

/** Figures that have a card but no chart of their own. */
const CARD_ROWS: Readonly<Record<string, SegmentRow>> = {
  issues_resolved: {
    ...plain,
    needs: ['issues'],
    title: 'Issues resolved',
    description: 'Issues moved to done, without epics and sub-tasks.',
    unit: 'issues',
    precision: 0,
    value: 'issues_resolved',
    combine: 'sum',
  },
  prs_closed: {
    ...plain,
    needs: ['pull_requests'],
    title: 'Pull requests closed',
    description: 'Pull requests merged or closed.',
    unit: 'pull requests',
    precision: 0,
    value: 'pulls_closed',
    combine: 'sum',
  },
  prs_merged: {
    ...plain,
    needs: ['pull_requests'],
    title: 'Pull requests merged',
    description: 'Pull requests merged.',
    unit: 'pull requests',
    precision: 0,
    value: 'pulls_merged',
    combine: 'sum',
  },
  delta_per_pr: {
    ...plain,
    needs: ['commits', 'pull_requests'],
    title: 'Diff Delta per pull request',
    description: 'Diff Delta of the commits of the pull requests that were merged, up to their merge, for each one.',
    unit: 'Diff Delta',
    precision: 0,
    value: 'work_of_pulls',
    of: 'pulls_with_work',
    combine: 'ratio',
  },
};

const VELOCITY = ['none', 'issues_resolved', 'prs_closed', 'commit_count'];
const CARDS: Record<Subject, readonly string[]> = {
  code: VELOCITY,
  commits: VELOCITY,
  ai_credit: VELOCITY,
  ai_usage: VELOCITY,
  ai_cohorts: VELOCITY,
  issues: VELOCITY,
  delivery: ['release_count', 'dora_change_lead_time', 'mean_hours_to_resolved', 'change_failure_rate'],
  pull_requests: ['prs_merged', 'pr_cycle', 'delta_per_pr', 'prs_opened'],
};

/** The row with all its series in one. */
export function totalRow(row: SegmentRow): SegmentRow {
  const { split: _, bands, value, total, ...rest } = row;
  if (total !== undefined) return { ...rest, value: total };
  return { ...rest, value: [...namesOf(value), ...Object.values(bands ?? {}).flatMap(namesOf)] };
}

export async function totalOf(
  store: Store,
  row: SegmentRow,
  range: DateRange,
  scope: Scope,
  statistic: ReportQuery['statistic'],
): Promise<number | null> {
  const intervals = [wholeRange(range)];
  const query: ReportQuery = { row: totalRow(row), aggregation: 'none', range, bucket: 'whole', intervals, statistic };
  const [series] = await runReport(store, query, scope);
  const value = series?.values[0];
  if (value !== undefined) return value;
  return row.combine === 'sum' || row.combine === 'distinct' ? 0 : null;
}

export const roundTo = (value: number, precision: number): number => {
  const factor = 10 ** Math.max(2, precision);
  return Math.round((value + Number.EPSILON * Math.sign(value)) * factor) / factor;
};

/** Whose figures, when, and what is known at all. */
export interface Figures {
  readonly segment: SegmentId;
  readonly range: DateRange;
  readonly scope: Scope;
  readonly statistic: ReportQuery['statistic'];
  readonly known: KnownData;
}

export async function summarize(store: Store, figures: Figures): Promise<Card[]> {
  const { segment } = figures;
  const keys = CARDS[subjectOf(segment)].filter((key) => key !== segment);
  const rows: [string, SegmentRow][] = [
    [segment === 'none' ? 'diff_delta' : segment, SEGMENTS[segment]],
    ...keys.map((key): [string, SegmentRow] => [
      key === 'none' ? 'diff_delta' : key,
      CARD_ROWS[key] ?? SEGMENTS[key as SegmentId],
    ]),
  ];
  return Promise.all([
    ...rows.map(([key, row]) => cardOf(store, key, row, figures)),
    ...(SEGMENTS[segment].isAboutAi === true ? [coverageCard(store, figures)] : []),
  ]);
}

const show = (value: number | null, precision: number): string =>
  value === null ? 'no value' : value.toLocaleString('en-US', { maximumFractionDigits: precision });

/** Without the days that have not come. */
function passedOf({ from, to }: DateRange, { clock, now }: Scope): DateRange {
  const today = clock.dateOf(now.getTime());
  return { from, to: to < today ? to : today };
}

/**
 * The period before, as long as what has passed of the range: half a month is not held against a whole one. Null where it
 * reaches back beyond what is imported.
 */
function periodBefore(row: SegmentRow, { range, known, scope }: Figures): DateRange | null {
  const length = daysIn(passedOf(range, scope));
  const before = { from: addDays(range.from, -(length > 0 ? length : daysIn(range))), to: addDays(range.from, -1) };
  const { allFrom } = importedDays(row, known);
  return allFrom !== null && before.from < allFrom ? null : before;
}

/** Days to come would thin out what is said of a day. */
function weekdaysIn(range: DateRange, scope: Scope): number {
  const { from, to } = passedOf(range, scope);
  return to < from ? 0 : scope.clock.countBusinessDays(from, to, scope.daysOff);
}

/** Whether something says who wrote changed lines: only that makes a 0 of AI a finding. */
export async function hasLinesWithEvidence(store: Store, range: DateRange, scope: Scope): Promise<boolean> {
  const row: SegmentRow = { ...LINES_ROW, value: 'lines_with_evidence' };
  return ((await totalOf(store, row, range, scope, 'mean')) ?? 0) > 0;
}

/** Null also where it is 0 for want of evidence. */
async function knownTotal(
  store: Store,
  row: SegmentRow,
  range: DateRange,
  scope: Scope,
  statistic: ReportQuery['statistic'],
): Promise<number | null> {
  const total = await totalOf(store, row, range, scope, statistic);
  const isFinding = total !== 0 || row.range === undefined || (await hasLinesWithEvidence(store, range, scope));
  return isFinding ? total : null;
}

async function cardOf(store: Store, key: string, row: SegmentRow, figures: Figures): Promise<Card> {
  const { range, scope, statistic, known } = figures;
  const weekdays = weekdaysIn(range, scope);
  const common = { key, title: row.title, unit: row.unit, value_precision: row.precision, weekday_count: weekdays };
  const without = (reason: string): Card => {
    const none = { value: null, value_per_weekday: null, previous_value: null, previous_value_per_weekday: null };
    return { ...common, ...none, percent_change: null, detail: `No value: ${reason}.`, unavailable_reason: reason };
  };
  const reason = whyUnavailable(row, 'none', known, scope);
  if (reason !== null) return without(reason);
  const before = periodBefore(row, figures);
  const [value, previous, ends] = await Promise.all([
    totalOf(store, row, range, scope, statistic),
    before === null ? null : knownTotal(store, row, before, scope, statistic),
    rangeOf(store, row, range, scope),
  ]);
  const notImported = whyNotImported(row, known, range);
  if (notImported !== null && (value ?? 0) === 0) return without(notImported);
  const weekdaysBefore = before === null ? 0 : weekdaysIn(before, scope);
  const perDay = (total: number | null, days: number): number | null =>
    total === null || days === 0 || row.combine !== 'sum' ? null : roundTo(total / days, row.precision);
  const change =
    value === null || previous === null || previous === 0 ? null : roundTo((value / previous - 1) * 100, 1);
  const perWeekday = perDay(value, weekdays);
  const unit = row.unit === '%' ? '%' : ` ${row.unit}`;
  const now = `${show(value, row.precision)}${value === null ? '' : unit} over ${weekdays} weekdays`;
  // A few in a month are not none a day.
  const rate = perWeekday === null ? '' : `, ${show(perWeekday, perWeekday < 10 ? 2 : row.precision)} a weekday`;
  const then =
    before === null
      ? `; not compared with the days before, because commits before ${importedDays(row, known).allFrom} are not all imported`
      : `; ${show(previous, row.precision)}${row.unit === '%' && previous !== null ? '%' : ''} over the ${weekdaysBefore} weekdays before`;
  return {
    ...common,
    value: value === null ? null : roundTo(value, row.precision),
    value_per_weekday: perWeekday,
    previous_value: previous === null ? null : roundTo(previous, row.precision),
    previous_value_per_weekday: perDay(previous, weekdaysBefore),
    percent_change: change,
    detail: `${now}${rate}${then}.${ends === null ? '' : ` ${saidOfRange(row, ends)}`}`,
    ...ends,
  };
}

export interface FigureRange {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Between which figures a statistic lies that rests on evidence of AI: from what is sure to all that evidence speaks
 * of. Of rates whose divisor is an estimate too, the two readings in order. Null where a statistic has no range.
 */
export async function rangeOf(
  store: Store,
  row: SegmentRow,
  range: DateRange,
  scope: Scope,
): Promise<FigureRange | null> {
  if (row.range === undefined) return null;
  const ends = [row.range.low, row.range.high].map(async (end) => {
    const total = await totalOf(store, { ...row, ...end }, range, scope, 'mean');
    return total === null ? null : roundTo(total, row.precision);
  });
  const [low, high] = await Promise.all(ends);
  const isTurned = low != null && high != null && low > high;
  return { low: (isTurned ? high : low) ?? null, high: (isTurned ? low : high) ?? null };
}

const saidOfRange = (row: SegmentRow, { low, high }: FigureRange): string =>
  `From ${show(low, row.precision)}, counting what is sure, to ${show(high, row.precision)}, counting all of the commits with evidence.`;

const LINES_ROW: SegmentRow = {
  ...plain,
  title: 'Changed lines',
  description: 'All changed lines.',
  unit: 'lines',
  precision: 0,
  value: 'lines_changed',
  combine: 'sum',
};

/** How much of the changed lines has any evidence of who wrote it, and from where. */
async function coverageCard(store: Store, figures: Figures): Promise<Card> {
  const { range, scope } = figures;
  const row: SegmentRow = {
    ...plain,
    title: 'AI evidence coverage',
    description: 'Changed lines in commits with evidence of who wrote them, as a share of all.',
    unit: '%',
    precision: 1,
    value: 'lines_with_evidence',
    of: 'lines_changed',
    times: 100,
    combine: 'ratio',
  };
  const card = await cardOf(store, 'ai_coverage', row, { ...figures, statistic: 'mean' });
  if (card.unavailable_reason !== undefined) return card;
  const lines = (await totalOf(store, LINES_ROW, range, scope, 'mean')) ?? 0;
  const query: ReportQuery = {
    row: {
      ...plain,
      title: '',
      description: '',
      unit: 'lines',
      precision: 0,
      value: ['ai_lines', 'ai_lines_by_usage'],
      split: 'source',
      combine: 'sum',
    },
    aggregation: 'none',
    range,
    bucket: 'whole',
    intervals: [wholeRange(range)],
    statistic: 'mean',
  };
  const sources = await runReport(store, query, scope);
  const percents = sources.map(({ name, values }) => [
    name,
    lines === 0 ? 0 : roundTo(((values[0] ?? 0) / lines) * 100, 1),
  ]);
  return {
    ...card,
    detail: `${show(card.value, 1)}% of ${show(lines, 0)} changed lines are in commits with evidence; the rest is unknown, not human.`,
    by_source: Object.fromEntries(percents),
  };
}
