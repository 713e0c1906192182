// Whether a line hides an error or a warning: one of the texts that its language has for that stands on it. A blank of such
// a text stands for any number of blanks, a star for whatever holds no opening brace.
import { STYLE_MASK_HEADS, STYLE_MASKS } from '../../contract.ts';

const BLANK: u8 = 32;
const STAR: u8 = 42;
const BRACE: u8 = 123;

export function masksErrors(style: usize, start: usize, end: usize): bool {
  const heads = style + STYLE_MASK_HEADS;
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    if (load<u8>(heads + <usize>byte) === 0) continue;
    let mark = style + STYLE_MASKS;
    for (let length = load<u8>(mark); length !== 0; length = load<u8>(mark)) {
      // Each begins with its own first byte, never with a blank or a star.
      if (load<u8>(mark + 1) === byte && isAt(at, end, mark + 1, mark + 1 + <usize>length)) return true;
      mark += 1 + <usize>length;
    }
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
