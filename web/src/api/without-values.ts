// A report that has series and dates but no figures: what the page shows where a 0 of the API is not a finding.
import type { Answer } from './schema.ts';

type Report = Answer<'GET /reports'>;
export type Point = Report['series_segments'][string][number];

export function withoutValues(report: Report): Report {
  // The others are figures of their own.
  const cards = report.calculated_summary_stats?.map((card, index) => (index === 0 ? { ...card, value: null } : card));
  return {
    ...report,
    series: report.series.map((series) => ({ ...series, total: null })),
    series_segments: blankPoints(report, () => true),
    ...(cards === undefined ? {} : { calculated_summary_stats: cards }),
  };
}

export const blankPoints = (
  { series_segments: all }: Report,
  isBlank: (point: Point) => boolean,
): Report['series_segments'] =>
  Object.fromEntries(
    Object.entries(all).map(([name, points]) => [
      name,
      points.map((each) => (isBlank(each) ? { ...each, y: null } : each)),
    ]),
  );
