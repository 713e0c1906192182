// Figures of people are 0 for somebody who may see none of them. People would read that as a finding, so the page takes such
// a report for one without values. What counts more than 0 all the same, as releases do, is not about people.
import type { Answer } from './schema.ts';
import { withoutValues } from './without-values.ts';

type Report = Answer<'GET /reports'>;

/** Whether the caller may see none of the people that the report would be about. */
export const seesNobody = ({ context: { contributors } }: Pick<Report, 'context'>): boolean =>
  contributors.covered === 0 && contributors.total > 0;

export function blankHidden(report: Report): Report {
  const isCounted = Object.values(report.series_segments).some((points) => points.some(({ y }) => (y ?? 0) !== 0));
  return seesNobody(report) && !isCounted ? withoutValues(report) : report;
}
