// A chart as a sentence, for people who do not see it and for those who want it short.
import type { Segment } from '../api/queries.ts';
import type { ChartData } from '../charts/chart-data.ts';
import { formatInterval } from '../text/dates.ts';
import { formatValue, formatWithUnit } from '../text/numbers.ts';
import type { Days } from '../url/range.ts';

const INTERVAL_WORDS = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

export function writeCaption(segment: Segment, data: ChartData, days: Days, today: string): string {
  const head = `${segment.title} by ${INTERVAL_WORDS[data.intervalName]}, ${formatInterval(days.start, days.end, today)}`;
  if (data.series.length > 1) {
    const [largest] = data.series
      .filter(({ total }) => total !== null)
      .toSorted((a, b) => (b.total ?? 0) - (a.total ?? 0));
    if (largest === undefined) return `${head}: ${data.series.length} series.`;
    return `${head}: ${data.series.length} series, the largest ${largest.title} with ${formatWithUnit(largest.total, data)}.`;
  }
  const known = (data.series[0]?.values ?? []).flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  if (known.length === 0) return `${head}.`;
  const values = known.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const last = known[known.length - 1]!;
  const interval = data.intervals[last.index]!;
  const when = formatInterval(interval.start, interval.end, today);
  if (known.length === 1 && data.intervals.length > 1) {
    return `${head}: ${formatWithUnit(most, data)} in ${when}, the only ${INTERVAL_WORDS[data.intervalName]} with a value.`;
  }
  if (least === most) return `${head}: ${formatWithUnit(most, data)} throughout.`;
  return `${head}: between ${formatValue(least, data)} and ${formatWithUnit(most, data)}; ${formatWithUnit(last.value, data)} in the last interval, ${when}.`;
}
