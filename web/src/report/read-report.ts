// An answer of GET /reports as what charts draw: series in the server's order, on one row of intervals.
import { lacksEvidence } from '../api/blank-unknown.ts';
import type { Report, Segment } from '../api/queries.ts';
import type { ChartData, Interval } from '../charts/chart-data.ts';

export function readReport(report: Report, today: string): ChartData {
  const intervals = new Map<string, Interval>();
  for (const points of Object.values(report.series_segments)) {
    for (const { start_date: start, end_date: end } of points) {
      // A point of the last interval ends where the range ends; whether it is over is a matter of today.
      if (!intervals.has(start)) intervals.set(start, { start, end, isOpen: end >= today });
    }
  }
  const ordered = [...intervals.values()].toSorted((a, b) => (a.start < b.start ? -1 : 1));
  return {
    intervalName: report.interval_em,
    intervals: ordered,
    unit: report.unit,
    precision: report.value_precision,
    series: report.series.map(({ name, title, total, is_rest: isRest, has_ai_evidence: has }) => {
      const points = report.series_segments[name] ?? [];
      const values = new Map(points.map((point) => [point.start_date, point.y]));
      const unknown = new Set(points.filter(lacksEvidence).map(({ start_date: start }) => start));
      return {
        name,
        title,
        total,
        values: ordered.map(({ start }) => values.get(start) ?? null),
        ...(unknown.size === 0 ? {} : { unknown: ordered.map(({ start }) => unknown.has(start)) }),
        ...(isRest === true ? { isRest } : {}),
        ...(has === false ? { isUnknown: true as const } : {}),
      };
    }),
  };
}

/**
 * Over the whole range, of series that add up or of a single one. A report has no total of people whom it counts on some
 * days and over the whole range not, where its summary has 0, and none of means of nothing but zeros. A sum without a total is
 * unknown, also where days without records are 0.
 */
export function totalOf(report: Report | undefined, { interval_combination: combination }: Counted): number | null {
  const known = (report?.series ?? []).map(({ total }) => total).filter((total) => total !== null);
  if (known.length > 0) return known.reduce((sum, total) => sum + total, 0);
  if (combination === 'sum' && report?.series.length !== 0) return null;
  const values = Object.values(report?.series_segments ?? {}).flatMap((points) => points.flatMap(({ y }) => y ?? []));
  return values.length > 0 && (combination === 'distinct' || values.every((value) => value === 0)) ? 0 : null;
}

type Counted = Pick<Segment, 'interval_combination'>;

/** All series of each interval in one: what a comparison is drawn with. */
export function sumByInterval({ series, intervals }: ChartData): (number | null)[] {
  return intervals.map((_, index) =>
    series.reduce<number | null>((sum, { values }) => {
      const value = values[index] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
}

/** The address of the records behind a point. */
export const pointUrl = (report: Report, series: string, start: string): string | null =>
  report.series_segments[series]?.find((point) => point.start_date === start)?.url ?? null;
