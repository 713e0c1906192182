// How far a report reaches, as the page acts on it.
import { formatCount } from '../text/numbers.ts';
import type { Answer } from './schema.ts';

type Report = Answer<'GET /reports'>;

/** The day from which on all commits are imported, where days that begin with `start` reach further back; else null. */
export function cutAt({ context }: Pick<Report, 'context'>, start: string): string | null {
  const { commits_complete_from: from } = context;
  return from !== undefined && start < from ? from : null;
}

/** The same for the days of the report itself. */
export const importedFrom = (report: Pick<Report, 'context'>): string | null =>
  cutAt(report, report.context.range.start_date);

/** Whether figures are of all AI providers although one was asked for: the statistic does not tell them apart. */
export const ignoresProvider = ({ context }: Pick<Report, 'context'>): boolean =>
  context.ineffective_parameters?.includes('ai_provider') ?? false;

/** The same as the report's warning has it for people. */
export const isSaidOfProvider = (warning: string): boolean => warning.startsWith('ai_provider ');

/** What a figure says that is of some of the people only; null where it is of all. */
export const coverageOf = ({ covered, total }: Report['context']['contributors']): string | null =>
  covered < total ? `covers ${formatCount(covered)} of ${formatCount(total)} developers` : null;

export const COVERAGE_WHY =
  'Counted are the people whose statistics you may see, not all. An admin decides with the setting stats_access whose those are.';

/** Whether the caller may see none of the people that the report would be about. */
export const seesNobody = ({ context: { contributors } }: Pick<Report, 'context'>): boolean =>
  contributors.covered === 0 && contributors.total > 0;
