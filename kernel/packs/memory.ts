// Where everything lies in the kernel's memory. Nothing is allocated while it runs: each array has its place for
// good, and pages that are never touched cost nothing.

/** Files with more lines are left to git. */
export const MOST_LINES: i32 = 1 << 20;
/** How much may be found between two calls of `forget`, and how much of that room is kept for `openReserve`. */
export const MOST_CHANGED: i32 = 1 << 21;
export const RESERVED_CHANGED: i32 = 1 << 20;
export const LINES_BYTES: usize = 24 << 20;
export const RESERVED_BYTES: usize = 8 << 20;

const WORDS: usize = (<usize>MOST_LINES + 64) << 2;
const CHANGED_WORDS: usize = (<usize>MOST_CHANGED + 64) << 2;
const BYTES: usize = <usize>MOST_LINES + 128;

const BEGIN: usize = 1 << 16;
export const OLD_STARTS: usize = BEGIN;
export const NEW_STARTS: usize = OLD_STARTS + WORDS;
/** One byte a line, a zero before the first and behind the last. */
export const OLD_CHANGED: usize = NEW_STARTS + WORDS + 16;
export const NEW_CHANGED: usize = OLD_CHANGED + BYTES;
export const OLD_IDS: usize = (NEW_CHANGED + BYTES + 15) & ~15;
export const NEW_IDS: usize = OLD_IDS + WORDS;
/** By number of a line: where it lies, its length, its hash, how often it occurs on each side. */
export const SAMPLE_AT: usize = NEW_IDS + WORDS;
export const SAMPLE_LENGTH: usize = SAMPLE_AT + 2 * WORDS;
export const SAMPLE_HASH: usize = SAMPLE_LENGTH + 2 * WORDS;
export const IN_OLD: usize = SAMPLE_HASH + 2 * WORDS;
export const IN_NEW: usize = IN_OLD + 2 * WORDS;
/** Hash table of numbers plus one: four slots a line. */
export const SLOTS: usize = IN_NEW + 2 * WORDS;
export const MATCHES: usize = SLOTS + 4 * WORDS;
export const OLD_KEPT: usize = (MATCHES + BYTES + 15) & ~15;
export const NEW_KEPT: usize = OLD_KEPT + WORDS;
export const OLD_SEQUENCE: usize = NEW_KEPT + WORDS;
export const NEW_SEQUENCE: usize = OLD_SEQUENCE + WORDS;
export const FORWARD: usize = NEW_SEQUENCE + WORDS;
export const BACKWARD: usize = FORWARD + 2 * WORDS + 64;
/**
 * What comparisons have found so far: four numbers a hunk, of which there are no more than lines, and where the
 * changed lines begin and end.
 */
export const HUNKS: usize = BACKWARD + 2 * WORDS + 64;
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
/** What was read of a pack. */
export const PACKED: usize = (FIXED_DISTANCES + 1024 + 65535) & ~65535;
export const PACKED_BYTES: usize = 16 << 20;
/** What was unpacked: a version of a file, or the deltas that lead to one. */
export const UNPACKED: usize = PACKED + PACKED_BYTES;
export const UNPACKED_BYTES: usize = 16 << 20;
/** Spans of files that may have been renamed, eight bytes each, and how many bytes there are by hash of a span. */
export const MOST_SPANS: i32 = 1 << 20;
export const SPAN_HASHES: u32 = 107_927;
export const SPANS: usize = UNPACKED + UNPACKED_BYTES;
export const SPREAD: usize = SPANS + ((<usize>MOST_SPANS) << 3);
export const RING: usize = (SPREAD + ((<usize>SPAN_HASHES) << 2) + 65535) & ~65535;
