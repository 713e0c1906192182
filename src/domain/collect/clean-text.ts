// Text of hosts as PostgreSQL can hold it: without NUL and without halves of pairs, and not longer than is of use.

/** Of bodies; their length is kept. */
export const LONGEST_BODY = 65_536;
/** Of titles, names and labels. */
const LONGEST_LINE = 1_000;
const HALF_OF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const cleanText = (text: string, most: number = LONGEST_LINE): string =>
  text.slice(0, most).replaceAll('\0', '').replace(HALF_OF_PAIR, '\ufffd');
