// Words and punctuation of a line, and how alike two lines are by them.
import { WORD_BYTE } from './scan-line.ts';

/** Longer lines are compared by their first tokens. */
export const MAX_TOKENS = 96;
const SIMILAR = 0.6;

const HASH_SEED = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** Writes the tokens of [start, end) in order to `out` from `at` on, none of them 0; returns how many. */
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

/**
 * Twice the common tokens ÷ all tokens, or 0 below SIMILAR. A line in which one word was swapped for one
 * other is always similar, if a word or two marks stay the same.
 */
export function likeness(oneCount: number, otherCount: number, common: number, isWordCommon: boolean): number {
  const ratio = (2 * common) / (oneCount + otherCount);
  if (ratio >= SIMILAR) return ratio;
  const isOneSwapped = oneCount === otherCount && common === oneCount - 1;
  return isOneSwapped && (common > 1 || (common === 1 && isWordCommon)) ? SIMILAR : 0;
}

/** Whether lines of that many tokens can be alike at all. */
export function canBeAlike(oneCount: number, otherCount: number): boolean {
  return 2 * Math.min(oneCount, otherCount) >= SIMILAR * (oneCount + otherCount);
}

const oneTokens = new Int32Array(MAX_TOKENS);
const otherTokens = new Int32Array(MAX_TOKENS);

/** Tokens are counted in the low byte, those of them that are words above it. */
const TALLY_WORD = 1 << 8;
const TALLY_MASK = TALLY_WORD - 1;

/**
 * Whether two lines are alike. Where they begin and end the same they have the same tokens, which need
 * only be counted; what was changed between is mostly a word or two.
 */
export function areAlike(
  one: Uint8Array,
  oneStart: number,
  oneEnd: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): boolean {
  const shorter = Math.min(oneEnd - oneStart, otherEnd - otherStart);
  let head = 0;
  let tail = 0;
  // A longer line might have too many tokens, of which only the first are to be compared.
  if (oneEnd - oneStart <= MAX_TOKENS && otherEnd - otherStart <= MAX_TOKENS) {
    while (head < shorter && one[oneStart + head] === other[otherStart + head]) head++;
    while (tail < shorter - head && one[oneEnd - 1 - tail] === other[otherEnd - 1 - tail]) tail++;
    // Not into the middle of a word.
    while (head > 0 && WORD_BYTE[one[oneStart + head - 1]!] === 1) head--;
    while (tail > 0 && WORD_BYTE[one[oneEnd - tail]!] === 1) tail--;
  }
  const oneCount = tokenize(one, oneStart + head, oneEnd - tail, oneTokens, 0);
  const otherCount = tokenize(other, otherStart + head, otherEnd - tail, otherTokens, 0);
  const ends = tallyTokens(one, oneStart, oneStart + head) + tallyTokens(one, oneEnd - tail, oneEnd);
  const common = ends + tallyCommon(oneCount, otherCount);
  const endCount = ends & TALLY_MASK;
  return likeness(oneCount + endCount, otherCount + endCount, common & TALLY_MASK, common >= TALLY_WORD) > 0;
}

// What a byte adds to the tally, by its kind and that of the byte before: 0 space, 1 word, 2 mark.
const KIND_OF_BYTE = Uint8Array.from(WORD_BYTE, (isWord, byte) => (byte <= 32 ? 0 : isWord === 1 ? 1 : 2));
const TALLY_STEP = new Int32Array(12);
for (const previous of [0, 1, 2]) {
  TALLY_STEP[(previous << 2) | 1] = previous === 1 ? 0 : 1 + TALLY_WORD;
  TALLY_STEP[(previous << 2) | 2] = 1;
}

function tallyTokens(bytes: Uint8Array, from: number, to: number): number {
  let tally = 0;
  let previous = 0;
  for (let i = from; i < to; i++) {
    const kind = KIND_OF_BYTE[bytes[i]!]!;
    tally += TALLY_STEP[(previous << 2) | kind]!;
    previous = kind;
  }
  return tally;
}

/** Of `oneTokens` and `otherTokens`, each token as often as both have it. Crosses out in the other. */
function tallyCommon(oneCount: number, otherCount: number): number {
  let tally = 0;
  for (let i = 0; i < oneCount; i++) {
    const token = oneTokens[i]!;
    for (let j = 0; j < otherCount; j++) {
      if (otherTokens[j] !== token) continue;
      otherTokens[j] = 0;
      tally += token < 0 ? 1 + TALLY_WORD : 1;
      break;
    }
  }
  return tally;
}
