// Figures that rest on evidence of AI are 0 where there is none, because nothing could be counted. People would read that
// as a finding, so the page takes such a report for one without values.
import type { Answer } from './schema.ts';

type Report = Answer<'GET /reports'>;

/** Whether nothing in the days of a report says who wrote the code, so that its figures are unknown. */
export const isUnknown = ({ context }: Pick<Report, 'context'>): boolean => context.has_ai_evidence === false;

/** Days without any changed line have no value at all. A split may have no series though there are: the share over all of them tells. */
const hasValue = ({ series, unit, calculated_summary_stats: cards }: Report): boolean =>
  series.some(({ total }) => total !== null) || (unit === '%' && cards?.[0] !== undefined && cards[0].value !== null);

/** No changed line of a series, or of a point, has evidence of who wrote it. */
export const lacksEvidence = ({ has_ai_evidence: has }: { readonly has_ai_evidence?: false | undefined }): boolean =>
  has === false;

export function blankUnknown(report: Report): Report {
  if (!isUnknown(report)) return blankParts(report);
  const { has_ai_evidence: _, ...context } = report.context;
  const cards = report.calculated_summary_stats?.map((card, index) => (index === 0 ? { ...card, value: null } : card));
  return {
    ...report,
    ...(hasValue(report) ? {} : { context }),
    series: report.series.map((series) => ({ ...series, total: null })),
    series_segments: blankPoints(report, () => true),
    ...(cards === undefined ? {} : { calculated_summary_stats: cards }),
  };
}

/** Of a report with evidence the series and days that have none. */
function blankParts(report: Report): Report {
  const hasGaps =
    report.series.some(lacksEvidence) || Object.values(report.series_segments).some((list) => list.some(lacksEvidence));
  if (!hasGaps) return report;
  return {
    ...report,
    series: report.series.map((series) => (lacksEvidence(series) ? { ...series, total: null } : series)),
    series_segments: blankPoints(report, lacksEvidence),
  };
}

type Point = Report['series_segments'][string][number];

const blankPoints = ({ series_segments: all }: Report, isBlank: (point: Point) => boolean): Report['series_segments'] =>
  Object.fromEntries(
    Object.entries(all).map(([name, points]) => [
      name,
      points.map((each) => (isBlank(each) ? { ...each, y: null } : each)),
    ]),
  );

export interface Gaps {
  /** Intervals in which some series is unknown. */
  readonly intervals: number;
  /** Titles of series that are unknown over the whole range. */
  readonly series: readonly string[];
}

/** What of a report with evidence has none. */
export function findGaps({ series, series_segments: all, context }: Report): Gaps {
  if (context.has_ai_evidence === false) return { intervals: 0, series: [] };
  const starts = Object.values(all)
    .flat()
    .filter(lacksEvidence)
    .map(({ start_date: start }) => start);
  return { intervals: new Set(starts).size, series: series.filter(lacksEvidence).map(({ title }) => title) };
}
