// The point that an address names, in the report that is shown.
import type { Report } from '../../api/queries.ts';
import type { Days } from '../../url/range.ts';
import type { PointAddress } from '../../url/view.ts';

export interface FoundPoint {
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly value: number | null;
  readonly url: string;
  /** Parameters of GET /audits. */
  readonly query: Readonly<Record<string, string>>;
}

const queryOf = (url: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(url.slice(url.indexOf('?') + 1)));

/** `range` as the start means all intervals together: the first point's address with the days of the report. */
export function findPoint(
  report: Report,
  { series, start }: PointAddress,
  { days }: { readonly days: Days },
): FoundPoint | null {
  const points = report.series_segments[series];
  const described = report.series.find(({ name }) => name === series);
  if (points === undefined || described === undefined) return null;
  if (start === 'range') {
    const [first] = points;
    if (first === undefined) return null;
    const query = { ...queryOf(first.url), start_date: days.start, end_date: days.end };
    return { title: described.title, ...days, value: described.total, url: `${first.url}#range`, query };
  }
  const point = points.find((one) => one.start_date === start);
  if (point === undefined) return null;
  return {
    title: described.title,
    start: point.start_date,
    end: point.end_date,
    value: point.y,
    url: point.url,
    query: queryOf(point.url),
  };
}
