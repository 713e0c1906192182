// A statistic with its comparison, as charts draw it.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Report, reportQuery, type Segment, type Sending } from '../api/queries.ts';
import type { Params } from '../api/schema.ts';
import { type ChartData, type Form, foldSmallSeries, type Scheme } from '../charts/chart-data.ts';
import { comparisonDays, type Days, intervalOf } from '../url/range.ts';
import type { Aggregation, View } from '../url/view.ts';
import { useAfterFirstChart } from './after-first-chart.ts';
import { chooseForm, chooseScheme, hasSummary, isAdditive, isCohorts, MOST_SERIES } from './form-rule.ts';
import { daysOf, usePage } from './page-context.ts';
import { readReport, sumByInterval } from './read-report.ts';
import { reportParams } from './report-params.ts';

export interface Figures {
  readonly segment: Segment;
  readonly by: Aggregation;
  readonly days: Days;
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
  readonly ghost: readonly (number | null)[];
  /** Whether there is a period before to draw, now or when its answer comes. */
  readonly isCompared: boolean;
  readonly total: number | null;
  readonly before: number | null;
}

const GRAIN_NAMES = { day: 'daily', week: 'weekly', month: 'monthly' } as const;
const NO_GHOST: readonly (number | null)[] = [];

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
  const isDaily = (view.grain === 'auto' ? intervalOf(days) : GRAIN_NAMES[view.grain]) === 'daily';
  const entity = page.entity.slug;
  const isAvailable = segment.is_available;
  const needsSummary = hasSummary(segment, by);
  const params = reportParams(entity, view, { segment, days, by, withSummary: needsSummary });
  const {
    data: report,
    error,
    isPlaceholderData,
  } = useQuery({ ...reportQuery(params, sending), enabled: isAvailable && !isWaiting });

  const previous = comparisonDays(days, view.vs, isDaily);
  const previousParams = reportParams(entity, view, { segment, days: previous ?? days, by, withSummary: needsSummary });
  const { data: previousReport } = useQuery({
    ...reportQuery(previousParams, sending),
    enabled:
      hasChart &&
      isAvailable &&
      !isWaiting &&
      !isPlaceholderData &&
      previous !== null &&
      (withGhost || !needsSummary || view.vs === 'year'),
  });

  const { today } = page;
  const data = useMemo(() => (report === undefined ? null : readReport(report, today)), [report, today]);
  const count = data?.series.length ?? 1;
  const form = chooseForm(segment, by, count, view.view === 'share');
  const mayFold = isAdditive(segment) && !isCohorts(segment);
  const drawn = useMemo(() => (data === null || !mayFold ? data : foldSmallSeries(data, MOST_SERIES)), [data, mayFold]);
  const hasGhost = previous !== null && (count === 1 || mayFold) && form !== 'share bars';
  const ghost = useMemo(
    () => (hasGhost && previousReport !== undefined ? sumByInterval(readReport(previousReport, today)) : NO_GHOST),
    [hasGhost, previousReport, today],
  );
  const card = report?.calculated_summary_stats?.[0];
  const isCovered = previous !== null && reachesBack(segment, previous, page.imports.data.first_on);
  return {
    segment,
    by,
    days,
    params,
    report,
    error,
    isOld: isPlaceholderData,
    data,
    drawn,
    form,
    scheme: chooseScheme(segment, by),
    isCompared: withGhost && isCovered,
    ghost: isCovered ? ghost : NO_GHOST,
    total: needsSummary ? (card?.value ?? null) : totalOf(report),
    before: !isCovered
      ? null
      : needsSummary && view.vs === 'prev'
        ? (card?.previous_value ?? null)
        : needsSummary
          ? (previousReport?.calculated_summary_stats?.[0]?.value ?? null)
          : totalOf(previousReport),
  };
}

/** Series that add up, or a single one. */
function totalOf(report: Report | undefined): number | null {
  const known = (report?.series ?? []).map(({ total }) => total).filter((total) => total !== null);
  return known.length === 0 ? null : known.reduce((sum, total) => sum + total, 0);
}

/** A period that begins before the first known commit is not compared: it would look like a rise from nothing. */
const reachesBack = (segment: Segment, { start }: Days, firstDay: string | null): boolean =>
  !segment.data_requirements.some((kind) => kind === 'commits') || firstDay === null || start >= firstDay;
