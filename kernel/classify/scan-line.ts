// One pass over a line's bytes: a hash of its text without whitespace, how many bytes that has, and which kinds of
// characters. The hash alone says whether a line is significant, because the duplicate index sees whole files
// without knowing what stands around a line.
import { BARE_KEYWORDS, SIGNIFICANT } from '../contract.ts';
import { HASH_PRIME, HASH_SEED, isKnownWord, isWordAt, kindOf, WORD } from './bytes.ts';
import { Lines } from './memory.ts';

/** Has a letter, digit, underscore or non-ASCII byte. */
export const WORD_TRAIT: i32 = 1;
export const OPEN_PARENTHESIS: i32 = 2;
export const QUOTE: i32 = 4;
/** Nothing but keywords that carry no meaning by themselves, and punctuation. */
export const BARE_KEYWORD: i32 = 8;

const TRAITS_OF_BYTE = memory.data(256);
const LONGEST_BARE: i32 = 16;

export function learnTraits(): void {
  for (let byte: i32 = 0; byte < 256; byte++) {
    let traits: i32 = kindOf(<u8>byte) === WORD ? WORD_TRAIT : 0;
    if (byte === 40) traits |= OPEN_PARENTHESIS;
    if (byte === 34 || byte === 39) traits |= QUOTE;
    store<u8>(TRAITS_OF_BYTE + <usize>byte, traits);
  }
}

/** What else was found on the line hashed last. */
let first: usize = 0;
let weight: i32 = 0;
let traits: i32 = 0;

export function scanLine(start: usize, end: usize, lines: Lines, line: i32): void {
  const place = (<usize>line) << 2;
  store<i32>(lines.hashes + place, hashLine(start, end));
  store<i32>(lines.weights + place, weight);
  store<usize>(lines.firsts + place, first);
  store<u8>(lines.traits + <usize>line, traits);
}

export function hashLine(start: usize, end: usize): i32 {
  let at = start;
  while (at < end && load<u8>(at) <= 32) at++;
  const begin = at;
  let hash = HASH_SEED;
  let ink: i32 = 0;
  let found: i32 = 0;
  for (; at < end; at++) {
    const byte = load<u8>(at);
    // All ones unless it is a space, which then changes nothing: no branch, for nobody can predict where words end.
    const isInk = (32 - <i32>byte) >> 31;
    hash = (hash ^ (<i32>byte & isInk)) * (((HASH_PRIME - 1) & isInk) + 1);
    found |= <i32>load<u8>(TRAITS_OF_BYTE + <usize>byte);
    ink -= isInk;
  }
  // FNV's high bits are weak for short input; tables index by low bits of the mixed value.
  hash = (hash ^ (hash >>> 15)) * 0x2c1b3c6d;
  hash = (hash ^ (hash >>> 12)) * 0x297a2d39;
  hash = (hash ^ (hash >>> 15)) & ~SIGNIFICANT;
  if ((found & WORD_TRAIT) !== 0) {
    if (ink <= LONGEST_BARE && isBareKeyword(begin, end)) found |= BARE_KEYWORD;
    else if (!looksLikeComment(begin, end)) hash |= SIGNIFICANT;
  }
  first = begin;
  weight = ink;
  traits = found;
  return hash;
}

/** The words of a line run together, punctuation dropped: `} else if (` is "elseif". */
function isBareKeyword(first: usize, end: usize): bool {
  let words = HASH_SEED;
  for (let at = first; at < end; at++) if (isWordAt(at)) words = (words ^ <i32>load<u8>(at)) * HASH_PRIME;
  return isKnownWord(BARE_KEYWORDS, words);
}

/** By its first characters only, in any language: good enough to keep licence headers out of duplicates. */
function looksLikeComment(first: usize, end: usize): bool {
  const next: u8 = first + 1 < end ? load<u8>(first + 1) : 32;
  switch (load<u8>(first)) {
    case 35: // #
      return next <= 32 || next === 33 || next === 35;
    case 47: // /
      return next === 47 || next === 42;
    case 42: // *
      return next <= 32 || next === 47 || next === 42;
    case 45: // -
      return next === 45;
    case 60: // <
      return next === 33;
    case 59: // ;
      return next === 59 || next <= 32;
    default:
      return false;
  }
}
