// Figures that rest on evidence of AI are 0 where there is none, because nothing could be counted. People would read that
// as a finding, so the page takes such a report for one without values.
import type { Answer } from './schema.ts';

type Report = Answer<'GET /reports'>;

/** Whether nothing in the days of a report says who wrote the code, so that its figures are unknown. */
export const isUnknown = ({ context }: Pick<Report, 'context'>): boolean => context.has_ai_evidence === false;

/** Days without any changed line have no value at all. */
const hasValue = ({ series }: Report): boolean => series.some(({ total }) => total !== null);

export function blankUnknown(report: Report): Report {
  if (!isUnknown(report)) return report;
  const { has_ai_evidence: _, ...context } = report.context;
  if (!hasValue(report)) return { ...report, context };
  const cards = report.calculated_summary_stats?.map((card, index) => (index === 0 ? { ...card, value: null } : card));
  return {
    ...report,
    series: report.series.map((series) => ({ ...series, total: null })),
    series_segments: Object.fromEntries(
      Object.entries(report.series_segments).map(([name, points]) => [
        name,
        points.map((each) => ({ ...each, y: null })),
      ]),
    ),
    ...(cards === undefined ? {} : { calculated_summary_stats: cards }),
  };
}
