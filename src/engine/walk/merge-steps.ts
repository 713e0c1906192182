// How the tree of a merge becomes that of its first parent. The commits that the merge brought in are stepped back over one
// by one, and most files come back to what the first parent has by that alone: names of blobs show which, before any file
// is read. Of most others it is known what the merge replaced, since they were compared. Only the rest is read whole.

import type { SeeOlder } from '../diff/blob-comparer.ts';
import type { ListedChange } from '../diff/streamed-commit.ts';
import { hashLinesOf } from '../judge/hash-lines.ts';
import type { Chunk, TreeChange, TreeStep } from '../model/commit-record.ts';
import { effort } from '../model/effort.ts';
import type { FileSource } from '../objects/file-source.ts';
import { isRegular } from '../objects/object-kinds.ts';
import type { ReadMerge } from '../trace/merge-routes.ts';
import { indexedHashes, isIndexedText } from './tree/tree-duplicates.ts';

export interface StepReader {
  readonly files: FileSource;
  readonly isIndexed: (path: string) => boolean;
}

/** What is known of the commits of a chunk. */
export interface KnownChanges {
  readonly merges: ReadonlyMap<string, ReadMerge>;
  /** What a commit with one parent changes, renames included; undefined when that is not known. */
  changesOf(sha: string): readonly ListedChange[] | undefined;
  readonly replaced: ReplacedLines;
}

/** The lines of first parents that merges replaced in files that were compared. */
export class ReplacedLines {
  readonly #merges: ReadonlyMap<string, Map<string, Pick<TreeChange, 'hashes' | 'hunks'>>>;
  readonly #isIndexed: (path: string) => boolean;
  readonly #longestLine: number;

  /** Of a line that is longer than this, commits show a part. */
  constructor(chunk: Chunk, isIndexed: (path: string) => boolean, longestLine: number) {
    const merges = chunk.filter(
      ({ isFirstParent, isStepped, parents }) => isFirstParent && isStepped && parents.length > 1,
    );
    this.#merges = new Map(merges.map(({ sha }) => [sha, new Map()]));
    this.#isIndexed = isIndexed;
    this.#longestLine = longestLine;
  }

  /** What notes them of a file, when it is shown that of the first parent; undefined when nobody wants to know. */
  noteOf(merge: string, path: string): SeeOlder | undefined {
    const files = this.#merges.get(merge);
    if (files === undefined || !this.#isIndexed(path)) return undefined;
    return (before, lineStarts, hunks) => {
      if (!isIndexedText(before)) return;
      // What the tree has of such a line may be the part: the file is read whole.
      if (before.length > this.#longestLine && hasLongerLine(before, lineStarts, this.#longestLine)) return;
      files.set(path, { hashes: hashLinesOf([...replacedLines(before, lineStarts, hunks)]), hunks });
    };
  }

  get(merge: string, path: string): Pick<TreeChange, 'hashes' | 'hunks'> | undefined {
    return this.#merges.get(merge)?.get(path);
  }
}

function hasLongerLine(file: Buffer, lineStarts: Int32Array, longest: number): boolean {
  for (let line = 0; lineStarts[line]! < file.length; line++)
    if (lineStarts[line + 1]! - lineStarts[line]! > longest) return true;
  return false;
}

/** Of a file's lines those that hunks of four numbers replace. */
function* replacedLines(file: Buffer, lineStarts: Int32Array, hunks: Int32Array): Generator<Buffer> {
  for (let i = 0; i < hunks.length; i += 4) {
    const [first, count] = [hunks[i]!, hunks[i + 1]!];
    if (count > 0) yield file.subarray(lineStarts[first]!, lineStarts[first + count]!);
  }
}

/** Stands for content that no commit shows. */
const LOST = '?';

/** For merges that the tree is stepped back over, by sha. */
export async function readMergeSteps(
  reader: StepReader,
  chunk: Chunk,
  known: KnownChanges,
): Promise<Map<string, TreeStep>> {
  // Commits of other branches stand in between.
  const commits = chunk.filter(({ isStepped }) => isStepped);
  const found = new Map<string, TreeStep>();
  // Path by path: a version is likely to be stored as a difference to its neighbour.
  const byPath = new Map<string, { readonly blob: string; readonly change: { hashes: Uint32Array | null } }[]>();
  for (const [at, { sha, isFirstParent }] of commits.entries()) {
    const merge = isFirstParent ? known.merges.get(sha) : undefined;
    if (merge === undefined) continue;
    const group = commitsOf(commits, at);
    const reached = group === null ? new Set<string>() : reachedBlobs(merge, group, known, reader.isIndexed);
    const changes: TreeChange[] = [];
    for (const [path, { status, oldMode, oldBlob }] of merge.lists[0]!) {
      if (!reader.isIndexed(path)) continue;
      const isReached = reached.has(path);
      const isFile = status !== 'A' && isRegular(Number.parseInt(oldMode, 8));
      const replaced = isReached || !isFile ? undefined : known.replaced.get(sha, path);
      const change = { path, hashes: null, hunks: null, ...replaced, isReached };
      changes.push(change);
      if (isReached || replaced !== undefined || !isFile) continue;
      const versions = byPath.get(path);
      if (versions === undefined) byPath.set(path, [{ blob: oldBlob, change }]);
      else versions.push({ blob: oldBlob, change });
    }
    effort.treeFilesReached += reached.size;
    found.set(sha, { changes, brought: group === null ? null : lastBrought(group) });
  }
  const wanted = [...byPath.values()].flat();
  effort.treeFilesRead += wanted.length;
  const hashes = await indexedHashes(
    reader.files,
    wanted.map(({ blob }) => blob),
  );
  for (const [i, { change }] of wanted.entries()) change.hashes = hashes[i] ?? null;
  return found;
}

/** The commits that the merge at a place of the chunk brought in; null when they do not all stand in the chunk. */
function commitsOf(commits: Chunk, at: number): Chunk | null {
  let end = at + 1;
  while (end < commits.length && !commits[end]!.isFirstParent) end++;
  return commits[end]?.sha === commits[at]!.parents[0] ? commits.slice(at, end) : null;
}

/** The paths at which stepping back over the commits of the merge leads to just the file that the first parent has. */
function reachedBlobs(
  { lists }: ReadMerge,
  [, ...brought]: Chunk,
  { changesOf }: KnownChanges,
  isIndexed: (path: string) => boolean,
): ReadonlySet<string> {
  const reached = new Set<string>();
  /** Blobs by path, null where nothing stands; only of paths in which merge and first parent differ. */
  const blobs = new Map<string, string | null>();
  for (const [path, { status, newMode, newBlob }] of lists[0]!)
    blobs.set(path, status === 'D' ? null : isRegular(Number.parseInt(newMode, 8)) ? newBlob : LOST);
  for (const { sha, parents } of brought) {
    if (parents.length !== 1) continue;
    const changes = changesOf(sha);
    if (changes === undefined) return reached;
    // Renames may swap names: all files first leave their new names, then take their old ones.
    // A file that was not looked at under its new name comes back without lines.
    const known = changes.map(
      (change) => leave(change, blobs) && (change.renamed === undefined || isIndexed(change.path)),
    );
    for (const [i, change] of changes.entries()) comeBack(change, known[i]!, blobs);
  }
  for (const [path, { status, oldMode, oldBlob }] of lists[0]!) {
    const wanted = status === 'A' ? null : oldBlob;
    if (blobs.get(path) === wanted && (wanted === null || isRegular(Number.parseInt(oldMode, 8)))) reached.add(path);
  }
  return reached;
}

/** Whether the file stands there as the commit made it. */
function leave({ status, path, newBlob, newMode }: ListedChange, blobs: Map<string, string | null>): boolean {
  if (status === 'D') return true;
  const blob = blobs.get(path);
  const isThere = blob === newBlob && isRegular(newMode);
  if (blob !== undefined) blobs.set(path, isThere ? null : LOST);
  return isThere;
}

function comeBack(
  { status, path, renamed, oldBlob, oldMode }: ListedChange,
  isKnown: boolean,
  blobs: Map<string, string | null>,
): void {
  if (status === 'A') return;
  const from = renamed?.from ?? path;
  const blob = blobs.get(from);
  if (blob !== undefined) blobs.set(from, isKnown && blob === null && isRegular(oldMode) ? oldBlob : LOST);
}

/**
 * The last commit that the merge brought in. Null when the others do not stand in a row below it: a merge within the
 * merge, or more than two parents.
 */
function lastBrought([merge, ...brought]: Chunk): string | null {
  const last = brought[0];
  if (merge!.parents.length !== 2 || last === undefined || last.sha !== merge!.parents[1]) return null;
  const isRow = brought.every(
    ({ sha, parents }, i) => parents.length === 1 && (i === 0 || brought[i - 1]!.parents[0] === sha),
  );
  return isRow ? last.sha : null;
}
