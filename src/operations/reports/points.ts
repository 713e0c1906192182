// Values of a series → its points: labelled, rounded, the last one projected, each with the address that lists
// the records behind it.
import { formatResourcePath } from '../../domain/resource-path.ts';
import type { Aggregation, IntervalName } from '../../domain/segments.ts';
import { FACTS } from '../../metrics/catalogue/facts.ts';
import { MEASURES } from '../../metrics/catalogue/measures.ts';
import { SEGMENTS } from '../../metrics/catalogue/segments/index.ts';
import { planSegment } from '../../metrics/compile/plan-segment.ts';
import { type DateRange, dayNumber, type Interval, labelOf } from '../../metrics/intervals.ts';
import { isProjectable } from '../../metrics/introspect.ts';
import type { NamedSeries } from '../../metrics/run-report.ts';
import type { Scope } from '../../metrics/scope.ts';
import { roundTo } from '../../metrics/summarize.ts';
import type { ReportInput } from './input.ts';

export interface ReportPoint {
  readonly url: string;
  readonly x: string;
  readonly y: number | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly projected?: true;
}

const DAY_MS = 86_400_000;

export interface PointsAsk {
  readonly input: ReportInput;
  readonly scope: Scope;
  readonly aggregation: Aggregation;
  readonly range: DateRange;
  readonly name: IntervalName;
  readonly intervals: readonly Interval[];
}

export function createPoints(ask: PointsAsk): (series: NamedSeries) => ReportPoint[] {
  const { input, scope, aggregation, name, intervals } = ask;
  const row = SEGMENTS[input.segment_by];
  const isCount = row.combine === 'sum' || row.combine === 'distinct' || row.combine === 'snapshot';
  const isMeanOfCounts = row.combine === 'mean of daily' || row.combine === 'mean of weekly';
  const isProjected = input.project_final_point === true && isProjectable(row);
  const labels = intervals.map((interval) => labelOf(interval, name));
  const { audit } = FACTS[MEASURES[planSegment(row, aggregation, name).questions[0]!.question.measure].fact];
  const address = explainAddress(ask, audit);
  return (series) => {
    const points: ReportPoint[] = [];
    const addressOf = address(series.name);
    intervals.forEach((interval, index) => {
      let value = series.values[index];
      if (value === undefined || value === null) {
        if (input.fill_all_dates !== true) return;
        value = isCount || (isMeanOfCounts && value === undefined) ? 0 : null;
      }
      const factor = isProjected && index === intervals.length - 1 ? projection(interval, scope) : 1;
      points.push({
        url: addressOf(interval),
        x: labels[index]!,
        y: value === null ? null : roundTo(value * factor, row.precision),
        start_date: interval.start,
        end_date: interval.end,
        ...(factor === 1 ? {} : { projected: true as const }),
      });
    });
    return points;
  };
}

/** Length of the whole interval over the part that has passed; 1 when all has. */
function projection(interval: Interval, scope: Scope): number {
  const passed = scope.now.getTime() - scope.clock.startOf(interval.start);
  const whole = (dayNumber(interval.wholeEnd) - dayNumber(interval.start) + 1) * DAY_MS;
  return passed <= 0 || passed >= whole ? 1 : whole / passed;
}

function explainAddress(
  { input, aggregation, range }: PointsAsk,
  audit: string,
): (series: string) => (interval: Interval) => string {
  const query = new URLSearchParams({
    resource_path: input.resource_path.map(formatResourcePath).join(','),
    resource_type: audit,
    segment_by: input.segment_by,
    aggregate_by: aggregation,
    report_start_date: range.from,
    report_end_date: range.to,
  });
  if (input.team_slug !== undefined) query.set('team_slug', input.team_slug);
  if (input.committer_identifier !== undefined) query.set('committer_identifier', input.committer_identifier);
  if (input.committer_user_name !== undefined) query.set('committer_user_name', input.committer_user_name.join(','));
  if (input.ai_provider !== undefined) query.set('ai_provider', input.ai_provider);
  if (input.time_statistic !== undefined && input.time_statistic !== 'mean') {
    query.set('time_statistic', input.time_statistic);
  }
  const common = `/api/v1/audits?${query}`;
  return (series) => {
    const ofSeries = `${common}&${new URLSearchParams({ series })}`;
    return ({ start, end }) => `${ofSeries}&start_date=${start}&end_date=${end}`;
  };
}
