// Whether a line hides an error or a warning: one of the texts that its language has for that stands on it. A blank of such
// a text stands for any number of blanks, a star for whatever holds no opening brace.
import { STYLE_MASK_FILTER, STYLE_MASKS } from '../../contract.ts';

const BLANK: u8 = 32;
const STAR: u8 = 42;
const BRACE: u8 = 123;

/** Sixteen places at a time; the filter passes few of them. Bytes behind the line are looked at, but not taken for its own. */
export function masksErrors(style: usize, start: usize, end: usize): bool {
  const filter = style + STYLE_MASK_FILTER;
  for (let at = start; at < end; at += 16) {
    const sets = v128.and(setsOf(filter, at), v128.and(setsOf(filter + 32, at + 1), setsOf(filter + 64, at + 2)));
    let found = i8x16.bitmask(i8x16.ne(sets, i8x16.splat(0)));
    for (; found !== 0; found &= found - 1) {
      const place = at + <usize>ctz(found);
      if (place >= end) return false;
      if (isMaskAt(style, place, end)) return true;
    }
  }
  return false;
}

/** Of each of sixteen bytes: the texts that have it at this place. */
function setsOf(filter: usize, at: usize): v128 {
  const bytes = v128.load(at);
  const low = i8x16.swizzle(v128.load(filter), v128.and(bytes, i8x16.splat(15)));
  const high = i8x16.swizzle(v128.load(filter + 16), i8x16.shr_u(bytes, 4));
  return v128.and(low, high);
}

function isMaskAt(style: usize, at: usize, end: usize): bool {
  const byte = load<u8>(at);
  let mark = style + STYLE_MASKS;
  for (let length = load<u8>(mark); length !== 0; length = load<u8>(mark)) {
    // Each begins with its own first byte, never with a blank or a star.
    if (load<u8>(mark + 1) === byte && isAt(at, end, mark + 1, mark + 1 + <usize>length)) return true;
    mark += 1 + <usize>length;
  }
  return false;
}

function isAt(at: usize, end: usize, mark: usize, markEnd: usize): bool {
  while (mark < markEnd) {
    const byte = load<u8>(mark);
    mark++;
    if (byte === STAR) {
      for (; at < end; at++) {
        if (isAt(at, end, mark, markEnd)) return true;
        if (load<u8>(at) === BRACE) return false;
      }
      return false;
    }
    if (byte === BLANK) {
      while (at < end && load<u8>(at) <= BLANK) at++;
      continue;
    }
    if (at >= end || load<u8>(at) !== byte) return false;
    at++;
  }
  return true;
}
