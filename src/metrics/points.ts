// Values of a series → its points: labelled, rounded, the last one projected.
import type { IntervalName } from '../domain/segments.ts';
import type { SegmentRow } from './catalogue/segment-row.ts';
import { dayNumber, type Interval, labelOf } from './intervals.ts';
import { isProjectable } from './introspect.ts';
import type { NamedSeries } from './run-report.ts';
import type { Scope } from './scope.ts';
import { roundTo } from './summarize.ts';

export interface Point {
  readonly x: string;
  readonly y: number | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly projected?: true;
  /** Of a statistic about AI: nothing says who wrote the code of these days, so that a 0 is unknown. */
  readonly has_ai_evidence?: false;
}

export const markUnknown = (point: Point): Point => (point.y === 0 ? { ...point, has_ai_evidence: false } : point);

const DAY_MS = 86_400_000;

export interface PointRules {
  readonly row: SegmentRow;
  readonly scope: Scope;
  readonly bucket: IntervalName;
  readonly intervals: readonly Interval[];
  /** Also points without data, as 0 or null; what has not come yet is not 0. */
  readonly fillsDates: boolean;
  /** Before it nothing is known, so that a point of nothing is not 0. */
  readonly knownFrom: string | null;
  /** Scales the last point to its whole interval, where the statistic is a sum. */
  readonly projectsLast: boolean;
}

export function createPoints(rules: PointRules): (series: NamedSeries) => Point[] {
  const { row, scope, intervals } = rules;
  const isCount = row.combine === 'sum' || row.combine === 'distinct' || row.combine === 'snapshot';
  const isMeanOfCounts = row.combine === 'mean of daily' || row.combine === 'mean of weekly';
  const isProjected = rules.projectsLast && isProjectable(row);
  const labels = intervals.map((interval) => labelOf(interval, rules.bucket));
  const today = scope.clock.dateOf(scope.now.getTime());
  return (series) => {
    const points: Point[] = [];
    intervals.forEach((interval, index) => {
      let value = series.values[index];
      const isImported = rules.knownFrom === null || interval.end >= rules.knownFrom;
      if (value === undefined || value === null) {
        if (!rules.fillsDates) return;
        const isKnown = isImported && interval.start <= today;
        value = isKnown && (isCount || isMeanOfCounts) && value === undefined ? 0 : null;
      } else if (value === 0 && !isImported) value = null;
      const factor = isProjected && index === intervals.length - 1 ? projection(interval, scope) : 1;
      points.push({
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

/** Length of the whole interval over the part that has passed; 1 when all has, and where the range ends before today. */
function projection(interval: Interval, scope: Scope): number {
  if (interval.end < scope.clock.dateOf(scope.now.getTime())) return 1;
  const passed = scope.now.getTime() - scope.clock.startOf(interval.start);
  const whole = (dayNumber(interval.wholeEnd) - dayNumber(interval.start) + 1) * DAY_MS;
  return passed <= 0 || passed >= whole ? 1 : whole / passed;
}
