// A commit's diff against one parent in the shape that judge/ reads, made from objects. Only the file
// of interest is looked for under a former name. A commit too large to be read whole is read as that one
// file, and says so.

import type { RawChange } from '../../diff/raw-changes.ts';
import { orElse } from '../../git/run-git.ts';
import type { CommitDiff, FileDiff, LineBlock } from '../../model/diff.ts';
import { hasBlob } from '../../objects/object-kinds.ts';
import { TextLines } from '../../objects/text-lines.ts';
import type { RenameFinder } from '../../trace/renames.ts';
import { readChanges } from './commit-changes.ts';
import type { FileVersion } from './file-version.ts';
import type { ObjectStore } from './object-store.ts';
import { bytesToPath, pathToBytes } from './path-bytes.ts';
import type { Hunks, VersionComparer } from './version-comparer.ts';

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

const EMPTY = new TextLines(new Uint8Array(0));
const BATCH_FILES = 32;
const NO_BLOB = '0'.repeat(40);

interface Pair {
  before: FileVersion | null;
  after: FileVersion | null;
  oldMode: number;
  newMode: number;
}

/** What reads and compares. */
export interface DiffSource {
  readonly store: ObjectStore;
  readonly renames: RenameFinder;
  readonly comparer: VersionComparer;
}

/** The file of interest, of which one version may be null, and the commit with the parent to compare with. */
export interface DiffQuestion {
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
  readonly commit: FileVersion['commit'];
  readonly parent: FileVersion['commit'] | null;
}

export async function readCommitDiff(
  { store, renames, comparer }: DiffSource,
  question: DiffQuestion,
  limits: DiffLimits = DEFAULT_DIFF_LIMITS,
): Promise<CommitDiffOfFile> {
  const { before, after, commit, parent } = question;
  const own: Pair = { before, after, oldMode: before ? 0o100644 : 0, newMode: after ? 0o100644 : 0 };
  let others: Pair[] = [];
  let isLimited = false;
  const changes = await readChanges(renames, commit, parent).catch(orElse(null));
  if (changes === null || changes.size > limits.maxFiles) isLimited = true;
  else others = [...changes].flatMap(([path, change]) => toPair(pathToBytes(path), change, own, question));

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
    const isLeftOut = bytes > limits.maxBytes && pair !== own;
    if (isLeftOut) isLimited = true;
    diffs.push(await toFileDiff(comparer, pair, isLeftOut ? { old: EMPTY, new: EMPTY } : tables));
  }
  return {
    diff: { sha: commit.sha, parents: commit.parents, files: diffs },
    files: pairs,
    fileIndex: pairs.indexOf(own),
    isLimited,
  };
}

const pathOf = (pair: Pair): string => (pair.after ?? pair.before)!.path;

function toPair(path: string, change: RawChange, own: Pair, { commit, parent }: DiffQuestion): Pair[] {
  const [oldMode, newMode] = [Number.parseInt(change.oldMode, 8), Number.parseInt(change.newMode, 8)];
  const isOwn = { before: path === own.before?.path, after: path === own.after?.path };
  const before = hasBlob(oldMode) && parent && !isOwn.before ? { commit: parent, path, blob: change.oldBlob } : null;
  const after = hasBlob(newMode) && !isOwn.after ? { commit, path, blob: change.newBlob } : null;
  if (isOwn.before && change.status !== 'A') own.oldMode = oldMode;
  if (isOwn.after && change.status !== 'D') own.newMode = newMode;
  return before === null && after === null ? [] : [{ before, after, oldMode, newMode }];
}

async function readTables(store: ObjectStore, pair: Pair): Promise<{ old: TextLines; new: TextLines }> {
  const read = async (version: FileVersion | null): Promise<TextLines> =>
    version === null ? EMPTY : await store.lines(version.blob).catch(orElse(EMPTY));
  return { old: await read(pair.before), new: await read(pair.after) };
}

async function toFileDiff(
  comparer: VersionComparer,
  pair: Pair,
  tables: { old: TextLines; new: TextLines },
): Promise<FileDiff> {
  const isBinary = tables.old.isBinary || tables.new.isBinary;
  const hunks = isBinary ? new Int32Array(0) : await hunksOf(comparer, pair, tables);
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

/** A file that was added, deleted, or left out is one hunk or none. */
async function hunksOf(
  comparer: VersionComparer,
  { before, after }: Pair,
  tables: { old: TextLines; new: TextLines },
): Promise<Hunks> {
  const [oldCount, newCount] = [tables.old.count, tables.new.count];
  if (oldCount > 0 && newCount > 0) return comparer.compare(before!.blob, after!.blob);
  return oldCount + newCount === 0 ? new Int32Array(0) : Int32Array.of(0, oldCount, 0, newCount);
}

function toBlock(table: TextLines, hunks: Hunks, side: 0 | 2): LineBlock {
  let count = 0;
  for (let at = side; at < hunks.length; at += 4) count += hunks[at + 1]!;
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let line = 0;
  for (let at = side; at < hunks.length; at += 4) {
    const from = hunks[at]!;
    for (let index = from; index < from + hunks[at + 1]!; index++, line++) {
      starts[line] = table.starts[index]!;
      ends[line] = table.endOf(index);
    }
  }
  return { count, bytes: table.bytes, starts, ends, hasText: true };
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
