// The hunks that `git diff -U0` prints for two versions of a file, found in process. Stages: number the
// lines, leave out lines that cannot match, find a shortest edit by Myers' linear-space method, slide
// each group of changes to where git would show it. Where several edits are equally short the choices
// follow git's, because line histories are compared with git's own.
import { isSameLine, type LineTable } from './line-table.ts';
import { markChanges } from './shortest-edit.ts';
import { type Side, slideGroups } from './slide-groups.ts';

export interface LineDiffOptions {
  /** Prefer group positions by indentation, as `git diff` and `git blame` do and `git log -L` does not. */
  readonly indentHeuristic?: boolean;
}

/** Four numbers a hunk: oldIndex, oldCount, newIndex, newCount; indexes are 0-based. */
export type Hunks = Int32Array;

/** Equal tails are cut off in blocks of this size before lines are compared: no group slides into them. */
const TAIL_BLOCK_BYTES = 1024;

export function diffLines(before: LineTable, after: LineTable, options: LineDiffOptions = {}): Hunks {
  const tailLines = countCommonTailLines(before, after);
  const oldCount = before.count - tailLines;
  const newCount = after.count - tailLines;
  let prefix = 0;
  const shorter = Math.min(oldCount, newCount);
  while (prefix < shorter && isSameLine(before, prefix, after, prefix)) prefix++;
  if (prefix === oldCount && prefix === newCount) return new Int32Array(0);

  const { oldIds, newIds } = numberLines(before, oldCount, after, newCount);
  const oldSide: Side = { table: before, ids: oldIds, count: oldCount, changed: new Uint8Array(oldCount + 2) };
  const newSide: Side = { table: after, ids: newIds, count: newCount, changed: new Uint8Array(newCount + 2) };
  markChanges(oldSide, newSide, prefix);
  const useIndent = options.indentHeuristic ?? true;
  slideGroups(oldSide, newSide, useIndent);
  slideGroups(newSide, oldSide, useIndent);
  return toHunks(oldSide, newSide);
}

/** Whole equal blocks at the end are cut, except the bytes up to and including their first line feed. */
function countCommonTailLines(before: LineTable, after: LineTable): number {
  const a = before.bytes;
  const b = after.bytes;
  const smaller = Math.min(a.length, b.length);
  let same = 0;
  while (same < smaller && a[a.length - 1 - same] === b[b.length - 1 - same]) same++;
  const cut = same - (same % TAIL_BLOCK_BYTES);
  if (cut === 0) return 0;
  const lineFeed = a.indexOf(10, a.length - cut);
  if (lineFeed === -1) return 0;
  return before.count - lineAt(before, lineFeed + 1);
}

/** Index of the line that starts at `offset`; `count` when the offset is the end. */
function lineAt(table: LineTable, offset: number): number {
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table.starts[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Gives equal lines of both sides equal numbers. Lines with the same hash are compared byte by byte. */
function numberLines(before: LineTable, oldCount: number, after: LineTable, newCount: number) {
  const firstOf = new Map<number, number>();
  const sample: number[] = [];
  const nextWithHash: number[] = [];
  const assign = (table: LineTable, line: number): number => {
    const hash = table.hashes[line]!;
    const head = firstOf.get(hash);
    for (let id = head ?? -1; id !== -1; id = nextWithHash[id]!) {
      const at = sample[id]!;
      if (at < oldCount ? isSameLine(before, at, table, line) : isSameLine(after, at - oldCount, table, line))
        return id;
    }
    const id = sample.length;
    sample.push(table === before ? line : oldCount + line);
    nextWithHash.push(head ?? -1);
    firstOf.set(hash, id);
    return id;
  };
  const oldIds = new Int32Array(oldCount);
  const newIds = new Int32Array(newCount);
  for (let line = 0; line < oldCount; line++) oldIds[line] = assign(before, line);
  for (let line = 0; line < newCount; line++) newIds[line] = assign(after, line);
  return { oldIds, newIds };
}

function toHunks(oldSide: Side, newSide: Side): Hunks {
  const hunks: number[] = [];
  let oldLine = 0;
  let newLine = 0;
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
