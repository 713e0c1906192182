// The hunks that `git diff -U0` prints for two versions of a file, found in process. Stages: set aside what
// both begin and end with, find a shortest edit of the rest by Myers' linear-space method, slide each group
// of changes to where git would show it. Where several edits are equally short the choices follow git's:
// every total is compared with git's own.
import { type CommonEnds, findCommonEnds } from './common-ends.ts';
import { isSameLine, type LineTable } from './line-table.ts';
import { type Middle, markChanges } from './shortest-edit.ts';
import { type Side, slideGroups } from './slide-groups.ts';

export interface LineDiffOptions {
  /** Prefer group positions by indentation, as `git diff` and `git blame` do and `git log -L` does not. */
  readonly indentHeuristic?: boolean;
}

/** Four numbers a hunk: oldIndex, oldCount, newIndex, newCount; indexes are 0-based. */
export type Hunks = Int32Array;

const NO_HUNKS: Hunks = new Int32Array(0);
const LINE_FEED = 10;
/** Equal tails are cut off in blocks of this size before lines are compared: no group slides into them. */
const TAIL_BLOCK_BYTES = 1024;
/** Up to this many pairs of changed lines are compared one by one before anything is hashed. */
const FEW_PAIRS = 256;

/** `ends` may be given by a caller that has found them already. */
export function diffLines(
  before: LineTable,
  after: LineTable,
  options: LineDiffOptions = {},
  ends: CommonEnds = findCommonEnds(before.bytes, after.bytes),
): Hunks {
  const tail = countTailLines(before, ends.suffix);
  const oldCount = before.count - tail;
  const newCount = after.count - tail;
  const shorter = Math.min(oldCount, newCount);
  const prefix = Math.min(shorter, before.linesBegunAt(ends.prefix) - 1);
  if (prefix === oldCount && prefix === newCount) return NO_HUNKS;
  const suffix = Math.min(shorter - prefix, countCommonLastLines(before, after, ends.suffix) - tail);

  const oldSide: Side = { table: before, count: oldCount, changed: new Uint8Array(oldCount + 2) };
  const newSide: Side = { table: after, count: newCount, changed: new Uint8Array(newCount + 2) };
  const middle: Middle = { from: prefix, oldTo: oldCount - suffix, newTo: newCount - suffix };
  if (isAllChanged(before, after, middle)) {
    oldSide.changed.fill(1, prefix, middle.oldTo);
    newSide.changed.fill(1, prefix, middle.newTo);
  } else {
    before.adoptHashes(after, prefix, suffix + tail);
    after.adoptHashes(before, prefix, suffix + tail);
    markChanges(oldSide, newSide, middle);
  }
  const useIndent = options.indentHeuristic ?? true;
  slideGroups(oldSide, newSide, useIndent);
  slideGroups(newSide, oldSide, useIndent);
  return toHunks(oldSide, newSide);
}

/** Whole equal blocks at the end are cut, except the bytes up to and including their first line feed. */
function countTailLines(before: LineTable, suffix: number): number {
  const cut = suffix - (suffix % TAIL_BLOCK_BYTES);
  if (cut === 0) return 0;
  const lineFeed = before.bytes.indexOf(LINE_FEED, before.bytes.length - cut);
  if (lineFeed === -1) return 0;
  return Math.max(0, before.count - before.linesBegunAt(lineFeed + 1) + 1);
}

/** Lines that lie within the common bytes at the end. */
function countCommonLastLines(before: LineTable, after: LineTable, suffix: number): number {
  if (suffix === 0) return 0;
  const from = before.bytes.length - suffix;
  // A line that begins right where the common bytes do is common only if it begins there on both sides.
  const first = before.linesBegunAt(from);
  const beginsOnBoth =
    before.starts[first - 1] === from && isLineStart(after.bytes, after.bytes.length - suffix) ? 1 : 0;
  return Math.max(0, before.count - first + beginsOnBoth);
}

const isLineStart = (bytes: Uint8Array, at: number): boolean => at === 0 || bytes[at - 1] === LINE_FEED;

/** True when no changed line can have a partner; false when it would take long to say. */
function isAllChanged(before: LineTable, after: LineTable, { from, oldTo, newTo }: Middle): boolean {
  if ((oldTo - from) * (newTo - from) > FEW_PAIRS) return false;
  for (let a = from; a < oldTo; a++)
    for (let b = from; b < newTo; b++) if (isSameLine(before, a, after, b)) return false;
  return true;
}

function toHunks(oldSide: Side, newSide: Side): Hunks {
  const hunks: number[] = [];
  let oldLine = firstChanged(oldSide, newSide);
  let newLine = oldLine;
  while (oldLine < oldSide.count || newLine < newSide.count) {
    const oldFrom = oldLine;
    const newFrom = newLine;
    while (oldLine < oldSide.count && oldSide.changed[oldLine]) oldLine++;
    while (newLine < newSide.count && newSide.changed[newLine]) newLine++;
    if (oldLine > oldFrom || newLine > newFrom) hunks.push(oldFrom, oldLine - oldFrom, newFrom, newLine - newFrom);
    oldLine++;
    newLine++;
  }
  return Int32Array.from(hunks);
}

/** Up to here both sides go line by line. */
function firstChanged(oldSide: Side, newSide: Side): number {
  const old = oldSide.changed.indexOf(1);
  const fresh = newSide.changed.indexOf(1);
  return old === -1 ? fresh : fresh === -1 ? old : Math.min(old, fresh);
}
