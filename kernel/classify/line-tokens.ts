// Words and punctuation of a line, and how alike two lines are by them.
import { setWord, word } from '../words.ts';
import { HASH_PRIME, HASH_SEED, isWordAt, kindOf, SPACE, WORD } from './bytes.ts';
import { MAX_TOKENS, ONE_TOKENS, OTHER_TOKENS } from './memory.ts';

export const SIMILAR: f64 = 0.6;
/** Text of so many non-space characters may stand whole in another line. */
export const MIN_CONTAINED: i32 = 4;

/** Writes the tokens of [start, end) in order to `out` from `at` on, none of them 0; returns how many. */
export function tokenize(start: usize, end: usize, out: usize, at: i32): i32 {
  let count: i32 = 0;
  let i = start;
  while (i < end && count < MAX_TOKENS) {
    const byte = load<u8>(i);
    const kind = kindOf(byte);
    if (kind === SPACE) {
      i++;
    } else if (kind === WORD) {
      let hash = HASH_SEED;
      do {
        hash = (hash ^ <i32>load<u8>(i++)) * HASH_PRIME;
      } while (i < end && isWordAt(i));
      // Words are negative, punctuation is not: the two can never be equal.
      setWord(out, at + count++, hash | i32.MIN_VALUE);
    } else {
      setWord(out, at + count++, <i32>byte);
      i++;
    }
  }
  return count;
}

/**
 * Twice the common tokens ÷ all tokens, or 0 below SIMILAR. A line in which one word was swapped for one
 * other is always similar, if a word or two marks stay the same.
 */
export function similarity(oneCount: i32, otherCount: i32, common: i32, isWordCommon: bool): f64 {
  const ratio = <f64>(2 * common) / <f64>(oneCount + otherCount);
  if (ratio >= SIMILAR) return ratio;
  const isOneSwapped = oneCount === otherCount && common === oneCount - 1;
  return isOneSwapped && (common > 1 || (common === 1 && isWordCommon)) ? SIMILAR : 0;
}

/** Whether lines of that many tokens can be alike at all. */
export function canBeAlike(oneCount: i32, otherCount: i32): bool {
  return <f64>(2 * min(oneCount, otherCount)) >= SIMILAR * <f64>(oneCount + otherCount);
}

/** Whether the tokens of one array stand in a row in the other, which has more. */
export function isRunOf(few: usize, fewCount: i32, many: usize, manyCount: i32): bool {
  for (let from: i32 = 0; from + fewCount <= manyCount; from++) {
    let at: i32 = 0;
    while (at < fewCount && word(few, at) === word(many, from + at)) at++;
    if (at === fewCount) return true;
  }
  return false;
}

/** Whether one of two lines has the other's text whole. */
export function isContained(oneStart: usize, oneEnd: usize, otherStart: usize, otherEnd: usize): bool {
  const ones = tokenize(oneStart, oneEnd, ONE_TOKENS, 0);
  const others = tokenize(otherStart, otherEnd, OTHER_TOKENS, 0);
  return ones <= others
    ? isRunOf(ONE_TOKENS, ones, OTHER_TOKENS, others)
    : isRunOf(OTHER_TOKENS, others, ONE_TOKENS, ones);
}

/** Tokens are counted in the low byte, those of them that are words above it. */
const TALLY_WORD: i32 = 1 << 8;
const TALLY_MASK: i32 = TALLY_WORD - 1;

/**
 * Whether two lines are alike. Where they begin and end the same they have the same tokens, which need
 * only be counted; what was changed between is mostly a word or two.
 */
export function areAlike(oneStart: usize, oneEnd: usize, otherStart: usize, otherEnd: usize): bool {
  const shorter = min(oneEnd - oneStart, otherEnd - otherStart);
  let head: usize = 0;
  let tail: usize = 0;
  // A longer line might have too many tokens, of which only the first are to be compared.
  if (oneEnd - oneStart <= <usize>MAX_TOKENS && otherEnd - otherStart <= <usize>MAX_TOKENS) {
    while (head < shorter && load<u8>(oneStart + head) === load<u8>(otherStart + head)) head++;
    while (tail < shorter - head && load<u8>(oneEnd - 1 - tail) === load<u8>(otherEnd - 1 - tail)) tail++;
    // Not into the middle of a word.
    while (head > 0 && isWordAt(oneStart + head - 1)) head--;
    while (tail > 0 && isWordAt(oneEnd - tail)) tail--;
  }
  const oneCount = tokenize(oneStart + head, oneEnd - tail, ONE_TOKENS, 0);
  const otherCount = tokenize(otherStart + head, otherEnd - tail, OTHER_TOKENS, 0);
  const ends = tallyTokens(oneStart, oneStart + head) + tallyTokens(oneEnd - tail, oneEnd);
  const common = ends + tallyCommon(oneCount, otherCount);
  const endCount = ends & TALLY_MASK;
  return similarity(oneCount + endCount, otherCount + endCount, common & TALLY_MASK, common >= TALLY_WORD) > 0;
}

function tallyTokens(from: usize, to: usize): i32 {
  let tally: i32 = 0;
  let previous = SPACE;
  for (let at = from; at < to; at++) {
    const kind = kindOf(load<u8>(at));
    if (kind === WORD) {
      if (previous !== WORD) tally += 1 + TALLY_WORD;
    } else if (kind !== SPACE) tally++;
    previous = kind;
  }
  return tally;
}

/** Each token as often as both have it. Crosses out in the other. */
function tallyCommon(oneCount: i32, otherCount: i32): i32 {
  let tally: i32 = 0;
  for (let i: i32 = 0; i < oneCount; i++) {
    const token = word(ONE_TOKENS, i);
    for (let j: i32 = 0; j < otherCount; j++) {
      if (word(OTHER_TOKENS, j) !== token) continue;
      setWord(OTHER_TOKENS, j, 0);
      tally += token < 0 ? 1 + TALLY_WORD : 1;
      break;
    }
  }
  return tally;
}
