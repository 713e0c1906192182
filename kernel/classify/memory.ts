// Where things lie in the memory of the classifying kernel: tables for good at fixed places, then what the caller gives
// of a commit, then what is worked out. The memory grows with the largest commit.
import {
  ADDED_ENDS_AFTER_ADDED,
  ADDED_ENDS_AFTER_REMOVED,
  ADDED_HASHES_AFTER_ADDED,
  ADDED_HASHES_AFTER_REMOVED,
  ADDED_OPS_AFTER_ADDED,
  ADDED_OPS_AFTER_REMOVED,
  ADDED_SCORES_AFTER_ADDED,
  ADDED_SCORES_AFTER_REMOVED,
  ADDED_STARTS_AFTER_ADDED,
  ADDED_STARTS_AFTER_REMOVED,
  ANSWER_BYTES_PER_ADDED,
  ANSWER_BYTES_PER_REMOVED,
  AS_NEW_AFTER_ADDED,
  AS_NEW_AFTER_REMOVED,
  FILE_COLUMN_COUNT,
  GIVEN_WORDS,
  HUNK_WORDS,
  MOST_STYLES,
  PARTNERS_AFTER_ADDED,
  PARTNERS_AFTER_REMOVED,
  REMOVED_ENDS_AFTER_ADDED,
  REMOVED_ENDS_AFTER_REMOVED,
  REMOVED_HASHES_AFTER_ADDED,
  REMOVED_HASHES_AFTER_REMOVED,
  REMOVED_OPS_AFTER_ADDED,
  REMOVED_OPS_AFTER_REMOVED,
  REMOVED_SCORES_AFTER_ADDED,
  REMOVED_SCORES_AFTER_REMOVED,
  REMOVED_STARTS_AFTER_ADDED,
  REMOVED_STARTS_AFTER_REMOVED,
  SCORE_NUMBERS,
  SOURCES_AFTER_ADDED,
  SOURCES_AFTER_REMOVED,
  STYLE_BYTES,
  TEXT_AFTER_ADDED,
  TEXT_AFTER_REMOVED,
  WORD_TABLES,
} from '../contract.ts';

/** Slots of each table of words. */
export const WORD_SLOTS: i32 = 512;

const BEGIN: usize = 1 << 14;
export const WORDS: usize = BEGIN;
export const STYLES: usize = WORDS + <usize>(WORD_TABLES * WORD_SLOTS * 4);
export const SCORES: usize = (STYLES + <usize>(MOST_STYLES * STYLE_BYTES) + 15) & ~15;
/** By weight of a line. */
export const LENGTH_FACTORS: usize = SCORES + <usize>(SCORE_NUMBERS * 8);
export const MOST_LENGTH: i32 = 255;
/** A hunk is aligned piece by piece, each at most this many lines high: work stays linear. */
export const PIECE: i32 = 32;
/** Longer lines are compared by their first tokens. */
export const MAX_TOKENS: i32 = 96;
const PIECE_TOKENS: i32 = PIECE * MAX_TOKENS;
export const ROW_LINES: usize = LENGTH_FACTORS + <usize>((MOST_LENGTH + 1) * 8);
export const ROW_TOKENS: usize = ROW_LINES + <usize>(PIECE * 4);
export const ROW_ENDS: usize = ROW_TOKENS + <usize>(PIECE_TOKENS * 4);
export const COLUMN_LINES: usize = ROW_ENDS + <usize>((PIECE + 1) * 4);
export const COLUMN_TOKENS: usize = COLUMN_LINES + <usize>(PIECE * 4);
export const COLUMN_ENDS: usize = COLUMN_TOKENS + <usize>(PIECE_TOKENS * 4);
/** The tokens of a piece are numbered from 0 on: slots lead from a token's hash to its number, plus one. */
export const SLOT_BITS: i32 = 14;
export const TOKEN_SLOTS: usize = COLUMN_ENDS + <usize>((PIECE + 1) * 4);
export const SLOT_OF_NUMBER: usize = TOKEN_SLOTS + <usize>(1 << (SLOT_BITS + 2));
export const TOKEN_OF_NUMBER: usize = SLOT_OF_NUMBER + <usize>(2 * PIECE_TOKENS * 4);
/** How often the row at hand has each token, and those found in a column. */
export const LEFT: usize = TOKEN_OF_NUMBER + <usize>(2 * PIECE_TOKENS * 4);
export const FOUND: usize = LEFT + <usize>(2 * PIECE_TOKENS * 4);
/** Per row and per column, which tokens it has: one bit for each remainder of their numbers by 64. */
export const ROW_SETS: usize = (FOUND + <usize>((MAX_TOKENS + 1) * 4) + 7) & ~7;
export const COLUMN_SETS: usize = ROW_SETS + <usize>(PIECE * 8);
/** The similarity of all pairs, and the best sums for what lies behind them. */
export const ALIKE: usize = COLUMN_SETS + <usize>(PIECE * 8);
export const BEST: usize = ALIKE + <usize>(PIECE * PIECE * 8);
/** Tokens of two lines that are compared by themselves. */
export const ONE_TOKENS: usize = BEST + <usize>((PIECE + 1) * (PIECE + 1) * 8);
export const OTHER_TOKENS: usize = ONE_TOKENS + <usize>(MAX_TOKENS * 4);
/** Two lines of so many tokens are aligned token by token. */
export const ALIGNED_TOKENS: i32 = 40;
export const TOKEN_ALIGNMENT: usize = OTHER_TOKENS + <usize>(MAX_TOKENS * 4);
/** Places of digits while many numbers are sorted. */
export const RADIX_BITS: i32 = 11;
export const RADIX_PLACES: usize = TOKEN_ALIGNMENT + <usize>((ALIGNED_TOKENS + 1) * (ALIGNED_TOKENS + 1) * 4);

/** What the caller gives of a commit. */
export const GIVEN: usize = (RADIX_PLACES + <usize>(4 << RADIX_BITS) + 65535) & ~65535;

/** Of one side, removed or added; lines are numbered through the whole commit. */
@unmanaged
export class Lines {
  count: i32;
  /** Where each begins and ends. */
  starts: usize;
  ends: usize;
  /** Of its text without whitespace, and how many bytes that has. */
  hashes: usize;
  weights: usize;
  traits: usize;
  /** Its first byte that is no space, or its end. */
  firsts: usize;
  kinds: usize;
  ops: usize;
  hunks: usize;
  /** Per hunk: its lines [from, to). Per file: its first line. */
  from: usize;
  to: usize;
  base: usize;
  /** What is answered of each line. */
  scores: usize;
  answers: usize;
}

const SIDES = memory.data(2 * 64);
export const removed = changetype<Lines>(SIDES);
export const added = changetype<Lines>(SIDES + 64);

export let fileCount: i32 = 0;
export let hunkCount: i32 = 0;
/** The file of each hunk. */
export let hunkFiles: usize = 0;
/** How many unchanged lines of its file stand before each hunk. */
export let unchangedBefore: usize = 0;
/** HUNK_WORDS a hunk, as given. */
export let givenHunks: usize = 0;
/** The answer: all numbers of the commit, as `ClassifiedCommit` has them. */
export let answer: usize = 0;
export let answerBytes: i32 = 0;
export let partners: usize = 0;
export let asNew: usize = 0;
/** Per added line: the removed line of the commit that its text comes from, or −1. */
export let sources: usize = 0;
/** Per added line that is find/replaced: on how many lines the same was replaced. */
export let replacedTimes: usize = 0;
/** Per hunk: 1 when nothing but its formatting changed. */
export let reformatted: usize = 0;
/** Pairs of similar lines. */
export let pairCount: i32 = 0;
export let pairRemoved: usize = 0;
export let pairAdded: usize = 0;
/** From here on each step has its own use of the memory. */
export let scratch: usize = 0;

export function setHunkCount(count: i32): void {
  hunkCount = count;
}

export function setPairCount(count: i32): void {
  pairCount = count;
}

let end: usize = 0;

function take(bytes: usize): usize {
  const at = end;
  end = (end + bytes + 7) & ~7;
  return at;
}

/** Makes sure that the memory reaches so far. */
export function reach(to: usize): void {
  const missing = <i64>to - ((<i64>memory.size()) << 16);
  if (missing > 0 && memory.grow(<i32>((missing + 65535) >> 16)) < 0) unreachable();
}

/** Places for a commit of so many files and lines, behind what was given. */
export function layOut(files: i32, hunkWords: i32, removedCount: i32, addedCount: i32, byteCount: i32): void {
  fileCount = files;
  removed.count = removedCount;
  added.count = addedCount;
  givenHunks = GIVEN + <usize>(files * GIVEN_WORDS * 4);
  const places = givenHunks + ((<usize>hunkWords) << 2);
  removed.starts = placeArray(places, REMOVED_STARTS_AFTER_REMOVED, REMOVED_STARTS_AFTER_ADDED);
  removed.ends = placeArray(places, REMOVED_ENDS_AFTER_REMOVED, REMOVED_ENDS_AFTER_ADDED);
  added.starts = placeArray(places, ADDED_STARTS_AFTER_REMOVED, ADDED_STARTS_AFTER_ADDED);
  added.ends = placeArray(places, ADDED_ENDS_AFTER_REMOVED, ADDED_ENDS_AFTER_ADDED);
  end = placeArray(places, TEXT_AFTER_REMOVED, TEXT_AFTER_ADDED);
  take(<usize>byteCount);
  // A file may have lines that its hunks do not cover.
  const mostHunks = hunkWords / HUNK_WORDS + files;
  hunkFiles = take((<usize>mostHunks) << 2);
  unchangedBefore = take((<usize>mostHunks) << 2);
  layOutSide(removed, files, mostHunks);
  layOutSide(added, files, mostHunks);
  const mostPairs = min(removedCount, addedCount);
  replacedTimes = take((<usize>addedCount) << 2);
  reformatted = take(<usize>mostHunks);
  pairRemoved = take((<usize>mostPairs) << 2);
  pairAdded = take((<usize>mostPairs) << 2);
  layOutAnswer(files);
  scratch = end;
  reach(end);
}

/** Behind `from`, with so many words per removed line and per added line in front. */
function placeArray(from: usize, perRemoved: i32, perAdded: i32): usize {
  return from + <usize>((removed.count * perRemoved + added.count * perAdded) * 4);
}

function layOutSide(side: Lines, files: i32, hunks: i32): void {
  const count = <usize>side.count;
  side.weights = take(count << 2);
  side.firsts = take(count << 2);
  side.hunks = take(count << 2);
  side.traits = take(count);
  side.kinds = take(count);
  side.ops = take(count);
  side.from = take((<usize>hunks) << 2);
  side.to = take((<usize>hunks) << 2);
  side.base = take((<usize>(files + 1)) << 2);
}

function layOutAnswer(files: i32): void {
  answer = end;
  const lines = answer + <usize>(files * FILE_COLUMN_COUNT * 4);
  added.hashes = answerArray(lines, ADDED_HASHES_AFTER_ADDED, ADDED_HASHES_AFTER_REMOVED);
  removed.hashes = answerArray(lines, REMOVED_HASHES_AFTER_ADDED, REMOVED_HASHES_AFTER_REMOVED);
  partners = answerArray(lines, PARTNERS_AFTER_ADDED, PARTNERS_AFTER_REMOVED);
  added.scores = answerArray(lines, ADDED_SCORES_AFTER_ADDED, ADDED_SCORES_AFTER_REMOVED);
  removed.scores = answerArray(lines, REMOVED_SCORES_AFTER_ADDED, REMOVED_SCORES_AFTER_REMOVED);
  asNew = answerArray(lines, AS_NEW_AFTER_ADDED, AS_NEW_AFTER_REMOVED);
  sources = answerArray(lines, SOURCES_AFTER_ADDED, SOURCES_AFTER_REMOVED);
  added.answers = answerArray(lines, ADDED_OPS_AFTER_ADDED, ADDED_OPS_AFTER_REMOVED);
  removed.answers = answerArray(lines, REMOVED_OPS_AFTER_ADDED, REMOVED_OPS_AFTER_REMOVED);
  answerBytes = <i32>(answerArray(lines, ANSWER_BYTES_PER_ADDED, ANSWER_BYTES_PER_REMOVED) - answer);
  take(<usize>answerBytes);
}

/** Behind `from`, with so many bytes per added line and per removed line in front. */
function answerArray(from: usize, perAdded: i32, perRemoved: i32): usize {
  return from + <usize>(added.count * perAdded + removed.count * perRemoved);
}

/** For hashing the lines of a file, which stands where commits are given; answers where the hashes go. */
export function layOutFile(byteCount: i32, lineCount: i32): usize {
  end = GIVEN;
  take(<usize>byteCount);
  const hashes = take((<usize>lineCount) << 2);
  reach(end);
  return hashes;
}
