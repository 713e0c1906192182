// Shas as numbers of four bytes, for tables of many and for comparing them without making texts.

export const WORD_BYTES = 4;
const DIGITS = 2 * WORD_BYTES;
/** Of SHA-256. */
export const MOST_WORDS = 32 / WORD_BYTES;

/** From hexadecimal digits; answers how many words these are. */
export function readShaWords(sha: string, into: Uint32Array): number {
  const words = sha.length / DIGITS;
  for (let i = 0; i < words; i++) into[i] = Number.parseInt(sha.slice(i * DIGITS, (i + 1) * DIGITS), 16);
  return words;
}
