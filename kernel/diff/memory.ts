// Where a comparison keeps what it works with. Each array has its place for good; pages never touched cost nothing.

/** Files with more lines are left to git. */
export const MOST_LINES: i32 = 1 << 20;
/** Searches that take more rounds are left to git: docs/engine/comparing.md, "When git's answer is not the shortest". */
export const MOST_ROUNDS: i32 = 255;

const WORDS: usize = (<usize>MOST_LINES + 64) << 2;

const BEGIN: usize = 1 << 16;
/** Where each line begins, and the length of the file behind the last. */
export const OLD_STARTS: usize = BEGIN;
export const NEW_STARTS: usize = OLD_STARTS + WORDS;
/** The number of each line's content. */
export const OLD_NUMBERS: usize = NEW_STARTS + WORDS;
export const NEW_NUMBERS: usize = OLD_NUMBERS + WORDS;
/** What is known of a content, by number: five words each, and no more contents than lines on both sides. */
export const CONTENTS: usize = NEW_NUMBERS + WORDS;
/** Hash table of contents: a power of two, at least twice as many slots as lines. */
export const SLOTS: usize = CONTENTS + 10 * WORDS;
/** Hunks that are known take the place of the table. */
export const GIVEN_HUNKS: usize = SLOTS;
export const MOST_GIVEN_WORDS: i32 = 4 * (MOST_LINES + 64);
/** What kind each line is of: one byte. */
export const KINDS: usize = SLOTS + 4 * WORDS;
/** The lines that take part in the search, and the numbers of their contents. */
export const OLD_TAKEN: usize = KINDS + WORDS;
export const NEW_TAKEN: usize = OLD_TAKEN + WORDS;
export const OLD_SEQUENCE: usize = NEW_TAKEN + WORDS;
export const NEW_SEQUENCE: usize = OLD_SEQUENCE + WORDS;
/** Groups of changed lines, three words each: at most one between two lines. */
export const OLD_GROUPS: usize = NEW_SEQUENCE + WORDS;
export const NEW_GROUPS: usize = OLD_GROUPS + 2 * WORDS;
/** How far the search has come on each diagonal, from either end. */
const DIAGONALS: usize = (<usize>MOST_ROUNDS * 2 + 16) << 2;
export const FORWARD: usize = NEW_GROUPS + 2 * WORDS;
export const BACKWARD: usize = FORWARD + DIAGONALS;
export const DIFF_END: usize = (BACKWARD + DIAGONALS + 63) & ~63;
