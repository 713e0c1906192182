// Which lines of a commit repeat code that stands elsewhere in the tree: holds the line hashes of the tree
// and steps them back along the first parents as the walk goes. The commits that a merge brought in come right behind it:
// they are judged by the merge's tree and stepped back over one by one, as if they had been made on top of each other. That
// tree also holds what the other side of the merge wrote meanwhile. So where it shows a duplicate, the files of both places
// are read as the commit itself has them, and the commit is judged again. Then the tree goes to the merge's first parent, as
// it was.

import { createByteLru } from '../../../kit/byte-lru.ts';
import type { BlobComparer } from '../../diff/blob-comparer.ts';
import type { GitRepository } from '../../git/run-git.ts';
import { type TreeFile as ListedFile, regularFiles } from '../../git/tree-listing.ts';
import { createDuplicateIndex } from '../../judge/duplicates.ts';
import { hashFileLines } from '../../judge/hash-lines.ts';
import { MOST_FILE_BYTES } from '../../kernel-contract.ts';
import type { FileShape, TreeLines } from '../../model/classified.ts';
import type { TreeChange, TreeStep } from '../../model/commit-record.ts';
import type { TreeCommit, TreeFile, TreeJudgement } from '../../model/tree-commit.ts';
import { type CommitFiles, createCommitFiles } from '../../objects/commit-files.ts';
import { createFileSource, type FileSource, lookIntoFiles } from '../../objects/file-source.ts';
import { isBinary } from '../../objects/text-lines.ts';
import { KeptLines } from '../../trails/kept-lines.ts';

/** What the hashes of a tree may take; a line is about 12 bytes. */
export const DUPLICATE_INDEX_BYTES = 96 << 20;
const READ_AT_ONCE = 128;
const KEPT_HASHES_BYTES = 8 << 20;
/** What a kept blob takes besides its hashes. */
const BLOB_NAME_BYTES = 150;
const NO_HUNKS = new Int32Array(0);
/** How often a commit is judged again: files that were read may show further places. */
const MOST_LOOKS = 4;

/** Of other contents the tree has no lines. */
export const isIndexedText = (bytes: Buffer): boolean => bytes.length <= MOST_FILE_BYTES && !isBinary(bytes);

/** In the order requested; null for what is no text file, is too large, or cannot be read. */
export const indexedHashes = (source: FileSource, blobs: readonly string[]): Promise<(Uint32Array | null)[]> =>
  lookIntoFiles(source, blobs, (bytes) => (isIndexedText(bytes) ? hashFileLines(bytes) : null));

export interface TreeInput {
  readonly repository: GitRepository;
  /** As `git ls-tree` lists the tree of the first commit, a TreeListing that may have changed threads; null when it could not. */
  readonly listing: Uint8Array | null;
  readonly maxBytes: number | undefined;
  /** The folder where the lines of the tree are kept for the next walk; null: they are not. */
  readonly linesIn: string | null;
}

export class TreeDuplicates {
  readonly #index: ReturnType<typeof createDuplicateIndex>;
  /** False from where a first parent could not be read: then nothing is said rather than something wrong. */
  #isKnown = true;
  /** Of files that commits aside have changed: their lines in the tree of the merge, null where it has none. */
  readonly #aside = new Map<string, Uint32Array | null>();
  /** How the first parent of the merge last met differs from it. */
  #next: readonly TreeChange[] = [];
  /** Files that come to what the first parent has by stepping back, and those of them that could not be stepped back. */
  readonly #reached = new Set<string>();
  readonly #spoiled = new Set<string>();
  /** The merge last met and the last commit that it brought in; null: its tree may be another anywhere. */
  #row: { readonly merge: string; readonly brought: string } | null = null;
  /** By path, whether these two differ there. */
  readonly #differs = new Map<string, boolean>();
  /** Files whose lines are those of the commit aside at hand, and the parent for which they still hold. */
  readonly #exact = new Set<string>();
  #exactFor: string | null = null;
  /** Where the files of the commit judged last stand: it is stepped back over next, and nothing changes in between. */
  #located: { readonly commit: TreeCommit; readonly shapes: readonly (FileShape | null)[] } | null = null;
  readonly #source: FileSource;
  readonly #commitFiles: CommitFiles;
  /** Of files that were read as a commit aside has them: the commits before it mostly have the same. */
  readonly #hashes = createByteLru<Uint32Array>(KEPT_HASHES_BYTES);

  constructor(isIndexed: (path: string) => boolean, maxBytes: number, source: FileSource) {
    this.#index = createDuplicateIndex({ maxBytes, isIndexed });
    this.#source = source;
    this.#commitFiles = createCommitFiles(source);
  }

  /** To be closed. */
  static async load(
    { repository, listing, maxBytes = DUPLICATE_INDEX_BYTES, linesIn }: TreeInput,
    isIndexed: (path: string) => boolean,
    blobs: BlobComparer | null,
  ): Promise<TreeDuplicates> {
    const source = createFileSource(repository, blobs);
    const tree = new TreeDuplicates(isIndexed, maxBytes, source);
    const files = (listing === null ? [] : regularFiles(asBuffer(listing))).filter(({ path }) => isIndexed(path));
    if (listing === null) tree.#isKnown = false;
    try {
      await tree.#fill(files, linesIn === null ? null : new KeptLines(linesIn));
    } catch (error) {
      tree.close();
      throw error;
    }
    return tree;
  }

  async #fill(files: readonly ListedFile[], kept: KeptLines | null): Promise<void> {
    for (let from = 0; from < files.length; from += READ_AT_ONCE) {
      const group = files
        .slice(from, from + READ_AT_ONCE)
        .map((file) => ({ ...file, lines: kept?.get(file.blob) ?? null }));
      const unknown = group.filter(({ lines }) => lines === null);
      const read = await indexedHashes(
        this.#source,
        unknown.map(({ blob }) => blob),
      );
      for (const [i, file] of unknown.entries()) file.lines = read[i]!;
      for (const { path, blob, lines } of group) {
        if (lines === null) continue;
        kept?.use(blob, lines);
        this.#index.load(path, lines);
      }
    }
    kept?.keep();
  }

  close(): void {
    this.#source.objects.close();
  }

  /** Judges a commit, and takes the tree to its parent; to the first one, from a merge among the first parents. */
  async step(commit: TreeCommit): Promise<TreeJudgement> {
    if (commit.isFirstParent) await this.#returnToFirstParents(commit.sha);
    const counts = commit.isJudged ? await this.#judge(commit) : null;
    const { isFull } = this.#index;
    this.#stepBack(commit);
    return { counts, isFull };
  }

  async #judge(commit: TreeCommit): Promise<Uint32Array | null> {
    const { lines, files } = commit;
    if (!this.#isKnown || lines === null) return null;
    if (!commit.isFirstParent) return this.#judgeAside(commit, lines);
    return this.#index.duplicatesOf(lines, files, true);
  }

  /** Of a commit that a merge brought in. */
  async #judgeAside(commit: TreeCommit, lines: TreeLines): Promise<Uint32Array> {
    const { sha, files } = commit;
    if (this.#exactFor !== sha) this.#exact.clear();
    let counts = this.#countAside(commit, lines);
    for (let look = 0; look < MOST_LOOKS; look++) {
      const doubtful: string[] = [];
      for (const path of this.#placesOf(counts, files)) if (await this.#isDoubtful(path)) doubtful.push(path);
      if (doubtful.length === 0) break;
      await this.#readAt(sha, doubtful);
      counts = this.#countAside(commit, lines);
    }
    return counts;
  }

  /** Whether the tree may hold another file there than the commit aside at hand has. */
  async #isDoubtful(path: string): Promise<boolean> {
    if (this.#exact.has(path) || (this.#reached.has(path) && !this.#spoiled.has(path))) return false;
    if (this.#row === null || this.#spoiled.has(path)) return true;
    const known = this.#differs.get(path);
    if (known !== undefined) return known;
    const { merge, brought } = this.#row;
    const [here, there] = await Promise.all([merge, brought].map((sha) => this.#commitFiles.blobAt(sha, path)));
    this.#differs.set(path, here !== there);
    return here !== there;
  }

  #countAside(commit: TreeCommit, lines: TreeLines): Uint32Array {
    const { files } = commit;
    const located = this.#locate(files, lines);
    this.#located = { commit, shapes: located };
    if (!located.includes(null)) return this.#index.duplicatesOf(lines, located as FileShape[], true);
    // Of files that the merge changed once more only the added lines are known.
    const counts = this.#index.duplicatesOf(lines, files, false);
    const known = files.map((file, i) => located[i] ?? { ...file, newPath: null, hunks: NO_HUNKS });
    const exact = this.#index.duplicatesOf(lines, known, true);
    const numbers = counts.length / Math.max(1, files.length);
    return counts.map((count, at) => (located[Math.floor(at / numbers)] === null ? count : exact[at]!));
  }

  /** The files that the duplicates of the commit judged last stand in, its own and others. */
  #placesOf(counts: Uint32Array, shapes: readonly FileShape[]): string[] {
    const numbers = counts.length / Math.max(1, shapes.length);
    const own = shapes.filter((_, i) => counts.subarray(i * numbers, (i + 1) * numbers).some((count) => count > 0));
    if (own.length === 0) return [];
    const paths = new Set(this.#index.matched());
    for (const { newPath } of own) if (newPath !== null) paths.add(newPath);
    return [...paths];
  }

  /** Puts the files of a commit in the place of the merge's. */
  async #readAt(sha: string, paths: readonly string[]): Promise<void> {
    const files = await this.#filesAt(sha, paths);
    for (const path of paths) this.#keep(path);
    this.#replace(files);
    for (const path of paths) this.#exact.add(path);
  }

  async #filesAt(sha: string, paths: readonly string[]): Promise<Pick<TreeChange, 'path' | 'hashes'>[]> {
    const found = await Promise.all(paths.map((path) => this.#commitFiles.blobAt(sha, path)));
    const hashes = new Map<string, Uint32Array | null>();
    for (const blob of found) if (blob !== null) hashes.set(blob, this.#hashes.get(blob) ?? null);
    const unread = [...hashes].flatMap(([blob, known]) => (known === null ? [blob] : []));
    for (const [i, read] of (await indexedHashes(this.#source, unread)).entries()) {
      hashes.set(unread[i]!, read);
      if (read !== null) this.#hashes.set(unread[i]!, read, read.byteLength + BLOB_NAME_BYTES);
    }
    return paths.map((path, i) => ({ path, hashes: hashes.get(found[i] ?? '') ?? null }));
  }

  /** Remembers what the merge has there. */
  #keep(path: string): void {
    if (!this.#reached.has(path) && !this.#aside.has(path)) this.#aside.set(path, this.#index.linesOf(path));
  }

  #stepBack(commit: TreeCommit): void {
    const { lines, files } = commit;
    if (!this.#isKnown) return;
    if (!commit.isFirstParent) {
      // Behind a merge within the merge the tree is that of neither parent.
      this.#exactFor = commit.parent;
      if (lines !== null) this.#stepAside(commit, lines);
      else if (!commit.isMerge) for (const path of this.#reached) this.#spoiled.add(path);
      return;
    }
    if (commit.step !== null) this.#begin(commit.sha, commit.step);
    else if (lines === null) this.#isKnown = false;
    else {
      const known = files.map((file) => (file.isUndoable ? file : forgotten(file)));
      this.#index.undo(lines, known);
    }
  }

  /** Remembers how the tree of a merge goes on. */
  #begin(merge: string, { changes, brought }: TreeStep): void {
    this.#next = changes;
    for (const { path, isReached } of changes) if (isReached) this.#reached.add(path);
    this.#row = brought === null ? null : { merge, brought };
  }

  #locate(files: readonly TreeFile[], lines: TreeLines): (FileShape | null)[] {
    return files.map((file, i) => (file.isUndoable ? this.#index.locate(lines, i, file) : null));
  }

  #stepAside(commit: TreeCommit, lines: TreeLines): void {
    const { files } = commit;
    const known = this.#located?.commit === commit ? this.#located.shapes : this.#locate(files, lines);
    this.#located = null;
    const located = known.map((shape, i) => {
      for (const path of [files[i]!.oldPath, files[i]!.newPath])
        if (path !== null) {
          this.#keep(path);
          if (shape === null) this.#spoiled.add(path);
        }
      return shape ?? NO_FILE;
    });
    this.#index.undo(lines, located);
  }

  /** Undoes what was stepped back over aside, and goes from the last merge to its first parent. */
  async #returnToFirstParents(sha: string): Promise<void> {
    const lost = [...this.#spoiled].filter((path) => this.#reached.has(path));
    for (const path of lost) this.#reached.delete(path);
    if (this.#aside.size > 0) this.#replace([...this.#aside].map(([path, hashes]) => ({ path, hashes })));
    for (const change of this.#next) {
      if (change.isReached) continue;
      const { path, hashes, hunks } = change;
      if (hunks === null || hashes === null) this.#replace([change]);
      else if (!this.#index.undoFile(path, hashes, hunks)) lost.push(path);
    }
    // What neither stepping back nor hunks could lead to.
    if (lost.length > 0) this.#replace(await this.#filesAt(sha, lost));
    this.#next = [];
    this.#row = null;
    this.#exactFor = null;
    for (const each of [this.#aside, this.#exact, this.#reached, this.#spoiled, this.#differs]) each.clear();
  }

  #replace(changes: readonly Pick<TreeChange, 'path' | 'hashes'>[]): void {
    for (const { path, hashes } of changes)
      if (hashes === null) this.#index.drop(path);
      else this.#index.load(path, hashes);
  }
}

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

const NO_FILE: FileShape = { oldPath: null, newPath: null, hunks: NO_HUNKS };

/** A file whose lines are not known is taken out, as if the commit had made it. */
const forgotten = (shape: FileShape): FileShape =>
  shape.newPath === null ? { ...shape, oldPath: null } : createdFile(shape.newPath);

const createdFile = (path: string): FileShape => ({ ...NO_FILE, newPath: path });
