// From what the address says to the parameters of a report.
import type { Segment } from '../api/queries.ts';
import type { Params } from '../api/schema.ts';
import { type Days, offersGrain } from '../url/range.ts';
import type { Aggregation, View } from '../url/view.ts';

type ReportParams = Params<'GET /reports'>;

export interface Question {
  readonly segment: Segment;
  readonly days: Days;
  readonly by: Aggregation;
  /** Adds the figures of the whole range and of the period before. */
  readonly withSummary: boolean;
}

/** `org/repo,other` below an entity, as the API wants it. */
export const resourcePath = (entity: string, scope: string | null): string =>
  scope === null
    ? entity
    : scope
        .split(',')
        .map((path) => `${entity}/${path.trim()}`)
        .join(',');

export function reportParams(entity: string, view: View, { segment, days, by, withSummary }: Question): ReportParams {
  const grain = chosenGrain(view, days);
  const params = {
    resource_path: resourcePath(entity, view.in),
    segment_by: segment.segment_em,
    start_date: days.start,
    end_date: days.end,
    aggregate_by: by,
    fill_all_dates: true,
    generate_summary_stats: withSummary || undefined,
    interval: grain === 'auto' ? undefined : grain,
    time_statistic: segment.has_time_statistics && view.stat !== 'mean' ? view.stat : undefined,
    team_slug: view.team ?? undefined,
    committer_user_name: view.who === null ? undefined : view.who.split(','),
    // More statistics take it than can be split by it; the answer says of the others that it had no effect.
    ai_provider: view.ai ?? undefined,
  };
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as ReportParams;
}

/** A length of intervals that the API would refuse for so many days is left to it. */
export const chosenGrain = ({ grain }: View, days: Days): View['grain'] =>
  grain === 'auto' || offersGrain(grain, days) ? grain : 'auto';

/** The split that a statistic's page opens with. */
export function chosenAggregation(segment: Segment, view: View): Aggregation {
  if (view.by !== null && segment.aggregation_options.includes(view.by)) return view.by;
  return segment.aggregation_options.includes('none') ? 'none' : segment.default_aggregation;
}
