// Lines of a file: where they begin, whether two are the same, what they hash to.
import { setWord, word } from '../words.ts';
import { MOST_LINES } from './memory.ts';

const LINE_FEED: u8 = 10;
const BINARY_PROBE_BYTES: i32 = 8000;
const MIX: u64 = 0x9e3779b97f4a7;

/**
 * Writes the offsets at which lines begin that end before `to`, behind `count` that are there already, of the lines
 * that begin at or before `from`. Answers how many there are then; -1 for too many.
 */
export function findStarts(at: usize, from: i32, to: i32, starts: usize, count: i32): i32 {
  const feed = i8x16.splat(<i8>LINE_FEED);
  let offset = from;
  for (; offset + 64 <= to; offset += 64) {
    if (count + 64 >= MOST_LINES) return -1;
    const place = at + <usize>offset;
    const low = feedsIn(place, feed) | (feedsIn(place + 16, feed) << 16);
    const high = feedsIn(place + 32, feed) | (feedsIn(place + 48, feed) << 16);
    for (let found = low | (high << 32); found !== 0; found &= found - 1)
      setWord(starts, count++, offset + <i32>ctz(found) + 1);
  }
  if (count + 64 >= MOST_LINES) return -1;
  for (; offset < to; offset++) if (load<u8>(at + <usize>offset) === LINE_FEED) setWord(starts, count++, offset + 1);
  return count;
}

/** A bit for each of sixteen bytes. */
function feedsIn(at: usize, feed: v128): u64 {
  return <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.load(at), feed)));
}

/** Copies offsets with something added to each. */
export function copyShifted(from: usize, to: usize, count: i32, shift: i32): void {
  const shifts = i32x4.splat(shift);
  let i: i32 = 0;
  for (; i + 4 <= count; i += 4) {
    const at = (<usize>i) << 2;
    v128.store(to + at, i32x4.add(v128.load(from + at), shifts));
  }
  for (; i < count; i++) setWord(to, i, word(from, i) + shift);
}

/** Git's rule: a NUL near the beginning. */
export function isBinary(at: usize, length: i32): bool {
  const end = min(length, BINARY_PROBE_BYTES);
  const zero = i8x16.splat(0);
  let offset: i32 = 0;
  for (; offset + 64 <= end; offset += 64) {
    const place = at + <usize>offset;
    const one = i8x16.min_u(v128.load(place), v128.load(place + 16));
    const other = i8x16.min_u(v128.load(place + 32), v128.load(place + 48));
    if (v128.any_true(i8x16.eq(i8x16.min_u(one, other), zero))) return true;
  }
  for (; offset < end; offset++) if (load<u8>(at + <usize>offset) === 0) return true;
  return false;
}

export function areSame(a: usize, b: usize, length: i32): bool {
  let offset: usize = 0;
  const end = <usize>length;
  for (; offset + 16 <= end; offset += 16)
    if (v128.any_true(v128.xor(v128.load(a + offset), v128.load(b + offset)))) return false;
  if (offset + 8 <= end) {
    if (load<u64>(a + offset) !== load<u64>(b + offset)) return false;
    offset += 8;
  }
  return lastBytes(a + offset, end - offset) === lastBytes(b + offset, end - offset);
}

/** Up to seven bytes as one number: all eight are read, which the memory behind a file allows. */
function lastBytes(at: usize, count: usize): u64 {
  if (count === 0) return 0;
  const spare = (8 - <u64>count) << 3;
  return (load<u64>(at) << spare) >> spare;
}

/** Two numbers are multiplied at a time, which do not wait for each other. */
export function hashBytes(at: usize, length: i32): u32 {
  let one: u64 = MIX ^ <u64>length;
  let other: u64 = MIX;
  let offset: usize = 0;
  const end = <usize>length;
  for (; offset + 16 <= end; offset += 16) {
    one = (one ^ load<u64>(at + offset)) * MIX;
    other = (other ^ load<u64>(at + offset + 8)) * MIX;
    one ^= one >> 32;
    other ^= other >> 32;
  }
  if (offset + 8 <= end) {
    other = (other ^ load<u64>(at + offset)) * MIX;
    other ^= other >> 32;
    offset += 8;
  }
  const hash = (one ^ rotl<u64>(other, 25) ^ lastBytes(at + offset, end - offset)) * MIX;
  return <u32>(hash >> 32) ^ <u32>hash;
}

/** Of its length and its last bytes: the same for lines that are the same, and mostly another for others. */
export function endMark(at: usize, length: i32): i32 {
  const end = <usize>length;
  const last = length >= 8 ? load<u64>(at + end - 8) : lastBytes(at, end);
  const mixed = (last ^ ((<u64>length) << 48)) * MIX;
  return <i32>(mixed >> 40);
}

/** How many bytes two files share at their beginning. */
export function commonPrefix(a: usize, b: usize, smaller: i32): i32 {
  let offset: i32 = 0;
  for (; offset + 64 <= smaller; offset += 64) if (!areSame64(a + <usize>offset, b + <usize>offset)) break;
  for (; offset + 8 <= smaller; offset += 8) {
    const differing = load<u64>(a + <usize>offset) ^ load<u64>(b + <usize>offset);
    if (differing !== 0) return offset + <i32>(ctz(differing) >> 3);
  }
  while (offset < smaller && load<u8>(a + <usize>offset) === load<u8>(b + <usize>offset)) offset++;
  return offset;
}

/** At their end; may overlap the beginning. */
export function commonSuffix(aEnd: usize, bEnd: usize, smaller: i32): i32 {
  let same: i32 = 0;
  for (; same + 64 <= smaller; same += 64) if (!areSame64(aEnd - <usize>same - 64, bEnd - <usize>same - 64)) break;
  for (; same + 8 <= smaller; same += 8) {
    const back = <usize>(same + 8);
    const differing = load<u64>(aEnd - back) ^ load<u64>(bEnd - back);
    if (differing !== 0) return same + <i32>(clz(differing) >> 3);
  }
  while (same < smaller && load<u8>(aEnd - <usize>same - 1) === load<u8>(bEnd - <usize>same - 1)) same++;
  return same;
}

function areSame64(a: usize, b: usize): bool {
  const one = v128.or(differingBits(a, b), differingBits(a + 16, b + 16));
  const other = v128.or(differingBits(a + 32, b + 32), differingBits(a + 48, b + 48));
  return !v128.any_true(v128.or(one, other));
}

function differingBits(a: usize, b: usize): v128 {
  return v128.xor(v128.load(a), v128.load(b));
}
