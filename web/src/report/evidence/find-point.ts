// The point that an address names, in the report that is shown.
import type { Report } from '../../api/queries.ts';
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

export function findPoint(report: Report, { series, start }: PointAddress): FoundPoint | null {
  const point = report.series_segments[series]?.find((one) => one.start_date === start);
  if (point === undefined) return null;
  return {
    title: report.series.find(({ name }) => name === series)?.title ?? series,
    start: point.start_date,
    end: point.end_date,
    value: point.y,
    url: point.url,
    query: queryOf(point.url),
  };
}

/** What is asked for a point's records: of the kind that was chosen, or of the point's own. */
export const evidenceOf = (
  query: Readonly<Record<string, string>>,
  kind: string | null,
): Readonly<Record<string, string>> => (kind === null ? query : { ...query, resource_type: kind });
