// What commits change, path by path, read from the trees in packs: the lists that `git diff-tree` would print, without
// git. Null wherever git may say something else: objects that no pack has, odd ones, and files that went while others
// came, among which git looks for renames.

import { MOST_COMMIT_BYTES, parsePackedCommit } from '../git/commit-head.ts';
import { pathBytes, pathText } from '../git/quoted-path.ts';
import {
  TREE_END,
  TREE_ID_BYTES,
  TREE_NAME,
  TREE_NAME_LENGTH,
  TREE_NEW_ID,
  TREE_NEW_MODE,
  TREE_OLD_ID,
  TREE_OLD_MODE,
} from '../kernel-contract.ts';
import type { HeldBlob } from '../objects/blob-ring.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import { isSubmodule, isTree } from '../objects/object-kinds.ts';
import { MOST_LISTED } from './diff-stream.ts';
import type { Kernel } from './kernel.ts';
import { type ComparedCommit, letterOf, NO_BLOB, NOTHING, type RawChange } from './raw-changes.ts';
import type { ListedChange, StreamedCommit } from './streamed-commit.ts';

/** Longer lists of merges are git's. */
const MOST_PATHS = 50_000;
const DEEPEST = 512;
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** Trees of so many commits are remembered. */
const MOST_KNOWN = 20_000;
/** `tree <id>`, with its line feed. */
const TREE_LINE = 5 + 2 * TREE_ID_BYTES + 1;
const LINE_FEED = 10;
const HIGH_BYTE = /[\x80-\xff]/;
/** The same as bytes and as text. */
const PLAIN_PATH = /^[!#-\x7e][ -\x7e]*$/;

/** Takes the entries that differ; `row` is its place in words. Not for folders. */
type Visit = (row: number, prefix: string) => void;

export class PackedLists {
  readonly #kernel: Kernel;
  readonly #store: BlobStore;
  readonly #rowsAt: number;
  /** By commit. */
  readonly #trees = new Map<string, string>();
  /** Whether to go into a folder, by its path and its row. */
  #isWanted: ((path: string, row: number) => boolean) | null = null;
  #visit: Visit = () => {};
  #visited = 0;

  constructor(kernel: Kernel, store: BlobStore) {
    this.#kernel = kernel;
    this.#store = store;
    this.#rowsAt = kernel.calls.TREE_ROWS.value;
  }

  /** A commit with its list of changes, which is empty for a merge. */
  list({ sha, parents }: ComparedCommit): StreamedCommit | null {
    return this.#kernel.attempt(() => this.#list(sha, parents), null);
  }

  /** Whether git finds the files here among which it looks for renames. False where a partial clone may lack one. */
  hasFilesOf({ sha, parents }: ComparedCommit): boolean {
    if (!this.#store.isOfPartialClone) return true;
    const changes = parents.length > 1 ? null : this.listAgainst(sha, parents[0] ?? null, null);
    return changes !== null && [...changes.values()].every((change) => this.#isHere(change));
  }

  #isHere({ status, oldMode, newMode, oldBlob, newBlob }: RawChange): boolean {
    if (status === 'A') return isSubmodule(Number.parseInt(newMode, 8)) || !this.#store.isAway(newBlob);
    return status !== 'D' || isSubmodule(Number.parseInt(oldMode, 8)) || !this.#store.isAway(oldBlob);
  }

  /**
   * What a merge of two changes against its first parent, and against the second where it differs from both; by path.
   * Null for other merges too.
   */
  listMerge({ sha, parents }: ComparedCommit): [Map<string, RawChange>, Map<string, RawChange>] | null {
    if (parents.length !== 2) return null;
    return this.#kernel.attempt(() => this.#listMerge(sha, parents[0]!, parents[1]!), null);
  }

  /** The files that a parent has and the commit lacks, by path. */
  listGone(sha: string, parent: string): Map<string, RawChange> | null {
    return this.#kernel.attempt(() => {
      const [tree, parentTree] = [this.#treeOf(sha), this.#treeOf(parent)];
      if (tree === null || parentTree === null) return null;
      const gone = new Map<string, RawChange>();
      const { words } = this.#kernel;
      this.#isWanted = (_, row) => words[row + TREE_OLD_MODE] !== 0;
      const isRead = this.#compare(parentTree, tree, MOST_PATHS, (row, prefix) => {
        if (words[row + TREE_NEW_MODE] === 0) gone.set(this.#pathAt(row, prefix), this.#rawChange(row));
      });
      this.#isWanted = null;
      return isRead ? gone : null;
    }, null);
  }

  /** What a commit changes against a parent, or against nothing, by path: at these paths, or everywhere. */
  listAgainst(sha: string, parent: string | null, paths: ReadonlySet<string> | null): Map<string, RawChange> | null {
    return this.#kernel.attempt(() => this.#listAgainst(sha, parent, paths), null);
  }

  #listAgainst(sha: string, parent: string | null, paths: ReadonlySet<string> | null): Map<string, RawChange> | null {
    const [tree, parentTree] = [this.#treeOf(sha), this.#parentTreeOf(parent)];
    if (tree === null || parentTree === null) return null;
    const changed = new Map<string, RawChange>();
    const folders = paths === null ? null : foldersOf(paths);
    this.#isWanted = folders === null ? null : (path) => folders.has(path);
    const isRead = this.#compare(parentTree, tree, MOST_PATHS, (row, prefix) => {
      const path = this.#pathAt(row, prefix);
      if (paths === null || paths.has(path)) changed.set(path, this.#rawChange(row));
    });
    this.#isWanted = null;
    return isRead ? changed : null;
  }

  #list(sha: string, parents: readonly string[]): StreamedCommit | null {
    const held = this.#store.read(sha, 'commit');
    if (held === null || held.length > MOST_COMMIT_BYTES) return null;
    const tree = this.#knowTree(sha, held);
    const commit = parsePackedCommit(this.#kernel.bytes.toString('utf8', held.at, held.at + held.length));
    if (tree === null || commit === null || commit.parents.length !== parents.length) return null;
    for (let i = 0; i < parents.length; i++) if (parents[i] !== commit.parents[i]) return null;
    const changes: ListedChange[] = [];
    if (parents.length < 2 && !this.#listChanges(parents[0], tree, changes)) return null;
    const { author, committer, authored, committed, message } = commit.written;
    return {
      sha,
      comparedWith: null,
      parents,
      author,
      committer,
      authored,
      committed,
      message,
      changes,
      isMessageCut: false,
      files: [],
    };
  }

  #listChanges(parent: string | undefined, tree: string, changes: ListedChange[]): boolean {
    const parentTree = this.#parentTreeOf(parent ?? null);
    if (parentTree === null) return false;
    let [hasAdded, hasDeleted] = [false, false];
    const isRead = this.#compare(parentTree, tree, MOST_LISTED, (row, prefix) => {
      const { words } = this.#kernel;
      const oldMode = words[row + TREE_OLD_MODE]!;
      const newMode = words[row + TREE_NEW_MODE]!;
      hasAdded ||= oldMode === 0;
      hasDeleted ||= newMode === 0;
      changes.push({
        status: letterOf(oldMode, newMode),
        oldMode,
        newMode,
        oldBlob: this.#idAt(row + TREE_OLD_ID, oldMode),
        newBlob: this.#idAt(row + TREE_NEW_ID, newMode),
        path: this.#pathAt(row, prefix),
      });
    });
    return isRead && !(hasAdded && hasDeleted);
  }

  #listMerge(sha: string, first: string, second: string): [Map<string, RawChange>, Map<string, RawChange>] | null {
    const [tree, firstTree, secondTree] = [this.#treeOf(sha), this.#treeOf(first), this.#treeOf(second)];
    if (tree === null || firstTree === null || secondTree === null) return null;
    const changed = new Map<string, RawChange>();
    const folders = new Set<string>();
    this.#isWanted = (path) => {
      folders.add(path);
      return true;
    };
    const { words } = this.#kernel;
    /** How the names of what the merge has there begin: an old branch differs in much more, whose paths are not made. */
    const begins = new Set<number>();
    const isRead = this.#compare(firstTree, tree, MOST_PATHS, (row, prefix) => {
      changed.set(this.#pathAt(row, prefix), this.#rawChange(row));
      begins.add(words[row + TREE_NEW_ID]!);
    });
    const own = new Map<string, RawChange>();
    this.#isWanted = (path) => folders.has(path);
    // Where the merge does not differ from its first parent, it does not matter what the second one has.
    const isOwnRead =
      isRead &&
      (changed.size === 0 ||
        this.#compare(secondTree, tree, MOST_PATHS, (row, prefix) => {
          if (words[row + TREE_NEW_MODE] !== 0 && !begins.has(words[row + TREE_NEW_ID]!)) return;
          const path = this.#pathAt(row, prefix);
          if (changed.has(path)) own.set(path, this.#rawChange(row));
        }));
    this.#isWanted = null;
    return isOwnRead ? [changed, own] : null;
  }

  #rawChange(row: number): RawChange {
    const { words } = this.#kernel;
    const oldMode = words[row + TREE_OLD_MODE]!;
    const newMode = words[row + TREE_NEW_MODE]!;
    return {
      status: letterOf(oldMode, newMode),
      oldMode: modeText(oldMode),
      newMode: modeText(newMode),
      oldBlob: this.#idAt(row + TREE_OLD_ID, oldMode),
      newBlob: this.#idAt(row + TREE_NEW_ID, newMode),
    };
  }

  /** Calls `visit` for at most so many files in which two trees differ, in git's order; false when there may be more. */
  #compare(oldTree: string, newTree: string, most: number, visit: Visit): boolean {
    if (oldTree === newTree) return true;
    const before = oldTree === EMPTY_TREE ? NO_TREE : this.#store.read(oldTree, 'tree');
    const after = newTree === EMPTY_TREE ? NO_TREE : this.#store.read(newTree, 'tree');
    if (before === null || after === null) return false;
    this.#visit = visit;
    this.#visited = most;
    return this.#walk(before, after, { prefix: '', from: 0, depth: 0 });
  }

  #walk(before: HeldBlob, after: HeldBlob, { prefix, from, depth }: Folder): boolean {
    const { calls, words } = this.#kernel;
    // A long way to one tree may have pushed the other one out.
    if (depth > DEEPEST || !this.#isHeld(before) || !this.#isHeld(after)) return false;
    const end = calls.compareTrees(before.at, before.length, after.at, after.length, from);
    if (end < 0) return false;
    for (let at = from; at < end; ) {
      const row = (this.#rowsAt + at) >> 2;
      const isOldTree = isTree(words[row + TREE_OLD_MODE]!);
      const isNewTree = isTree(words[row + TREE_NEW_MODE]!);
      if (!isOldTree && !isNewTree) {
        if (this.#visited-- === 0) return false;
        this.#visit(row, prefix);
      } else {
        const path = `${prefix}${this.#nameAt(row)}/`;
        if (this.#isWanted === null || this.#isWanted(path, row)) {
          const oldTree = isOldTree ? this.#store.readNamed((row + TREE_OLD_ID) << 2, 'tree') : NO_TREE;
          const newTree = isNewTree ? this.#store.readNamed((row + TREE_NEW_ID) << 2, 'tree') : NO_TREE;
          if (oldTree === null || newTree === null) return false;
          if (!this.#walk(oldTree, newTree, { prefix: path, from: end, depth: depth + 1 })) return false;
        }
      }
      at = words[row + TREE_END]!;
    }
    return true;
  }

  #isHeld(tree: HeldBlob): boolean {
    return tree === NO_TREE || this.#store.ring.isHeld(tree);
  }

  /** Bytes as latin1 text. */
  #nameAt(row: number): string {
    const at = (row + TREE_NAME) << 2;
    return this.#kernel.bytes.toString('latin1', at, at + this.#kernel.words[row + TREE_NAME_LENGTH]!);
  }

  #pathAt(row: number, prefix: string): string {
    const path = prefix + this.#nameAt(row);
    return HIGH_BYTE.test(path) ? pathText(Buffer.from(path, 'latin1')) : path;
  }

  #idAt(row: number, mode: number): string {
    return mode === 0 ? NO_BLOB : this.#kernel.bytes.toString('hex', row << 2, (row << 2) + TREE_ID_BYTES);
  }

  #parentTreeOf(parent: string | null): string | null {
    return parent === null ? EMPTY_TREE : this.#treeOf(parent);
  }

  #treeOf(sha: string): string | null {
    const known = this.#trees.get(sha);
    if (known !== undefined) return known;
    const held = this.#store.read(sha, 'commit');
    return held === null ? null : this.#knowTree(sha, held);
  }

  /** Not a part of the commit's whole text, which would stay as long. */
  #knowTree(sha: string, { at, length }: HeldBlob): string | null {
    const { bytes } = this.#kernel;
    if (length < TREE_LINE || bytes[at + TREE_LINE - 1] !== LINE_FEED) return null;
    const tree = bytes.toString('latin1', at + TREE_LINE - 1 - 2 * TREE_ID_BYTES, at + TREE_LINE - 1);
    if (this.#trees.size >= MOST_KNOWN) this.#trees.clear();
    this.#trees.set(sha, tree);
    return tree;
  }
}

/** All folders above the paths, as bytes in latin1 text, each with its slash. */
function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    const bytes = PLAIN_PATH.test(path) ? path : pathBytes(path).toString('latin1');
    for (let end = bytes.lastIndexOf('/'); end > 0; end = bytes.lastIndexOf('/', end - 1)) {
      const folder = bytes.slice(0, end + 1);
      // Those above it are there too.
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

interface Folder {
  readonly prefix: string;
  /** Where its rows go, behind those of the folders above it. */
  readonly from: number;
  readonly depth: number;
}

const NO_TREE: HeldBlob = { location: -3, at: 0, length: 0, written: 0 };

/** As git prints it. */
const modeText = (mode: number): string => (mode === 0 ? NOTHING : mode.toString(8));
