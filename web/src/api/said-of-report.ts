// What a report says of itself in sentences, as facts that the page acts on. The wording is the server's; a test holds
// both against each other.
import type { Answer } from './schema.ts';

type Report = Answer<'GET /reports'>;

const NOT_ALL_IMPORTED = /commits before (\d{4}-\d{2}-\d{2}) are not all imported/;
const PROVIDER_IGNORED = 'ai_provider has no effect';

const dayIn = (sentences: readonly string[]): string | null =>
  sentences.map((sentence) => NOT_ALL_IMPORTED.exec(sentence)?.[1]).find((day) => day !== undefined) ?? null;

/** The day from which on all commits of the scope are imported, of a report that begins before it; else null. */
export const importedFrom = ({ warnings = [] }: Pick<Report, 'warnings'>): string | null => dayIn(warnings);

/** The same of the period before, where a summary does not compare with it. */
export const comparedFrom = ({
  calculated_summary_stats: cards = [],
}: Pick<Report, 'calculated_summary_stats'>): string | null => dayIn(cards.slice(0, 1).map(({ detail }) => detail));

/** Whether figures are of all AI providers although one was asked for: the statistic does not tell them apart. */
export const ignoresProvider = ({ warnings = [] }: Pick<Report, 'warnings'>): boolean =>
  warnings.some(isSaidOfProvider);

export const isSaidOfProvider = (warning: string): boolean => warning.startsWith(PROVIDER_IGNORED);
