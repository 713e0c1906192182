// What of an analysis is worth machine code: making versions of files from git's deltas, and comparing them line
// by line with git's own result. Compiled to WebAssembly by the build. The memory is the caller's to look at.
import { applyDelta, deltaResult } from './apply-delta.ts';
import { inflate } from './inflate.ts';
import { areSame, commonPrefix, commonSuffix, findLines, isBinary, setWord } from './lines.ts';
import {
  ADDED_FROM,
  ADDED_TO,
  HUNKS,
  LINES,
  LINES_BYTES,
  MOST_LINES,
  NEW_CHANGED,
  NEW_STARTS,
  OLD_CHANGED,
  OLD_STARTS,
  PACKED,
  PACKED_BYTES,
  REMOVED_FROM,
  REMOVED_TO,
  RING,
  UNPACKED,
  UNPACKED_BYTES,
} from './memory.ts';
import { markChanges } from './shortest-edit.ts';
import { isChanged, lineAt, lineLength, lineStart, linesBegunAt, Side } from './side.ts';
import { slideGroups } from './slide-groups.ts';

export {
  ADDED_FROM,
  ADDED_TO,
  applyDelta,
  deltaResult,
  HUNKS,
  inflate,
  PACKED,
  PACKED_BYTES,
  REMOVED_FROM,
  REMOVED_TO,
  RING,
  UNPACKED,
  UNPACKED_BYTES,
};

/** Answers of a comparison that found no hunks to tell. */
const BINARY: i32 = -1;
const TOO_LARGE: i32 = -2;

const LINE_FEED: u8 = 10;
/** Equal tails are cut off in blocks of this size before lines are compared: no group slides into them. */
const TAIL_BLOCK_BYTES: i32 = 1024;
/** Up to this many pairs of changed lines are compared one by one before anything is hashed. */
const FEW_PAIRS: i32 = 256;

const SIDES = memory.data(128);
const before = changetype<Side>(SIDES);
const after = changetype<Side>(SIDES + 64);

let longestLine: i32 = 0;
let hunkEnd: i32 = 0;
let removedEnd: i32 = 0;
let addedEnd: i32 = 0;
let linesEnd: usize = 0;

/** Forgets what earlier comparisons found. */
export function startCommit(longest: i32): void {
  longestLine = longest;
  hunkEnd = 0;
  removedEnd = 0;
  addedEnd = 0;
  linesEnd = 0;
}

export function hunkWords(): i32 {
  return hunkEnd;
}
export function removedLines(): i32 {
  return removedEnd;
}
export function addedLines(): i32 {
  return addedEnd;
}

/** Bytes of changed lines, line feeds included. */
export function lineBytes(): i32 {
  return <i32>linesEnd;
}

function open(side: Side, at: usize, length: i32, starts: usize, changed: usize): void {
  side.at = at;
  side.length = length;
  side.starts = starts;
  side.changed = changed;
}

/** False when there are too many. `known` offsets, of lines that begin at or before `from`, are there already. */
function cut(side: Side, known: i32, from: i32): bool {
  side.lines = findLines(side.at, side.length, side.starts, known, from);
  side.count = side.lines;
  return side.lines >= 0;
}

/** All lines of a file as added or removed: 0, BINARY or TOO_LARGE. */
export function tellWhole(at: usize, length: i32, isAdded: bool): i32 {
  if (isBinary(at, length)) return BINARY;
  open(after, at, length, NEW_STARTS, NEW_CHANGED);
  setWord(NEW_STARTS, 0, 0);
  if (!cut(after, 1, 0)) return TOO_LARGE;
  if (after.lines === 0) return 0;
  return isAdded ? tellHunk(0, 0, 0, after.lines) : tellRemoved(after.lines);
}

function tellRemoved(count: i32): i32 {
  before.at = after.at;
  before.starts = after.starts;
  return tellHunk(0, count, 0, 0);
}

/** The hunks that `git diff -U0` would print: 0, BINARY or TOO_LARGE. */
export function compareFiles(oldAt: usize, oldLength: i32, newAt: usize, newLength: i32): i32 {
  if (isBinary(oldAt, oldLength) || isBinary(newAt, newLength)) return BINARY;
  open(before, oldAt, oldLength, OLD_STARTS, OLD_CHANGED);
  open(after, newAt, newLength, NEW_STARTS, NEW_CHANGED);
  const smaller = min(oldLength, newLength);
  const prefixBytes = commonPrefix(oldAt, newAt, smaller);
  setWord(OLD_STARTS, 0, 0);
  if (!cut(before, 1, 0)) return TOO_LARGE;
  // Up to where they differ both have the same lines.
  const known = linesBegunAt(before, prefixBytes);
  memory.copy(NEW_STARTS, OLD_STARTS, (<usize>max(known, 1)) << 2);
  if (!cut(after, max(known, 1), prefixBytes)) return TOO_LARGE;
  const suffixBytes = commonSuffix(oldAt + <usize>oldLength, newAt + <usize>newLength, smaller);
  const tail = countTailLines(suffixBytes);
  before.count = before.lines - tail;
  after.count = after.lines - tail;
  const shorter = min(before.count, after.count);
  const prefix = min(shorter, linesBegunAt(before, prefixBytes) - 1);
  if (prefix === before.count && prefix === after.count) return 0;
  const suffix = min(shorter - prefix, countCommonLastLines(suffixBytes) - tail);

  memory.fill(OLD_CHANGED - 1, 0, <usize>before.count + 3);
  memory.fill(NEW_CHANGED - 1, 0, <usize>after.count + 3);
  const oldTo = before.count - suffix;
  const newTo = after.count - suffix;
  if (isAllChanged(prefix, oldTo, newTo)) {
    memory.fill(OLD_CHANGED + prefix, 1, <usize>(oldTo - prefix));
    memory.fill(NEW_CHANGED + prefix, 1, <usize>(newTo - prefix));
  } else markChanges(before, after, prefix, oldTo, newTo);
  slide(before, after, prefix, oldTo);
  slide(after, before, prefix, newTo);
  return tellHunks();
}

/** All changes lie in [from, to) at first; sliding the other side's groups may have moved some further. */
function slide(side: Side, other: Side, from: i32, to: i32): void {
  let last: i32 = to;
  while (last > 0 && !isChanged(side, last - 1)) last--;
  if (last === 0) return;
  let first: i32 = 0;
  const end = max(side.count, other.count);
  while (first < from && !(isChangedWithin(side, first) || isChangedWithin(other, first))) first++;
  while (first < end && !(isChangedWithin(side, first) || isChangedWithin(other, first))) first++;
  slideGroups(side, other, first, last - 1);
}

function isChangedWithin(side: Side, line: i32): bool {
  return line < side.count && isChanged(side, line);
}

/** Whole equal blocks at the end are cut, except the bytes up to and including their first line feed. */
function countTailLines(suffixBytes: i32): i32 {
  const cut = suffixBytes - (suffixBytes % TAIL_BLOCK_BYTES);
  if (cut === 0) return 0;
  let offset = before.length - cut;
  while (offset < before.length && load<u8>(before.at + <usize>offset) !== LINE_FEED) offset++;
  if (offset === before.length) return 0;
  return max(0, before.lines - linesBegunAt(before, offset + 1) + 1);
}

/** Lines that lie within the common bytes at the end. */
function countCommonLastLines(suffixBytes: i32): i32 {
  if (suffixBytes === 0) return 0;
  const from = before.length - suffixBytes;
  // A line that begins right where the common bytes do is common only if it begins there on both sides.
  const first = linesBegunAt(before, from);
  const beginsOnBoth = lineStart(before, first - 1) === from && isLineStart(after, after.length - suffixBytes);
  return max(0, before.lines - first + i32(beginsOnBoth));
}

function isLineStart(side: Side, offset: i32): bool {
  return offset === 0 || load<u8>(side.at + <usize>offset - 1) === LINE_FEED;
}

/** True when no changed line can have a partner; false when it would take long to say. */
function isAllChanged(from: i32, oldTo: i32, newTo: i32): bool {
  if (<i64>(oldTo - from) * <i64>(newTo - from) > FEW_PAIRS) return false;
  for (let a = from; a < oldTo; a++) {
    const length = lineLength(before, a);
    for (let b = from; b < newTo; b++)
      if (lineLength(after, b) === length && areSame(lineAt(before, a), lineAt(after, b), length)) return false;
  }
  return true;
}

function tellHunks(): i32 {
  let oldLine: i32 = 0;
  let newLine: i32 = 0;
  while (oldLine < before.count || newLine < after.count) {
    const oldFrom = oldLine;
    const newFrom = newLine;
    while (oldLine < before.count && isChanged(before, oldLine)) oldLine++;
    while (newLine < after.count && isChanged(after, newLine)) newLine++;
    if (oldLine > oldFrom || newLine > newFrom) {
      const answer = tellHunk(oldFrom, oldLine - oldFrom, newFrom, newLine - newFrom);
      if (answer !== 0) return answer;
    }
    oldLine++;
    newLine++;
  }
  return 0;
}

function tellHunk(oldFrom: i32, oldCount: i32, newFrom: i32, newCount: i32): i32 {
  if (hunkEnd + 4 > MOST_LINES * 4) return TOO_LARGE;
  setWord(HUNKS, hunkEnd++, oldFrom);
  setWord(HUNKS, hunkEnd++, oldCount);
  setWord(HUNKS, hunkEnd++, newFrom);
  setWord(HUNKS, hunkEnd++, newCount);
  removedEnd = keepLines(before, oldFrom, oldCount, REMOVED_FROM, REMOVED_TO, removedEnd);
  if (removedEnd < 0) return TOO_LARGE;
  addedEnd = keepLines(after, newFrom, newCount, ADDED_FROM, ADDED_TO, addedEnd);
  return addedEnd < 0 ? TOO_LARGE : 0;
}

/** Copies lines that follow each other; answers where the next go, -1 when there is no room or one is too long. */
function keepLines(side: Side, first: i32, count: i32, froms: usize, tos: usize, end: i32): i32 {
  if (count === 0) return end;
  const begin = lineStart(side, first);
  const bytes = lineStart(side, first + count) - begin;
  if (end + count > MOST_LINES || linesEnd + <usize>bytes > LINES_BYTES) return -1;
  const target = LINES + linesEnd;
  memory.copy(target, side.at + <usize>begin, <usize>bytes);
  linesEnd += <usize>bytes;
  const shift = <i32>target - begin;
  for (let line = first; line < first + count; line++) {
    const from = lineStart(side, line) + shift;
    let to = lineStart(side, line + 1) + shift;
    if (load<u8>(<usize>to - 1) === LINE_FEED) to--;
    if (to - from > longestLine) return -1;
    setWord(froms, end, from);
    setWord(tos, end++, to);
  }
  return end;
}
