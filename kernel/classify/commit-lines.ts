// All changed lines of a commit side by side: what was found on each, which hunk it stands in, and the operation given
// to it so far.
import {
  ADDED,
  DELETED,
  GIVEN_ADDED,
  GIVEN_ADDED_SHIFT,
  GIVEN_HUNK_WORDS,
  GIVEN_REMOVED,
  GIVEN_REMOVED_SHIFT,
  GIVEN_WORDS,
  HUNK_ADDED_COUNT,
  HUNK_ADDED_FIRST,
  HUNK_REMOVED_COUNT,
  HUNK_REMOVED_FIRST,
  HUNK_WORDS,
  NO_TEXT,
} from '../contract.ts';
import { setWord, word } from '../words.ts';
import {
  added,
  fileCount,
  GIVEN,
  givenHunks,
  hunkCount,
  hunkFiles,
  Lines,
  removed,
  setHunkCount,
  sources,
  unchangedBefore,
} from './memory.ts';
import { scanLine } from './scan-line.ts';

/** The operation of a line that no rule has taken yet. */
export const UNDECIDED: i32 = 255;
/** For lines that no hunk covers: they may stand anywhere, far from every hunk. */
const FAR_AWAY: i32 = 1 << 30;

export function given(file: i32, what: i32): i32 {
  return load<i32>(GIVEN + <usize>((file * GIVEN_WORDS + what) * 4));
}

export function opOf(lines: Lines, line: i32): i32 {
  return <i32>load<u8>(lines.ops + <usize>line);
}

export function setOp(lines: Lines, line: i32, op: i32): void {
  store<u8>(lines.ops + <usize>line, op);
}

export function isUndecided(lines: Lines, line: i32): bool {
  return opOf(lines, line) === UNDECIDED;
}

/** Gives a removed and an added line that belong together their operation. */
export function takeBoth(removedLine: i32, addedLine: i32, op: i32): void {
  setOp(removed, removedLine, op);
  setOp(added, addedLine, op);
  setWord(sources, addedLine, removedLine);
}

export function traitsOf(lines: Lines, line: i32): i32 {
  return <i32>load<u8>(lines.traits + <usize>line);
}

export function firstOf(lines: Lines, line: i32): usize {
  return <usize>word(lines.firsts, line);
}

export function endOf(lines: Lines, line: i32): usize {
  return <usize>word(lines.ends, line);
}

export function fillCommitLines(): void {
  memory.fill(removed.ops, <u8>UNDECIDED, <usize>removed.count);
  memory.fill(added.ops, <u8>UNDECIDED, <usize>added.count);
  memory.fill(sources, 255, (<usize>added.count) << 2);
  setHunkCount(0);
  let removedBase: i32 = 0;
  let addedBase: i32 = 0;
  let hunks = givenHunks;
  for (let file: i32 = 0; file < fileCount; file++) {
    setWord(removed.base, file, removedBase);
    setWord(added.base, file, addedBase);
    const removedTo = removedBase + given(file, GIVEN_REMOVED);
    const addedTo = addedBase + given(file, GIVEN_ADDED);
    scanSide(removed, removedBase, removedTo, given(file, GIVEN_REMOVED_SHIFT), DELETED);
    scanSide(added, addedBase, addedTo, given(file, GIVEN_ADDED_SHIFT), ADDED);
    const hunksTo = hunks + ((<usize>given(file, GIVEN_HUNK_WORDS)) << 2);
    addHunks(file, hunks, hunksTo, removedBase, removedTo, addedBase, addedTo);
    hunks = hunksTo;
    removedBase = removedTo;
    addedBase = addedTo;
  }
  setWord(removed.base, fileCount, removedBase);
  setWord(added.base, fileCount, addedBase);
}

/** Lines whose bytes were dropped are plainly added or deleted, and never scored. */
function scanSide(lines: Lines, from: i32, to: i32, shift: i32, unreadOp: i32): void {
  if (shift === NO_TEXT) {
    for (let line = from; line < to; line++) leaveUnread(lines, line, unreadOp);
    return;
  }
  for (let line = from; line < to; line++) {
    const start = word(lines.starts, line) + shift;
    const end = word(lines.ends, line) + shift;
    setWord(lines.starts, line, start);
    setWord(lines.ends, line, end);
    scanLine(<usize>start, <usize>end, lines, line);
  }
}

function leaveUnread(lines: Lines, line: i32, op: i32): void {
  setOp(lines, line, op);
  setWord(lines.hashes, line, 0);
  setWord(lines.weights, line, 0);
  setWord(lines.firsts, line, 0);
  store<u8>(lines.traits + <usize>line, 0);
}

function addHunks(
  file: i32,
  hunks: usize,
  hunksTo: usize,
  removedFrom: i32,
  removedEnd: i32,
  addedFrom: i32,
  addedEnd: i32,
): void {
  let removedAt = removedFrom;
  let addedAt = addedFrom;
  for (let at = hunks; at + HUNK_WORDS * 4 <= hunksTo; at += HUNK_WORDS * 4) {
    // A diff that was cut short can have fewer lines than its hunks promise.
    const removedTo = min(removedEnd, removedAt + max(0, word(at, HUNK_REMOVED_COUNT)));
    const addedTo = min(addedEnd, addedAt + max(0, word(at, HUNK_ADDED_COUNT)));
    // Where one side is empty, only the other says where the hunk stands.
    setWord(
      unchangedBefore,
      hunkCount,
      removedTo > removedAt
        ? word(at, HUNK_REMOVED_FIRST) - (removedAt - removedFrom)
        : word(at, HUNK_ADDED_FIRST) - (addedAt - addedFrom),
    );
    addHunk(file, removedAt, removedTo, addedAt, addedTo);
    removedAt = removedTo;
    addedAt = addedTo;
  }
  if (removedAt < removedEnd || addedAt < addedEnd) {
    setWord(unchangedBefore, hunkCount, FAR_AWAY);
    addHunk(file, removedAt, removedEnd, addedAt, addedEnd);
  }
}

function addHunk(file: i32, removedFrom: i32, removedTo: i32, addedFrom: i32, addedTo: i32): void {
  const hunk = hunkCount;
  setHunkCount(hunk + 1);
  setWord(hunkFiles, hunk, file);
  setWord(removed.from, hunk, removedFrom);
  setWord(removed.to, hunk, removedTo);
  setWord(added.from, hunk, addedFrom);
  setWord(added.to, hunk, addedTo);
  for (let line = removedFrom; line < removedTo; line++) setWord(removed.hunks, line, hunk);
  for (let line = addedFrom; line < addedTo; line++) setWord(added.hunks, line, hunk);
}
