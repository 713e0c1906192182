// What comparisons find: hunks, and copies of the lines that they remove and add, which stay until they are forgotten.

import { BINARY, COMPARED_CUT, LEFT_TO_GIT, NO_ROOM } from '../contract.ts';
import { compareVersions, DIFFERENT, NOTHING_KNOWN, WAS_NEWER } from '../diff/compare.ts';
import { groupCut, groupFrom, groupTo } from '../diff/groups.ts';
import { isBinary } from '../diff/lines.ts';
import { GIVEN_HUNKS, MOST_GIVEN_WORDS } from '../diff/memory.ts';
import { after, before, lineStart, open, splitLines, Version } from '../diff/version.ts';
import { setWord, word } from '../words.ts';
import {
  ADDED_FROM,
  ADDED_TO,
  HUNKS,
  LINES,
  LINES_BYTES,
  MOST_CHANGED,
  MOST_HUNK_WORDS,
  REMOVED_FROM,
  REMOVED_TO,
  RESERVED_BYTES,
  RESERVED_CHANGED,
} from './memory.ts';

const LINE_FEED: u8 = 10;

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
/** Whether a line of the file that is emitted was longer. */
let hasCutLine: bool = false;
let isReserveOpen: bool = false;
/** Whether both sides are those of the last comparison of two files. */
let areSidesKnown: bool = false;
/** Whether the newer side is that of the last comparison of bytes of any kind. */
let isTextKnown: bool = false;

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

/** Of the room without the reserve, 1 when it is full. */
export function filledShare(): f64 {
  const bytes = <f64>found.bytes / <f64>(LINES_BYTES - RESERVED_BYTES);
  const lines = <f64>max(found.removed, found.added) / <f64>(MOST_CHANGED - RESERVED_CHANGED);
  return max(max(bytes, lines), <f64>found.hunkWords / <f64>MOST_HUNK_WORDS);
}

/**
 * Keeps what a comparison found before `forget` was called, from where to where it lay then. What lies before that is
 * gone, or was kept in this way before.
 */
export function keepAgain(
  hunkWords: i32,
  hunkWordsEnd: i32,
  removed: i32,
  removedEnd: i32,
  added: i32,
  addedEnd: i32,
  bytes: i32,
  bytesEnd: i32,
): void {
  const shift = bytes - <i32>found.bytes;
  memory.copy(LINES + found.bytes, LINES + <usize>bytes, <usize>(bytesEnd - bytes));
  found.bytes += <usize>(bytesEnd - bytes);
  for (let i = hunkWords; i < hunkWordsEnd; i++) setWord(HUNKS, found.hunkWords++, word(HUNKS, i));
  for (let i = removed; i < removedEnd; i++) {
    setWord(REMOVED_FROM, found.removed, word(REMOVED_FROM, i) - shift);
    setWord(REMOVED_TO, found.removed++, word(REMOVED_TO, i) - shift);
  }
  for (let i = added; i < addedEnd; i++) {
    setWord(ADDED_FROM, found.added, word(ADDED_FROM, i) - shift);
    setWord(ADDED_TO, found.added++, word(ADDED_TO, i) - shift);
  }
}

/** All lines of a file as added or removed: 0, or one of the answers above. */
export function emitWhole(at: usize, length: i32, isAdded: bool): i32 {
  if (isBinary(at, length)) return BINARY;
  areSidesKnown = false;
  isTextKnown = false;
  beginFile();
  open(after, at, length);
  if (!splitLines(after)) return LEFT_TO_GIT;
  if (after.lines === 0) return 0;
  return endFile(isAdded ? emitHunk(0, 0, 0, after.lines) : emitRemoved(after.lines));
}

function beginFile(): void {
  remember(foundBefore);
  hasCutLine = false;
}

function endFile(answer: i32): i32 {
  return answer === 0 && hasCutLine ? COMPARED_CUT : answer;
}

function emitRemoved(count: i32): i32 {
  const starts = before.starts;
  before.at = after.at;
  before.starts = after.starts;
  const answer = emitHunk(0, count, 0, 0);
  before.starts = starts;
  return answer;
}

/**
 * The hunks that `git diff -U0` would print: 0, or one of the answers above. `known` is what the last comparison of two
 * files leaves known, if it answered 0 and nothing was compared since; `head` and `tail`, how many bytes at the beginning
 * and at the end of both are known to be the same.
 */
export function compareFiles(
  oldAt: usize,
  oldLength: i32,
  newAt: usize,
  newLength: i32,
  known: i32,
  head: i32,
  tail: i32,
): i32 {
  if (isBinary(oldAt, oldLength) || isBinary(newAt, newLength)) return BINARY;
  beginFile();
  const stillKnown = areSidesKnown ? known : NOTHING_KNOWN;
  areSidesKnown = false;
  isTextKnown = false;
  const compared = compareVersions(oldAt, oldLength, newAt, newLength, stillKnown, head, tail);
  const answer = compared === DIFFERENT ? emitHunks(true) : compared;
  areSidesKnown = answer === 0;
  return endFile(answer);
}

/** The same for two files whose hunks are known: so many numbers at GIVEN_HUNKS. */
export function emitGiven(oldAt: usize, oldLength: i32, newAt: usize, newLength: i32, words: i32): i32 {
  areSidesKnown = false;
  isTextKnown = false;
  beginFile();
  open(before, oldAt, oldLength);
  open(after, newAt, newLength);
  if (!splitLines(before) || !splitLines(after)) return LEFT_TO_GIT;
  return areGivenSound(words) ? endFile(emitEach(words)) : LEFT_TO_GIT;
}

/** Whether the lines that the hunks leave over are as many in both files. */
function areGivenSound(words: i32): bool {
  if (words > MOST_GIVEN_WORDS || (words & 3) !== 0) return false;
  let oldTo: i32 = 0;
  let newTo: i32 = 0;
  for (let at: i32 = 0; at < words; at += 4) {
    const oldFrom = word(GIVEN_HUNKS, at);
    const newFrom = word(GIVEN_HUNKS, at + 2);
    const oldCount = word(GIVEN_HUNKS, at + 1);
    const newCount = word(GIVEN_HUNKS, at + 3);
    if (oldFrom < oldTo || newFrom < newTo || oldFrom - oldTo !== newFrom - newTo) return false;
    if (oldCount < 0 || newCount < 0 || oldFrom > before.lines - oldCount || newFrom > after.lines - newCount)
      return false;
    oldTo = oldFrom + oldCount;
    newTo = newFrom + newCount;
  }
  return before.lines - oldTo === after.lines - newTo;
}

function emitEach(words: i32): i32 {
  for (let at: i32 = 0; at < words; at += 4) {
    const given = GIVEN_HUNKS + ((<usize>at) << 2);
    const answer = emitHunk(word(given, 0), word(given, 1), word(given, 2), word(given, 3));
    if (answer !== 0) return answer;
  }
  return 0;
}

/**
 * The hunks of bytes of any kind, as `--text` has them, without the lines: how many numbers of hunks stand behind those
 * of all that has been found, or one of the answers above. They count as nothing found, and the next comparison writes
 * over them. `isSame` when the last comparison of this kind was of the same newer version.
 */
export function compareText(oldAt: usize, oldLength: i32, newAt: usize, newLength: i32, isSame: bool): i32 {
  areSidesKnown = false;
  const known = isSame && isTextKnown ? WAS_NEWER : NOTHING_KNOWN;
  const compared = compareVersions(oldAt, oldLength, newAt, newLength, known, 0, 0);
  isTextKnown = compared >= 0;
  if (compared !== DIFFERENT) return compared;
  remember(foundBefore);
  const answer = emitHunks(false);
  const emitted = found.hunkWords - foundBefore.hunkWords;
  goBackTo(foundBefore);
  return answer < 0 ? answer : emitted;
}

/** Where it lies where each line of the older version begins, of the last comparison, with the length behind them. */
export function olderStarts(): usize {
  return before.starts;
}

/** Groups of both versions that stand at the same place make one hunk. */
function emitHunks(withLines: bool): i32 {
  let removed: i32 = 0;
  let added: i32 = 0;
  let removedLines: i32 = 0;
  let addedLines: i32 = 0;
  while (removed < before.groupCount || added < after.groupCount) {
    const oldCut = removed < before.groupCount ? groupCut(before, removed) : i32.MAX_VALUE;
    const newCut = added < after.groupCount ? groupCut(after, added) : i32.MAX_VALUE;
    const cut = min(oldCut, newCut);
    const oldCount = oldCut === cut ? groupTo(before, removed) - groupFrom(before, removed++) : 0;
    const newCount = newCut === cut ? groupTo(after, added) - groupFrom(after, added++) : 0;
    const answer = withLines
      ? emitHunk(cut + removedLines, oldCount, cut + addedLines, newCount)
      : noteHunk(cut + removedLines, oldCount, cut + addedLines, newCount);
    if (answer !== 0) return answer;
    removedLines += oldCount;
    addedLines += newCount;
  }
  return 0;
}

/** When there is no room, what has been emitted of the file is taken back. */
function emitHunk(oldFrom: i32, oldCount: i32, newFrom: i32, newCount: i32): i32 {
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

/** Copies lines that follow each other; answers where the next go, or NO_ROOM. */
function keepLines(version: Version, first: i32, count: i32, froms: usize, tos: usize, end: i32): i32 {
  if (count === 0) return end;
  const begin = lineStart(version, first);
  const bytes = lineStart(version, first + count) - begin;
  const mostLines = isReserveOpen ? MOST_CHANGED : MOST_CHANGED - RESERVED_CHANGED;
  const mostBytes = isReserveOpen ? LINES_BYTES : LINES_BYTES - RESERVED_BYTES;
  if (end + count > mostLines || found.bytes + <usize>bytes > mostBytes) return NO_ROOM;
  const target = LINES + found.bytes;
  memory.copy(target, version.at + <usize>begin, <usize>bytes);
  found.bytes += <usize>bytes;
  const shift = <i32>target - begin;
  for (let line = first; line < first + count; line++) {
    const from = lineStart(version, line) + shift;
    let to = lineStart(version, line + 1) + shift;
    if (load<u8>(<usize>to - 1) === LINE_FEED) to--;
    if (to - from > longestLine) {
      to = from + longestLine;
      hasCutLine = true;
    }
    setWord(froms, end, from);
    setWord(tos, end++, to);
  }
  return end;
}
