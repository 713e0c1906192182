// A commit's diff against one parent in the shape that classify/ reads, made from objects. Only the file
// of interest is looked for under a former name. A commit too large to be read whole is read as that one
// file, and says so.

import { diffLines, type Hunks, type LineDiffOptions } from '../compare/diff-lines.ts';
import { createLineTable, type LineTable } from '../compare/line-table.ts';
import type { CommitDiff, FileDiff, LineBlock } from '../model/diff.ts';
import { isBlob } from '../objects/tree-object.ts';
import { compareTrees, type FileChange } from './compare-trees.ts';
import type { FileVersion } from './find-change.ts';
import type { ObjectStore } from './object-store.ts';
import { bytesToPath } from './path-bytes.ts';

export interface DiffLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}
export const DEFAULT_DIFF_LIMITS: DiffLimits = { maxFiles: 300, maxBytes: 6 * 1024 * 1024 };

export interface CommitDiffOfFile {
  readonly diff: CommitDiff;
  /** Where each of the diff's files is, by bytes; the same order. */
  readonly files: readonly { readonly before: FileVersion | null; readonly after: FileVersion | null }[];
  /** The file of interest among them. */
  readonly fileIndex: number;
  /** True when the other files of the commit were left out. */
  readonly isLimited: boolean;
}

const EMPTY_TABLE = createLineTable(new Uint8Array(0));
const BATCH_FILES = 32;
const NO_BLOB = '0'.repeat(40);

interface Pair {
  before: FileVersion | null;
  after: FileVersion | null;
  oldMode: number;
  newMode: number;
}

/** `before` and `after` are the file of interest; one of them may be null. */
export async function readCommitDiff(
  store: ObjectStore,
  before: FileVersion | null,
  after: FileVersion | null,
  commit: FileVersion['commit'],
  parent: FileVersion['commit'] | null,
  options: LineDiffOptions,
  limits: DiffLimits = DEFAULT_DIFF_LIMITS,
): Promise<CommitDiffOfFile> {
  const own: Pair = { before, after, oldMode: before ? 0o100644 : 0, newMode: after ? 0o100644 : 0 };
  let others: Pair[] = [];
  let isLimited = false;
  const comparison = await compareTrees(store, parent?.tree ?? null, commit.tree, limits.maxFiles).catch(() => null);
  if (comparison === null || comparison.isCut) isLimited = true;
  else others = comparison.changes.flatMap((change) => toPair(change, own, commit, parent));

  const pairs = [own, ...others].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  const diffs: FileDiff[] = [];
  let bytes = 0;
  for (const [index, pair] of pairs.entries()) {
    // Asking for a batch at once saves most of the round trips; stopping between keeps to the byte limit.
    if (index % BATCH_FILES === 0 && bytes <= limits.maxBytes) {
      await Promise.all(pairs.slice(index, index + BATCH_FILES).map((each) => readTables(store, each)));
    }
    const tables = await readTables(store, pair);
    bytes += tables.old.bytes.length + tables.new.bytes.length;
    if (bytes > limits.maxBytes && pair !== own) isLimited = true;
    diffs.push(
      toFileDiff(
        pair,
        bytes > limits.maxBytes && pair !== own ? { old: EMPTY_TABLE, new: EMPTY_TABLE } : tables,
        options,
      ),
    );
  }
  return {
    diff: { sha: commit.sha, parents: commit.parents, files: diffs },
    files: pairs,
    fileIndex: pairs.indexOf(own),
    isLimited,
  };
}

const pathOf = (pair: Pair): string => (pair.after ?? pair.before)!.path;

function toPair(
  change: FileChange,
  own: Pair,
  commit: FileVersion['commit'],
  parent: FileVersion['commit'] | null,
): Pair[] {
  const { path } = change;
  const before =
    change.before && isBlob(change.before.mode) && parent && path !== own.before?.path
      ? { commit: parent, path, blob: change.before.sha }
      : null;
  const after =
    change.after && isBlob(change.after.mode) && path !== own.after?.path
      ? { commit, path, blob: change.after.sha }
      : null;
  if (change.before && path === own.before?.path) own.oldMode = change.before.mode;
  if (change.after && path === own.after?.path) own.newMode = change.after.mode;
  if (before === null && after === null) return [];
  return [{ before, after, oldMode: change.before?.mode ?? 0, newMode: change.after?.mode ?? 0 }];
}

async function readTables(store: ObjectStore, pair: Pair): Promise<{ old: LineTable; new: LineTable }> {
  const read = async (version: FileVersion | null): Promise<LineTable> =>
    version === null ? EMPTY_TABLE : await store.lines(version.blob).catch(() => EMPTY_TABLE);
  return { old: await read(pair.before), new: await read(pair.after) };
}

function toFileDiff(pair: Pair, tables: { old: LineTable; new: LineTable }, options: LineDiffOptions): FileDiff {
  const isBinary = tables.old.isBinary || tables.new.isBinary;
  const hunks = isBinary ? new Int32Array(0) : diffLines(tables.old, tables.new, options);
  const oldPath = pair.before && bytesToPath(pair.before.path);
  const newPath = pair.after && bytesToPath(pair.after.path);
  const status =
    pair.before === null ? 'added' : pair.after === null ? 'deleted' : oldPath === newPath ? 'modified' : 'renamed';
  return {
    status,
    oldPath,
    newPath,
    similarity: 100,
    oldMode: pair.oldMode,
    newMode: pair.newMode,
    oldBlob: pair.before?.blob ?? NO_BLOB,
    newBlob: pair.after?.blob ?? NO_BLOB,
    isBinary,
    limited: isBinary ? 'binary' : null,
    hunks,
    removed: toBlock(tables.old, hunks, 0),
    added: toBlock(tables.new, hunks, 2),
  };
}

function toBlock(table: LineTable, hunks: Hunks, side: 0 | 2): LineBlock {
  let count = 0;
  for (let at = side; at < hunks.length; at += 4) count += hunks[at + 1]!;
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let line = 0;
  for (let at = side; at < hunks.length; at += 4) {
    const from = hunks[at]!;
    for (let index = from; index < from + hunks[at + 1]!; index++, line++) {
      starts[line] = table.starts[index]!;
      const end = table.starts[index + 1]!;
      ends[line] = end > starts[line]! && table.bytes[end - 1] === 10 ? end - 1 : end;
    }
  }
  return { count, bytes: table.bytes, starts, ends };
}

/** The position of a line among the changed lines of its side, and back. */
export function changedOrdinal(hunks: Hunks, side: 0 | 2, lineIndex: number): number {
  let before = 0;
  for (let at = side; at < hunks.length; at += 4) {
    const start = hunks[at]!;
    const count = hunks[at + 1]!;
    if (lineIndex >= start && lineIndex < start + count) return before + lineIndex - start;
    before += count;
  }
  return -1;
}

export function changedLine(hunks: Hunks, side: 0 | 2, ordinal: number): number {
  let before = 0;
  for (let at = side; at < hunks.length; at += 4) {
    const count = hunks[at + 1]!;
    if (ordinal < before + count) return hunks[at]! + ordinal - before;
    before += count;
  }
  return -1;
}
