// Words and punctuation of a line as hashes, and how alike two lines are by them.
import { WORD_BYTE } from './scan-line.ts';

/** Longer lines are compared by their first tokens. */
export const MAX_TOKENS = 96;
export const SIMILAR = 0.6;

const HASH_SEED = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** Writes the tokens of [start, end) in order to `out` from `at` on; returns how many. */
export function tokenize(bytes: Uint8Array, start: number, end: number, out: Int32Array, at: number): number {
  let count = 0;
  let i = start;
  while (i < end && count < MAX_TOKENS) {
    const byte = bytes[i]!;
    if (byte <= 32) {
      i++;
    } else if (WORD_BYTE[byte] === 1) {
      let hash = HASH_SEED;
      do {
        hash = Math.imul(hash ^ bytes[i++]!, HASH_PRIME);
      } while (i < end && WORD_BYTE[bytes[i]!] === 1);
      // Words are negative, punctuation is not: the two can never be equal.
      out[at + count++] = hash | 0x80000000;
    } else {
      out[at + count++] = byte;
      i++;
    }
  }
  return count;
}

/** Insertion sort: lines have about ten tokens. */
export function sortTokens(tokens: Int32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = tokens[i]!;
    let j = i - 1;
    while (j >= from && tokens[j]! > value) {
      tokens[j + 1] = tokens[j]!;
      j--;
    }
    tokens[j + 1] = value;
  }
}

/**
 * Of two sorted token lists: twice the common tokens ÷ all tokens, or 0 below SIMILAR. A line in which
 * one word was swapped for one other is always similar, if a word or two marks stay the same.
 */
export function similarity(
  one: Int32Array,
  oneFrom: number,
  oneTo: number,
  other: Int32Array,
  otherFrom: number,
  otherTo: number,
): number {
  const oneCount = oneTo - oneFrom;
  const otherCount = otherTo - otherFrom;
  const all = oneCount + otherCount;
  const most = 2 * Math.min(oneCount, otherCount);
  if (most < SIMILAR * all) return 0;
  let common = 0;
  let commonWords = 0;
  let i = oneFrom;
  let j = otherFrom;
  while (i < oneTo && j < otherTo) {
    const a = one[i]!;
    const b = other[j]!;
    if (a === b) {
      common++;
      if (a < 0) commonWords++;
      i++;
      j++;
    } else if (a < b) i++;
    else j++;
  }
  const ratio = (2 * common) / all;
  if (ratio >= SIMILAR) return ratio;
  const isOneSwapped = oneCount === otherCount && common === oneCount - 1;
  return isOneSwapped && (commonWords > 0 || common > 1) ? SIMILAR : 0;
}
