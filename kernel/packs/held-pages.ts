// What was read of packs, page by page. Git writes versions that go back to one another close together, and trees, commits and
// files each in a part of the pack: what is wanted next mostly lies in one of the pages that were read last.

import { readPack } from './env.ts';
import { HELD_PAGE_BYTES, HELD_PAGES, PACKED, PACKED_BYTES, PAGE_ROWS, PAGES } from './memory.ts';

/** Where pages begin: a page holds some bytes more, for entries that begin close to its end. */
const PAGE_STEP: i32 = 16 << 10;

@unmanaged
class Page {
  /** Its number and one; nothing is held at 0. */
  tag: f64;
  held: i32;
  /** To 16 bytes. */
  unused: i32;
}

/** A long entry, which lies at PACKED. */
let longFrom: f64 = 0;
let longHeld: i32 = 0;

/** Where the bytes that were held last lie. */
let at: usize = 0;

/** For packs of another repository. */
export function forgetPages(): void {
  longHeld = 0;
  memory.fill(PAGE_ROWS, 0, PAGES - PAGE_ROWS);
}

export function heldAt(): usize {
  return at;
}

/** Holds so many bytes from the location on, unless the pack ends before; answers how many it holds. */
export function hold(location: f64, wanted: i32): i32 {
  const number = floor<f64>(location / <f64>PAGE_STEP);
  const skipped = <i32>(location - number * <f64>PAGE_STEP);
  return skipped + wanted <= <i32>HELD_PAGE_BYTES ? holdPage(number, skipped) : holdLong(location, wanted);
}

function holdPage(number: f64, skipped: i32): i32 {
  const slot = <usize>(<u64>number % <u64>HELD_PAGES);
  const page = changetype<Page>(PAGE_ROWS + slot * offsetof<Page>());
  const from = PAGES + slot * HELD_PAGE_BYTES;
  if (page.tag !== number + 1) {
    // Nothing is held while it reads: what a failure leaves is unknown.
    page.tag = 0;
    page.held = readPack(number * <f64>PAGE_STEP, <i32>HELD_PAGE_BYTES, from);
    page.tag = number + 1;
  }
  at = from + <usize>skipped;
  return max<i32>(page.held - skipped, 0);
}

function holdLong(location: f64, wanted: i32): i32 {
  const skipped = location - longFrom;
  if (skipped < 0 || skipped + <f64>wanted > <f64>longHeld) {
    longHeld = 0;
    longHeld = readPack(location, min<i32>(wanted, <i32>PACKED_BYTES), PACKED);
    longFrom = location;
  }
  at = PACKED + <usize>(location - longFrom);
  return longHeld - <i32>(location - longFrom);
}
