// All changed lines of a commit side by side: what scanLine found on each, which hunk it stands in, and
// the operation given to it so far. One instance is reused for commit after commit.
import { LINE_OP } from '../classified.ts';
import type { CommitDiff, FileDiff, LineBlock } from '../diff.ts';
import { createScannedLines, type ScannedLines, scanLine } from './scan-line.ts';

/** The operation of a line that no rule has taken yet. */
export const UNDECIDED = 255;

/** One side, removed or added. Lines are numbered through the whole commit. */
export interface Side extends ScannedLines {
  count: number;
  kinds: Uint8Array;
  ops: Uint8Array;
  hunks: Int32Array;
}

export interface CommitLines {
  readonly removed: Side;
  readonly added: Side;
  hunkCount: number;
  /** Per hunk: its file, and its lines [from, to) on each side. */
  hunkFile: Int32Array;
  removedFrom: Int32Array;
  removedTo: Int32Array;
  addedFrom: Int32Array;
  addedTo: Int32Array;
  /** Per file: the number of its first line on each side. */
  removedBase: Int32Array;
  addedBase: Int32Array;
}

function createSide(): Side {
  return {
    ...createScannedLines(0),
    count: 0,
    kinds: new Uint8Array(0),
    ops: new Uint8Array(0),
    hunks: new Int32Array(0),
  };
}

export function createCommitLines(): CommitLines {
  return {
    removed: createSide(),
    added: createSide(),
    hunkCount: 0,
    hunkFile: new Int32Array(0),
    removedFrom: new Int32Array(0),
    removedTo: new Int32Array(0),
    addedFrom: new Int32Array(0),
    addedTo: new Int32Array(0),
    removedBase: new Int32Array(0),
    addedBase: new Int32Array(0),
  };
}

/** Rooms above this many lines are given back after use, so that one huge commit does not stay in memory. */
const KEPT_LINES = 1 << 19;

function makeRoom(side: Side, count: number): void {
  side.count = count;
  const room = side.hashes.length;
  if (count <= room && (room <= KEPT_LINES || count > KEPT_LINES)) return;
  const size = Math.max(1024, 2 ** Math.ceil(Math.log2(Math.max(1, count))));
  side.hashes = new Uint32Array(size);
  side.weights = new Uint32Array(size);
  side.traits = new Uint8Array(size);
  side.firsts = new Uint32Array(size);
  side.kinds = new Uint8Array(size);
  side.ops = new Uint8Array(size);
  side.hunks = new Int32Array(size);
}

function makeHunkRoom(lines: CommitLines, hunks: number, files: number): void {
  if (lines.hunkFile.length < hunks) {
    const size = Math.max(256, hunks * 2);
    lines.hunkFile = new Int32Array(size);
    lines.removedFrom = new Int32Array(size);
    lines.removedTo = new Int32Array(size);
    lines.addedFrom = new Int32Array(size);
    lines.addedTo = new Int32Array(size);
  }
  if (lines.removedBase.length < files + 1) {
    lines.removedBase = new Int32Array(files * 2 + 16);
    lines.addedBase = new Int32Array(files * 2 + 16);
  }
}

export function fillCommitLines(lines: CommitLines, { files }: CommitDiff): void {
  let removed = 0;
  let added = 0;
  let hunks = 0;
  for (const file of files) {
    removed += file.removed.count;
    added += file.added.count;
    hunks += file.hunks.length / 4 + 1;
  }
  makeRoom(lines.removed, removed);
  makeRoom(lines.added, added);
  makeHunkRoom(lines, hunks, files.length);
  lines.removed.ops.fill(UNDECIDED, 0, removed);
  lines.added.ops.fill(UNDECIDED, 0, added);
  lines.hunkCount = 0;
  removed = 0;
  added = 0;
  for (let fileIndex = 0; fileIndex < files.length; fileIndex++) {
    const file = files[fileIndex]!;
    lines.removedBase[fileIndex] = removed;
    lines.addedBase[fileIndex] = added;
    scanSide(lines.removed, removed, file.removed, LINE_OP.deleted);
    scanSide(lines.added, added, file.added, LINE_OP.added);
    addHunks(lines, file, fileIndex, removed, added);
    removed += file.removed.count;
    added += file.added.count;
  }
  lines.removedBase[files.length] = removed;
  lines.addedBase[files.length] = added;
}

/** Lines whose bytes were dropped are plainly added or deleted, and never scored. */
function scanSide(side: Side, base: number, block: LineBlock, unreadOp: number): void {
  const { bytes, starts, ends, count } = block;
  if (starts.length < count) leaveUnread(side, base, base + count, unreadOp);
  else for (let line = 0; line < count; line++) scanLine(bytes, starts[line]!, ends[line]!, side, base + line);
}

function leaveUnread(side: Side, from: number, to: number, op: number): void {
  side.ops.fill(op, from, to);
  for (const numbers of [side.hashes, side.weights, side.traits, side.firsts]) numbers.fill(0, from, to);
}

function addHunks(lines: CommitLines, file: FileDiff, fileIndex: number, removedBase: number, addedBase: number): void {
  const removedEnd = removedBase + file.removed.count;
  const addedEnd = addedBase + file.added.count;
  let removed = removedBase;
  let added = addedBase;
  for (let at = 0; at + 3 < file.hunks.length; at += 4) {
    // A diff that was cut short can have fewer lines than its hunks promise.
    const removedTo = Math.min(removedEnd, removed + Math.max(0, file.hunks[at + 1]!));
    const addedTo = Math.min(addedEnd, added + Math.max(0, file.hunks[at + 3]!));
    addHunk(lines, fileIndex, removed, removedTo, added, addedTo);
    removed = removedTo;
    added = addedTo;
  }
  if (removed < removedEnd || added < addedEnd) addHunk(lines, fileIndex, removed, removedEnd, added, addedEnd);
}

function addHunk(
  lines: CommitLines,
  fileIndex: number,
  removedFrom: number,
  removedTo: number,
  addedFrom: number,
  addedTo: number,
): void {
  const hunk = lines.hunkCount++;
  lines.hunkFile[hunk] = fileIndex;
  lines.removedFrom[hunk] = removedFrom;
  lines.removedTo[hunk] = removedTo;
  lines.addedFrom[hunk] = addedFrom;
  lines.addedTo[hunk] = addedTo;
  // Hunks are small: for few numbers a loop is much quicker than a call of fill.
  for (let line = removedFrom; line < removedTo; line++) lines.removed.hunks[line] = hunk;
  for (let line = addedFrom; line < addedTo; line++) lines.added.hunks[line] = hunk;
}
