// Where everything lies in the kernel's memory. Nothing is allocated while it runs: each array has its place for
// good, and pages that are never touched cost nothing.

import { CHANGE_WORDS, LISTED_WORDS, MOST_LISTED_FILES } from '../contract.ts';
import { DIFF_END } from '../diff/memory.ts';

/** How much may be found between two calls of `forget`, and how much of that room is kept for `openReserve`. */
export const MOST_CHANGED: i32 = 1 << 21;
export const RESERVED_CHANGED: i32 = 1 << 20;
export const LINES_BYTES: usize = 16 << 20;
export const RESERVED_BYTES: usize = 4 << 20;

const CHANGED_WORDS: usize = (<usize>MOST_CHANGED + 64) << 2;

/**
 * What comparisons have found so far: four numbers a hunk, of which there are no more than lines, and where the
 * changed lines begin and end.
 */
export const HUNKS: usize = DIFF_END;
export const REMOVED_FROM: usize = HUNKS + 8 * CHANGED_WORDS;
export const MOST_HUNK_WORDS: i32 = <i32>((REMOVED_FROM - HUNKS) >> 2);
export const REMOVED_TO: usize = REMOVED_FROM + CHANGED_WORDS;
export const ADDED_FROM: usize = REMOVED_TO + CHANGED_WORDS;
export const ADDED_TO: usize = ADDED_FROM + CHANGED_WORDS;
/** The bytes of changed lines. */
export const LINES: usize = ADDED_TO + CHANGED_WORDS;
/** Tables of codes while something is unpacked. */
export const INFLATE_LENGTHS: usize = LINES + LINES_BYTES + 64;
export const INFLATE_COUNTS: usize = INFLATE_LENGTHS + 512;
export const INFLATE_SYMBOLS: usize = INFLATE_COUNTS + 128;
export const INFLATE_LITERALS: usize = INFLATE_SYMBOLS + 2048;
export const INFLATE_DISTANCES: usize = INFLATE_LITERALS + 4096;
export const FIXED_LITERALS: usize = INFLATE_DISTANCES + 1024;
export const FIXED_DISTANCES: usize = FIXED_LITERALS + 4096;
/** Rows of entries in which trees differ. */
export const TREE_ROWS: usize = FIXED_DISTANCES + 1024;
export const TREE_ROWS_BYTES: usize = 8 << 20;
/** Rows of files that are listed. */
export const LISTED: usize = (TREE_ROWS + TREE_ROWS_BYTES + 63) & ~63;
/** Rows of changes, and the order in which they are compared. */
export const MOST_CHANGES: i32 = 1 << 17;
export const CHANGES: usize = LISTED + <usize>(MOST_LISTED_FILES * LISTED_WORDS * 4);
export const ORDER: usize = CHANGES + <usize>(MOST_CHANGES * CHANGE_WORDS * 4);
/** Paths: their bytes behind one another, by number where each ends and its mark, and a table of their numbers. */
export const MOST_PATHS: i32 = 1 << 17;
export const PATH_ROOM: i32 = 12 << 20;
export const PATH_SLOTS_COUNT: i32 = 1 << 18;
export const PATH_ENDS: usize = ORDER + <usize>(MOST_CHANGES * 4);
export const PATH_MARKS: usize = PATH_ENDS + <usize>(MOST_PATHS * 4);
export const PATH_SLOTS: usize = PATH_MARKS + <usize>(MOST_PATHS * 4);
export const PATH_BYTES: usize = PATH_SLOTS + <usize>(PATH_SLOTS_COUNT * 4);
/** Names and locations found lately. */
export const NAME_SLOTS: u32 = 1 << 14;
export const NAMES: usize = (PATH_BYTES + <usize>PATH_ROOM + 63) & ~63;
/** Which objects are held, in rows of a few slots of 24 bytes. */
export const HELD: usize = NAMES + <usize>(NAME_SLOTS * 32);
export const HELD_ROWS: usize = 1 << 12;
export const HELD_SLOTS: usize = 8;
/** Deltas that lead to an object, 16 bytes each. Git makes no longer chains; a broken pack may lead round in a circle. */
export const CHAIN: usize = HELD + HELD_ROWS * HELD_SLOTS * 24;
export const MOST_CHAIN_LENGTH: i32 = 4096;
const CHAIN_BYTES: usize = <usize>MOST_CHAIN_LENGTH * 16;
/** Which pages of packs are held, in rows of 16 bytes, and these pages. */
export const PAGE_ROWS: usize = (CHAIN + CHAIN_BYTES + 63) & ~63;
export const HELD_PAGES: usize = 64;
export const PAGES: usize = PAGE_ROWS + HELD_PAGES * 16;
export const HELD_PAGE_BYTES: usize = 20 << 10;
/** What was read of a pack beside them: an entry too long for a page. */
export const PACKED: usize = (PAGES + HELD_PAGES * HELD_PAGE_BYTES + 65535) & ~65535;
export const PACKED_BYTES: usize = 16 << 20;
/** What was unpacked: a version of a file, or the deltas that lead to one. */
export const UNPACKED: usize = PACKED + PACKED_BYTES;
export const UNPACKED_BYTES: usize = 16 << 20;
export const RING: usize = (UNPACKED + UNPACKED_BYTES + 65535) & ~65535;
