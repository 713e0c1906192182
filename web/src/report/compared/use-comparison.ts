// What a statistic is compared with: the total of other days, and the line behind its chart. The total is of the days that
// the API's own summary compares with; daily lines meet the same weekday, so they may be of other days and name them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Report, reportQuery, type Segment, type Sending } from '../../api/queries.ts';
import { cutAt as cutWhere, importedFrom } from '../../api/said-of-report.ts';
import { hasWork, type Interval } from '../../charts/chart-data.ts';
import { comparisonDays, type Days, intervalOf, passedDays } from '../../url/range.ts';
import { type Aggregation, GRAIN_INTERVALS, type View } from '../../url/view.ts';
import { hasSummary } from '../form-rule.ts';
import { readReport, sumByInterval, totalOf } from '../read-report.ts';
import { chosenGrain, reportParams } from '../report-params.ts';

export interface Ghost {
  readonly values: readonly (number | null)[];
  readonly intervals: readonly Interval[];
  readonly days: Days;
}

export interface Comparison {
  readonly before: number | null;
  /** The days of that total; null where nothing is compared. */
  readonly beforeDays: Days | null;
  /** The day from which on all commits are imported, where nothing is compared because the days before reach further back. */
  readonly cutAt: string | null;
  readonly ghost: Ghost | null;
}

interface Compared {
  readonly entity: string;
  readonly today: string;
  readonly view: View;
  readonly segment: Segment;
  readonly by: Aggregation;
  readonly days: Days;
  readonly report: Report | undefined;
  /** What is shown belongs to an earlier question. */
  readonly isOld: boolean;
  readonly sending: Sending;
  readonly isEnabled: boolean;
  readonly isDrawn: boolean;
}

export function useComparison(compared: Compared): Comparison {
  const { entity, today, view, segment, by, days, report, isOld, sending, isEnabled, isDrawn } = compared;
  const needsSummary = hasSummary(segment, by);
  const hasOwnSummary = needsSummary && view.vs === 'prev';
  const grain = chosenGrain(view, days);
  const isDaily = (grain === 'auto' ? intervalOf(days) : GRAIN_INTERVALS[grain]) === 'daily';
  const totalDays = comparisonDays(passedDays(days, today), view.vs, false);
  const drawnDays = comparisonDays(days, view.vs, isDaily);
  const ask = (of: Days) =>
    reportQuery(
      reportParams(entity, view, { segment, days: of, by, withSummary: needsSummary && !hasOwnSummary }),
      sending,
    );
  // Where both are of the same days they are one call.
  const totals = useQuery({
    ...ask(totalDays ?? days),
    enabled: isEnabled && totalDays !== null && !hasOwnSummary,
  });
  const drawn = useQuery({ ...ask(drawnDays ?? days), enabled: isEnabled && isDrawn && drawnDays !== null });

  // Answers to an earlier question belong to what is shown only as long as that is an answer to it too.
  const past = totalDays === null || (totals.isPlaceholderData && !isOld) ? undefined : totals.data;
  const cutAt = totalDays === null || report === undefined ? null : cutWhere(report, totalDays.start);
  const answer = !isDrawn || drawnDays === null ? undefined : drawn.data;
  const ghost = useMemo(() => (answer === undefined ? null : drawGhost(answer, today)), [answer, today]);
  const [card] = (hasOwnSummary ? report : past)?.calculated_summary_stats ?? [];
  const before = hasOwnSummary ? card?.previous_value : needsSummary ? card?.value : totalOf(past, segment);
  const beforeDays = cutAt === null ? totalDays : null;
  return { before: beforeDays === null ? null : (before ?? null), beforeDays, cutAt, ghost };
}

/** Null where a line would say nothing, or would begin in days that are not imported and look like a rise from there. */
function drawGhost(report: Report, today: string): Ghost | null {
  if (importedFrom(report) !== null) return null;
  const data = readReport(report, today);
  if (!hasWork(data)) return null;
  const { start_date: start, end_date: end } = report.context.range;
  return { values: sumByInterval(data), intervals: data.intervals, days: { start, end } };
}
