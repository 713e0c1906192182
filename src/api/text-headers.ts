// What a text answer says besides its text, as headers: the file's name and its facts (`page_count` → X-Page-Count).
import type { TextFormat } from '../endpoints/endpoint.ts';
import type { TextAnswer } from '../endpoints/text-answer.ts';

const headerOf = (fact: string): string =>
  `X-${fact
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('-')}`;

export const textHeaders = ({ fileName, facts }: TextAnswer): Record<string, string> => ({
  'content-disposition': `attachment; filename="${fileName}"`,
  ...Object.fromEntries(Object.entries(facts).map(([fact, value]) => [headerOf(fact).toLowerCase(), String(value)])),
});

/** Header → what it says. */
export const describeTextHeaders = ({ fileName, facts }: TextFormat): Record<string, string> => ({
  'Content-Disposition': fileName,
  ...Object.fromEntries(Object.entries(facts).map(([fact, description]) => [headerOf(fact), description])),
});
