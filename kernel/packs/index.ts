// What of an analysis is worth machine code: making versions of files from git's deltas, and comparing them line
// by line with git's own result. Compiled to WebAssembly by the build. The memory is the caller's to look at.

import { setWord, word } from '../words.ts';
import { applyDelta, deltaResult } from './apply-delta.ts';
import { inflate } from './inflate.ts';
import { areSame, commonPrefix, commonSuffix, copyShifted, findStarts, isBinary } from './lines.ts';
import {
  ADDED_FROM,
  ADDED_TO,
  HUNKS,
  LINES,
  LINES_BYTES,
  MOST_CHANGED,
  MOST_HUNK_WORDS,
  MOST_LINES,
  NEW_CHANGED,
  NEW_STARTS,
  OLD_CHANGED,
  OLD_STARTS,
  PACKED,
  PACKED_BYTES,
  REMOVED_FROM,
  REMOVED_TO,
  RESERVED_BYTES,
  RESERVED_CHANGED,
  RING,
  UNPACKED,
  UNPACKED_BYTES,
} from './memory.ts';
import { markChanges } from './shortest-edit.ts';
import { isChanged, lineAt, lineLength, lineStart, linesBegunAt, Side } from './side.ts';
import { slideGroups } from './slide-groups.ts';
import { countSpans, forgetSpans, sharedBytes } from './spans.ts';

export {
  ADDED_FROM,
  ADDED_TO,
  applyDelta,
  countSpans,
  deltaResult,
  forgetSpans,
  HUNKS,
  inflate,
  PACKED,
  PACKED_BYTES,
  REMOVED_FROM,
  REMOVED_TO,
  RING,
  sharedBytes,
  UNPACKED,
  UNPACKED_BYTES,
};

/** Answers of a comparison that found no hunks to tell. */
const BINARY: i32 = -1;
const TOO_LARGE: i32 = -2;
/** For what was found, beside what earlier comparisons found. */
const NO_ROOM: i32 = -3;

const LINE_FEED: u8 = 10;
/** Equal tails are cut off in blocks of this size before lines are compared: no group slides into them. */
const TAIL_BLOCK_BYTES: i32 = 1024;
/** Up to this many pairs of changed lines are compared one by one before anything is hashed. */
const FEW_PAIRS: i32 = 256;

const SIDES = memory.data(128);
const before = changetype<Side>(SIDES);
const after = changetype<Side>(SIDES + 64);
before.starts = OLD_STARTS;
before.changed = OLD_CHANGED;
after.starts = NEW_STARTS;
after.changed = NEW_CHANGED;

/** How much has been found. */
@unmanaged
class Found {
  hunkWords: i32;
  removed: i32;
  added: i32;
  bytes: usize;
}

const FOUND = memory.data(48);
const found = changetype<Found>(FOUND);
/** When the comparison began, and when the reserve was opened. */
const foundBefore = changetype<Found>(FOUND + 16);
const foundUnreserved = changetype<Found>(FOUND + 32);

let longestLine: i32 = 0;
let isReserveOpen: bool = false;
/** Whether both sides are those of the last comparison that told of two files. */
let areSidesKnown: bool = false;

function remember(amount: Found): void {
  memory.copy(changetype<usize>(amount), FOUND, offsetof<Found>());
}

function goBackTo(amount: Found): void {
  memory.copy(FOUND, changetype<usize>(amount), offsetof<Found>());
}

/** Forgets what comparisons have found. What they find next may fill all room but the reserve. */
export function forget(longest: i32): void {
  longestLine = longest;
  memory.fill(FOUND, 0, offsetof<Found>());
  isReserveOpen = false;
}

/** What is found next may fill the reserve. Of what was found before, only what lies in the reserve is forgotten. */
export function openReserve(): void {
  if (isReserveOpen) goBackTo(foundUnreserved);
  else remember(foundUnreserved);
  isReserveOpen = true;
}

export function hunkWords(): i32 {
  return found.hunkWords;
}
export function removedLines(): i32 {
  return found.removed;
}
export function addedLines(): i32 {
  return found.added;
}

/** Bytes of changed lines, line feeds included. */
export function lineBytes(): i32 {
  return <i32>found.bytes;
}

function open(side: Side, at: usize, length: i32): void {
  side.at = at;
  side.length = length;
}

/** False when there are too many lines. */
function cut(side: Side): bool {
  setWord(side.starts, 0, 0);
  return endLines(side, findStarts(side.at, 0, side.length, side.starts, 1));
}

/** The same, for a version that shares its first and last bytes with one whose lines are known. */
function cutLike(side: Side, known: Side, prefixBytes: i32, suffixBytes: i32): bool {
  const length = side.length;
  const starts = side.starts;
  const first = max(1, linesBegunAt(known, prefixBytes));
  memory.copy(starts, known.starts, (<usize>first) << 2);
  const lastFrom = length - min(suffixBytes, min(length, known.length) - prefixBytes);
  const count = findStarts(side.at, prefixBytes, lastFrom, starts, first);
  if (count < 0 || lastFrom === length) return endLines(side, count);
  const shift = length - known.length;
  // Of the known ones, those that begin within what is shared, the end included.
  const from = linesBegunAt(known, lastFrom - shift);
  const rest = known.lines + 1 - from;
  if (count + rest >= MOST_LINES) return false;
  copyShifted(known.starts + ((<usize>from) << 2), starts + ((<usize>count) << 2), rest, shift);
  side.lines = count + rest - 1;
  side.count = side.lines;
  return true;
}

/** Behind the last line's offset comes the length. */
function endLines(side: Side, count: i32): bool {
  if (count < 0) return false;
  if (word(side.starts, count - 1) !== side.length) setWord(side.starts, count++, side.length);
  side.lines = count - 1;
  side.count = side.lines;
  return true;
}

/** What was the older version is the newer one now: its lines are known. */
function takeOver(): void {
  const starts = after.starts;
  const changed = after.changed;
  after.starts = before.starts;
  after.changed = before.changed;
  after.lines = before.lines;
  after.count = before.lines;
  before.starts = starts;
  before.changed = changed;
}

/** All lines of a file as added or removed: 0, or one of the answers above. */
export function tellWhole(at: usize, length: i32, isAdded: bool): i32 {
  if (isBinary(at, length)) return BINARY;
  areSidesKnown = false;
  remember(foundBefore);
  open(after, at, length);
  if (!cut(after)) return TOO_LARGE;
  if (after.lines === 0) return 0;
  return isAdded ? tellHunk(0, 0, 0, after.lines) : tellRemoved(after.lines);
}

function tellRemoved(count: i32): i32 {
  const starts = before.starts;
  before.at = after.at;
  before.starts = after.starts;
  const answer = tellHunk(0, count, 0, 0);
  before.starts = starts;
  return answer;
}

/**
 * The hunks that `git diff -U0` would print: 0, or one of the answers above. `isSuccessor` when the last comparison
 * was one of two files, answered 0, and its older version is the newer one now.
 */
export function compareFiles(oldAt: usize, oldLength: i32, newAt: usize, newLength: i32, isSuccessor: bool): i32 {
  if (isBinary(oldAt, oldLength) || isBinary(newAt, newLength)) return BINARY;
  remember(foundBefore);
  const isKnown = isSuccessor && areSidesKnown;
  areSidesKnown = false;
  const differs = markFiles(oldAt, oldLength, newAt, newLength, isKnown);
  const answer = differs > 0 ? tellHunks(true) : differs;
  areSidesKnown = answer === 0;
  return answer;
}

/**
 * The same for bytes of any kind, as `--text` has it, without the lines: how many numbers of hunks stand behind those
 * of all that has been found, or one of the answers above. They count as nothing found, and the next comparison writes
 * over them.
 */
export function compareText(oldAt: usize, oldLength: i32, newAt: usize, newLength: i32): i32 {
  areSidesKnown = false;
  const differs = markFiles(oldAt, oldLength, newAt, newLength, false);
  if (differs <= 0) return differs;
  remember(foundBefore);
  const answer = tellHunks(false);
  const told = found.hunkWords - foundBefore.hunkWords;
  goBackTo(foundBefore);
  return answer < 0 ? answer : told;
}

/** Marks the changed lines of both sides: 1, 0 when there are none, or one of the answers above. */
function markFiles(oldAt: usize, oldLength: i32, newAt: usize, newLength: i32, isKnown: bool): i32 {
  if (isKnown) takeOver();
  open(before, oldAt, oldLength);
  open(after, newAt, newLength);
  if (!isKnown && !cut(after)) return TOO_LARGE;
  const smaller = min(oldLength, newLength);
  const prefixBytes = commonPrefix(oldAt, newAt, smaller);
  const suffixBytes = commonSuffix(oldAt + <usize>oldLength, newAt + <usize>newLength, smaller);
  if (!cutLike(before, after, prefixBytes, suffixBytes)) return TOO_LARGE;
  const tail = countTailLines(suffixBytes);
  before.count = before.lines - tail;
  after.count = after.lines - tail;
  const shorter = min(before.count, after.count);
  const prefix = min(shorter, linesBegunAt(before, prefixBytes) - 1);
  if (prefix === before.count && prefix === after.count) return 0;
  const suffix = min(shorter - prefix, countCommonLastLines(suffixBytes) - tail);

  memory.fill(before.changed - 1, 0, <usize>before.count + 3);
  memory.fill(after.changed - 1, 0, <usize>after.count + 3);
  const oldTo = before.count - suffix;
  const newTo = after.count - suffix;
  if (isAllChanged(prefix, oldTo, newTo)) {
    memory.fill(before.changed + prefix, 1, <usize>(oldTo - prefix));
    memory.fill(after.changed + prefix, 1, <usize>(newTo - prefix));
  } else markChanges(before, after, prefix, oldTo, newTo);
  slide(before, after, prefix, oldTo);
  slide(after, before, prefix, newTo);
  return 1;
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

function tellHunks(withLines: bool): i32 {
  let oldLine: i32 = 0;
  let newLine: i32 = 0;
  while (oldLine < before.count || newLine < after.count) {
    const oldFrom = oldLine;
    const newFrom = newLine;
    while (oldLine < before.count && isChanged(before, oldLine)) oldLine++;
    while (newLine < after.count && isChanged(after, newLine)) newLine++;
    if (oldLine > oldFrom || newLine > newFrom) {
      const answer = withLines
        ? tellHunk(oldFrom, oldLine - oldFrom, newFrom, newLine - newFrom)
        : noteHunk(oldFrom, oldLine - oldFrom, newFrom, newLine - newFrom);
      if (answer !== 0) return answer;
    }
    oldLine++;
    newLine++;
  }
  return 0;
}

/** When there is no room, what has been told of the file is taken back. */
function tellHunk(oldFrom: i32, oldCount: i32, newFrom: i32, newCount: i32): i32 {
  const answer = keepHunk(oldFrom, oldCount, newFrom, newCount);
  if (answer !== 0) goBackTo(foundBefore);
  return answer;
}

function noteHunk(oldFrom: i32, oldCount: i32, newFrom: i32, newCount: i32): i32 {
  if (found.hunkWords + 4 > MOST_HUNK_WORDS) return NO_ROOM;
  setWord(HUNKS, found.hunkWords++, oldFrom);
  setWord(HUNKS, found.hunkWords++, oldCount);
  setWord(HUNKS, found.hunkWords++, newFrom);
  setWord(HUNKS, found.hunkWords++, newCount);
  return 0;
}

function keepHunk(oldFrom: i32, oldCount: i32, newFrom: i32, newCount: i32): i32 {
  const noted = noteHunk(oldFrom, oldCount, newFrom, newCount);
  if (noted < 0) return noted;
  const removed = keepLines(before, oldFrom, oldCount, REMOVED_FROM, REMOVED_TO, found.removed);
  if (removed < 0) return removed;
  found.removed = removed;
  const added = keepLines(after, newFrom, newCount, ADDED_FROM, ADDED_TO, found.added);
  if (added < 0) return added;
  found.added = added;
  return 0;
}

/** Copies lines that follow each other; answers where the next go, NO_ROOM, or TOO_LARGE when one is too long. */
function keepLines(side: Side, first: i32, count: i32, froms: usize, tos: usize, end: i32): i32 {
  if (count === 0) return end;
  const begin = lineStart(side, first);
  const bytes = lineStart(side, first + count) - begin;
  const mostLines = isReserveOpen ? MOST_CHANGED : MOST_CHANGED - RESERVED_CHANGED;
  const mostBytes = isReserveOpen ? LINES_BYTES : LINES_BYTES - RESERVED_BYTES;
  if (end + count > mostLines || found.bytes + <usize>bytes > mostBytes) return NO_ROOM;
  const target = LINES + found.bytes;
  memory.copy(target, side.at + <usize>begin, <usize>bytes);
  found.bytes += <usize>bytes;
  const shift = <i32>target - begin;
  for (let line = first; line < first + count; line++) {
    const from = lineStart(side, line) + shift;
    let to = lineStart(side, line + 1) + shift;
    if (load<u8>(<usize>to - 1) === LINE_FEED) to--;
    if (to - from > longestLine) return TOO_LARGE;
    setWord(froms, end, from);
    setWord(tos, end++, to);
  }
  return end;
}
