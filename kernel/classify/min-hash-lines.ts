// The significant changed lines of a commit as sorted hashes, each once: of them the smallest make its min-hash.
import { GIVEN_PATH_HASH, MOVED, NOOP, OP_MASK, OPERATION_CODES, UNSCORED } from '../contract.ts';
import { setWord, word } from '../words.ts';
import { given } from './commit-lines.ts';
import { added, fileCount, Lines, RADIX_BITS, RADIX_PLACES, reach, removed, scratch } from './memory.ts';

if (OPERATION_CODES !== 7) ERROR('takeLines chooses among seven operation codes: say whether the new one is taken');
if (OPERATION_CODES > OP_MASK + 1) ERROR('OP_MASK is too narrow for the operation codes');

const PATH_SALT: i32 = 0x9e3779b9;
/** The lowest bit of a hash says the side: an added line differs from the same line removed in it alone. */
const SIDE: i32 = 1;
const FEW: i32 = 48;

/** Where the hashes lie. */
export let minHash: usize = 0;

/** Answers how many there are. Lines count with their path and side; blank lines, brackets, comments and moved ones do not. */
export function minHashLines(): i32 {
  minHash = scratch;
  reach(minHash + ((<usize>(removed.count + added.count)) << 2));
  let used: i32 = 0;
  for (let file: i32 = 0; file < fileCount; file++) {
    const path = given(file, GIVEN_PATH_HASH);
    const salt = mix(path ^ PATH_SALT);
    used = takeLines(added, file, salt, SIDE, used);
    used = takeLines(removed, file, salt, 0, used);
  }
  if (used <= FEW) sortFew(used);
  else sortMany(used);
  return dropRepeated(used);
}

function takeLines(lines: Lines, file: i32, salt: i32, side: i32, from: i32): i32 {
  let used = from;
  const to = word(lines.base, file + 1);
  for (let line = word(lines.base, file); line < to; line++) {
    const bits = load<u8>(lines.answers + <usize>line);
    const op = bits & OP_MASK;
    if ((bits & UNSCORED) === 0 && op !== NOOP && op !== MOVED)
      setWord(minHash, used++, (mix(word(lines.hashes, line) ^ salt) & ~SIDE) | side);
  }
  return used;
}

/** Insertion sort: most commits change a few lines. */
function sortFew(count: i32): void {
  for (let i: i32 = 1; i < count; i++) {
    const value = <u32>word(minHash, i);
    let j = i - 1;
    for (; j >= 0 && <u32>word(minHash, j) > value; j--) setWord(minHash, j + 1, word(minHash, j));
    setWord(minHash, j + 1, value);
  }
}

/** By eleven bits at a time, from the lowest: linear. */
function sortMany(count: i32): void {
  let from = minHash;
  let to = minHash + ((<usize>count) << 2);
  reach(to + ((<usize>count) << 2));
  for (let shift: i32 = 0; shift < 32; shift += RADIX_BITS) {
    memory.fill(RADIX_PLACES, 0, (<usize>4) << RADIX_BITS);
    for (let i: i32 = 0; i < count; i++) {
      const digit = digitOf(word(from, i), shift);
      setWord(RADIX_PLACES, digit, word(RADIX_PLACES, digit) + 1);
    }
    let at: i32 = 0;
    for (let digit: i32 = 0; digit < 1 << RADIX_BITS; digit++) {
      const many = word(RADIX_PLACES, digit);
      setWord(RADIX_PLACES, digit, at);
      at += many;
    }
    for (let i: i32 = 0; i < count; i++) {
      const digit = digitOf(word(from, i), shift);
      const place = word(RADIX_PLACES, digit);
      setWord(RADIX_PLACES, digit, place + 1);
      setWord(to, place, word(from, i));
    }
    const sorted = to;
    to = from;
    from = sorted;
  }
  minHash = from;
}

function digitOf(value: i32, shift: i32): i32 {
  return (value >>> shift) & ((1 << RADIX_BITS) - 1);
}

function dropRepeated(count: i32): i32 {
  let distinct: i32 = 0;
  for (let i: i32 = 0; i < count; i++)
    if (i === 0 || word(minHash, i) !== word(minHash, distinct - 1)) setWord(minHash, distinct++, word(minHash, i));
  return distinct;
}

function mix(value: i32): i32 {
  let mixed = (value ^ (value >>> 16)) * 0x7feb352d;
  mixed = (mixed ^ (mixed >>> 15)) * 0x846ca68b;
  return mixed ^ (mixed >>> 16);
}
