// A statistic with its comparison, as charts draw it.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Report, reportQuery, type Segment, type Sending } from '../api/queries.ts';
import type { Params } from '../api/schema.ts';
import { type ChartData, type Form, foldSmallSeries, type Scheme } from '../charts/chart-data.ts';
import type { Days } from '../url/range.ts';
import type { Aggregation, View } from '../url/view.ts';
import { useAfterFirstChart } from './after-first-chart.ts';
import { type Comparison, useComparison } from './compared/use-comparison.ts';
import { chooseForm, chooseScheme, hasSummary, isAdditive, isCohorts, MOST_SERIES } from './form-rule.ts';
import { daysOf, usePage } from './page-context.ts';
import { readReport, totalOf } from './read-report.ts';
import { reportParams } from './report-params.ts';

export interface Figures extends Comparison {
  readonly segment: Segment;
  readonly by: Aggregation;
  readonly days: Days;
  /** What its points depend on besides, so that a link to one leads to the same point. */
  readonly asked: Pick<View, 'grain' | 'stat'>;
  readonly params: Params<'GET /reports'>;
  readonly report: Report | undefined;
  readonly error: Error | null;
  /** What is shown belongs to an earlier question; the answer to this one is under way. */
  readonly isOld: boolean;
  /** All series. */
  readonly data: ChartData | null;
  /** The largest series and the rest as one. */
  readonly drawn: ChartData | null;
  readonly form: Form;
  readonly scheme: Scheme;
  /** Whether other days may be drawn behind, now or when their answer comes. */
  readonly isCompared: boolean;
  readonly total: number | null;
}

export interface ReportOptions {
  /** Keys that differ from the address. */
  readonly change?: Partial<View>;
  /** Whether the comparison is drawn, not only its total shown. */
  readonly withGhost?: boolean;
  readonly sending?: Sending;
  /** Something more important is under way: this one is sent after it. */
  readonly isWaiting?: boolean;
}

export function useReport(
  segment: Segment,
  by: Aggregation,
  { change = {}, withGhost = true, sending = 'alone', isWaiting = false }: ReportOptions = {},
): Figures {
  const page = usePage();
  const hasChart = useAfterFirstChart();
  const view = { ...page.view, ...change };
  const days = daysOf({ ...page, view });
  const entity = page.entity.slug;
  const isAvailable = segment.is_available;
  const needsSummary = hasSummary(segment, by);
  const params = reportParams(entity, view, { segment, days, by, withSummary: needsSummary });
  const {
    data: report,
    error,
    isPlaceholderData,
  } = useQuery({ ...reportQuery(params, sending), enabled: isAvailable && !isWaiting });

  const { today } = page;
  const data = useMemo(() => (report === undefined ? null : readReport(report, today)), [report, today]);
  const count = data?.series.length ?? 1;
  const form = chooseForm(segment, by, count, view.view === 'share');
  const mayFold = isAdditive(segment) && !isCohorts(segment);
  const drawn = useMemo(() => (data === null || !mayFold ? data : foldSmallSeries(data, MOST_SERIES)), [data, mayFold]);
  const comparison = useComparison({
    entity,
    today,
    view,
    segment,
    by,
    days,
    report,
    isOld: isPlaceholderData,
    sending,
    isEnabled: hasChart && isAvailable && !isWaiting && !isPlaceholderData,
    isDrawn: withGhost && (count === 1 || mayFold) && form !== 'share bars',
  });
  return {
    ...comparison,
    segment,
    by,
    days,
    asked: { grain: view.grain, stat: segment.has_time_statistics ? view.stat : 'mean' },
    params,
    report,
    error,
    isOld: isPlaceholderData,
    data,
    drawn,
    form,
    scheme: chooseScheme(segment, by),
    isCompared: withGhost && view.vs !== 'none',
    total: needsSummary ? (report?.calculated_summary_stats?.[0]?.value ?? null) : totalOf(report, segment),
  };
}
