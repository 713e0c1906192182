// Whether a program says at the top of a file that it wrote it. Each such mark has one of a few stems in it, which hardly any
// file has: those that do are shown to the caller.
import { MARK_BYTES, MARK_UNKNOWN, MOST_FILE_BYTES } from '../contract.ts';
import { isMarked } from './env.ts';

const MOST_STEMS: i32 = 8;
/** Each with its length in front. */
const STEM_BYTES: usize = 16;
const STEMS = memory.data(128);
let stems: i32 = 0;

/** To be called with each of them, two to fifteen bytes, before files are looked at. */
export function learnStem(at: usize, length: i32): void {
  if (stems === MOST_STEMS || length < 2 || <usize>length >= STEM_BYTES) unreachable();
  const stem = STEMS + <usize>stems * STEM_BYTES;
  stems++;
  store<u8>(stem, <u8>length);
  memory.copy(stem + 1, at, <usize>length);
}

/** 1 or 0, or MARK_UNKNOWN of a file that is too large. */
export function markOf(at: usize, length: i32): i32 {
  if (length > MOST_FILE_BYTES) return MARK_UNKNOWN;
  const end = at + <usize>min<i32>(length, MARK_BYTES);
  for (let i: i32 = 0; i < stems; i++) if (hasStem(at, end, STEMS + <usize>i * STEM_BYTES)) return isMarked(at, length);
  return 0;
}

function hasStem(at: usize, end: usize, stem: usize): bool {
  const length = <usize>load<u8>(stem++);
  const first = i8x16.splat(load<i8>(stem));
  const second = i8x16.splat(load<i8>(stem, 1));
  // The bytes behind a file may be read.
  for (; at + length <= end; at += 16) {
    const both = v128.and(i8x16.eq(v128.load(at), first), i8x16.eq(v128.load(at, 1), second));
    for (let found = i8x16.bitmask(both); found !== 0; found &= found - 1) {
      const place = at + <usize>ctz(found);
      if (place + length <= end && memory.compare(place, stem, length) === 0) return true;
    }
  }
  return false;
}
