// The page of the dashboard that shows a point: the same question in the page's own words, with the point's records open.
import type { ResourcePath } from '../../domain/resource-path.ts';
import type { Aggregation } from '../../domain/segments.ts';
import type { DateRange } from '../../metrics/intervals.ts';
import type { Point } from '../../metrics/points.ts';
import type { ReportInput } from './input.ts';

/** Series → point → address, without scheme and host. */
export function pointPage(
  paths: readonly ResourcePath[],
  input: ReportInput,
  report: { readonly aggregation: Aggregation; readonly range: DateRange },
): (series: string) => (point: Point) => string {
  const within = paths.flatMap(({ organization, repo }) =>
    organization === null ? [] : [repo === null ? organization : `${organization}/${repo}`],
  );
  const who = [input.committer_user_name ?? [], input.committer_identifier ?? []].flat();
  const keys: readonly (readonly [string, string | undefined])[] = [
    ['range', `${report.range.from}..${report.range.to}`],
    ['by', report.aggregation === 'none' ? undefined : report.aggregation],
    ['in', within.join(',') || undefined],
    ['team', input.team_slug],
    ['who', who.join(',') || undefined],
    ['ai', input.ai_provider],
    ['stat', input.time_statistic === 'mean' ? undefined : input.time_statistic],
    ['grain', input.interval === 'auto' ? undefined : input.interval],
  ];
  const query = new URLSearchParams();
  for (const [key, value] of keys) if (value !== undefined) query.set(key, value);
  const start = `/e/${encodeURIComponent(paths[0]?.entity ?? '')}/s/${input.segment_by}?${query}&at=`;
  return (series) => {
    const name = encodeURIComponent(series);
    return ({ start_date }) => `${start}${name}@${start_date}`;
  };
}
