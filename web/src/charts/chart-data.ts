// What a chart draws: intervals along the x axis, and for each series one value per interval. Charts know
// nothing of the API; report/read-report.ts makes this of an answer.

export type IntervalName = 'daily' | 'weekly' | 'monthly';

export interface Interval {
  readonly start: string;
  readonly end: string;
  /** The interval has not ended yet: its value will still change. */
  readonly isOpen: boolean;
}

export interface Series {
  /** As the API calls it; part of addresses. */
  readonly name: string;
  /** As people read it. */
  readonly title: string;
  /** Over the whole range; not always a sum. */
  readonly total: number | null;
  /** One per interval; null where nothing is known. */
  readonly values: readonly (number | null)[];
  /** One per interval: whether the value is missing because nothing says who wrote the code. Absent where none is. */
  readonly unknown?: readonly boolean[];
  /** The same over the whole range. */
  readonly isUnknown?: true;
  /** What the answer had no room for. Its name does not tell: a team may be called so too. */
  readonly isRest?: true;
}

export interface ChartData {
  readonly intervalName: IntervalName;
  readonly intervals: readonly Interval[];
  readonly series: readonly Series[];
  readonly unit: string;
  readonly precision: number;
}

export type Form = 'bars' | 'stacked bars' | 'share bars' | 'lines' | 'steps' | 'stacked area';

/** Which colours: unordered names, degrees of something, ages of code. */
export type Scheme = 'categories' | 'degrees' | 'ages';

export const isStacked = (form: Form): boolean =>
  form === 'bars' || form === 'stacked bars' || form === 'share bars' || form === 'stacked area';

export const hasValues = ({ series }: ChartData): boolean =>
  series.some(({ values }) => values.some((value) => value !== null));

/** Whether anything is there besides zeros. */
export const hasWork = ({ series }: ChartData): boolean =>
  series.some(({ values }) => values.some((value) => value !== null && value !== 0));

/** What folded series are called; the API has an `Other` of its own. */
export const OTHER = '\u2026others';

/**
 * The largest series, and the rest as one. Only where values add up; the table has them all.
 */
export function foldSmallSeries(data: ChartData, most: number): ChartData {
  if (data.series.length <= most + 1) return data;
  const bySize = data.series
    .filter(({ isRest }) => isRest !== true)
    .map((series) => ({ series, size: series.values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0) }))
    .toSorted((a, b) => b.size - a.size);
  const large = new Set(bySize.slice(0, most).map(({ series }) => series));
  const small = data.series.filter((series) => !large.has(series));
  const values = data.intervals.map((_, index) => sumOf(small.map((series) => series.values[index] ?? null)));
  // What one of them is known to have is a value; unknown is what none of them knows.
  const unknown = values.map((value, index) => value === null && small.some((series) => series.unknown?.[index]));
  const total = sumOf(small.map((series) => series.total));
  const other: Series = {
    name: OTHER,
    title: small.some(({ isRest }) => isRest) ? 'All others' : `${small.length} others`,
    total,
    values,
    isRest: true,
    ...(unknown.includes(true) ? { unknown } : {}),
    ...(total === null && small.some(({ isUnknown }) => isUnknown) ? { isUnknown: true } : {}),
  };
  return { ...data, series: [...data.series.filter((series) => large.has(series)), other] };
}

const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/** Beneath the axis. */
export interface ChartEvent {
  readonly kind: 'release' | 'defect';
  readonly day: string;
  readonly title: string;
  readonly href: string | null;
}
