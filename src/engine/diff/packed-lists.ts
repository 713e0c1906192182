// What commits change, path by path, read from the trees in packs: the lists that `git diff-tree` would print, without
// git. Null wherever git may say something else: objects that no pack has, odd ones, and files that went while others
// came, among which git looks for renames.

import { MOST_COMMIT_BYTES, parsePackedCommit } from '../git/commit-head.ts';
import { pathBytes, pathText } from '../git/quoted-path.ts';
import {
  LIST_ALL,
  LIST_FAILED,
  LIST_GONE,
  LIST_MARKED,
  LISTED_NEW_AT,
  LISTED_NEW_ID,
  LISTED_NEW_MODE,
  LISTED_OLD_AT,
  LISTED_OLD_ID,
  LISTED_OLD_MODE,
  LISTED_PATH,
  LISTED_WORDS,
  MOST_LISTED_FILES,
  NO_ROOM,
  TREE_ID_BYTES,
} from '../kernel-contract.ts';
import type { HeldBlob } from '../objects/blob-ring.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import { isSubmodule } from '../objects/object-kinds.ts';
import { MOST_LISTED } from './diff-stream.ts';
import type { Kernel } from './kernel.ts';
import { type ComparedCommit, letterOf, NO_BLOB, NOTHING, type RawChange } from './raw-changes.ts';
import type { ListedChange, StreamedCommit } from './streamed-commit.ts';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** Trees of so many commits are remembered. */
const MOST_KNOWN = 20_000;
/** `tree <id>`, with its line feed. */
const TREE_LINE = 5 + 2 * TREE_ID_BYTES + 1;
const LINE_FEED = 10;
const HIGH_BYTE = /[\x80-\xff]/;
/** The same as bytes and as text. */
const PLAIN_PATH = /^[!#-\x7e][ -\x7e]*$/;

export class PackedLists {
  readonly #kernel: Kernel;
  readonly #store: BlobStore;
  readonly #rowsAt: number;
  readonly #pathEndsAt: number;
  /** By commit. */
  readonly #trees = new Map<string, string>();
  /** The texts of paths, by the kernel's numbers. */
  readonly #paths: string[] = [];

  constructor(kernel: Kernel, store: BlobStore) {
    this.#kernel = kernel;
    this.#store = store;
    this.#rowsAt = kernel.calls.LISTED.value >> 2;
    this.#pathEndsAt = kernel.calls.PATH_ENDS.value >> 2;
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
      return this.#mapChanges(this.#compare(parentTree, tree, { wanted: LIST_GONE }));
    }, null);
  }

  /** What a commit changes against a parent, or against nothing, by path: at these paths, or everywhere. */
  listAgainst(sha: string, parent: string | null, paths: ReadonlySet<string> | null): Map<string, RawChange> | null {
    return this.#kernel.attempt(() => {
      const [tree, parentTree] = [this.#treeOf(sha), this.#parentTreeOf(parent)];
      if (paths !== null && !this.#mark(paths)) {
        this.#forgetPaths();
        if (!this.#mark(paths)) return null;
      }
      const wanted = paths === null ? LIST_ALL : LIST_MARKED;
      return this.#mapChanges(this.#compare(parentTree, tree, { wanted }));
    }, null);
  }

  /** Marks them and the folders above them. False when that is too much. */
  #mark(paths: Iterable<string>): boolean {
    const { bytes, calls } = this.#kernel;
    const at: number = calls.PATH.value;
    calls.clearMarks();
    for (const path of paths) {
      const raw = PLAIN_PATH.test(path) ? path : pathBytes(path).toString('latin1');
      if (raw.length >= calls.MOST_PATH_BYTES.value) return false;
      bytes.write(raw, at, 'latin1');
      if (calls.markGivenPath(raw.length) === 0) return false;
    }
    return true;
  }

  #list(sha: string, parents: readonly string[]): StreamedCommit | null {
    const held = this.#store.read(sha, 'commit');
    if (held === null || held.length > MOST_COMMIT_BYTES) return null;
    const tree = this.#knowTree(sha, held);
    const commit = parsePackedCommit(this.#kernel.bytes.toString('utf8', held.at, held.at + held.length));
    if (tree === null || commit === null || commit.parents.length !== parents.length) return null;
    for (let i = 0; i < parents.length; i++) if (parents[i] !== commit.parents[i]) return null;
    const changes = parents.length < 2 ? this.#listChanges(parents[0], tree) : [];
    if (changes === null) return null;
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

  /** Null also for a commit among whose files git looks for renames. */
  #listChanges(parent: string | undefined, tree: string): ListedChange[] | null {
    const options = { wanted: LIST_ALL, most: MOST_LISTED, withPlaces: true };
    const count = this.#compare(this.#parentTreeOf(parent ?? null), tree, options);
    if (count < 0 || this.#mayHoldRenames(count)) return null;
    const { words, numbers } = this.#kernel;
    const changes: ListedChange[] = [];
    for (let row = this.#rowsAt; row < this.#rowsAt + count * LISTED_WORDS; row += LISTED_WORDS) {
      const oldMode = words[row + LISTED_OLD_MODE]!;
      const newMode = words[row + LISTED_NEW_MODE]!;
      changes.push({
        status: letterOf(oldMode, newMode),
        oldMode,
        newMode,
        oldBlob: this.#idAt(row + LISTED_OLD_ID, oldMode),
        newBlob: this.#idAt(row + LISTED_NEW_ID, newMode),
        path: this.#pathAt(row),
        oldAt: numbers[(row + LISTED_OLD_AT) >> 1]!,
        newAt: numbers[(row + LISTED_NEW_AT) >> 1]!,
      });
    }
    return changes;
  }

  /** Whether files went while others came. */
  #mayHoldRenames(count: number): boolean {
    const { words } = this.#kernel;
    let [hasAdded, hasDeleted] = [false, false];
    for (let row = this.#rowsAt; row < this.#rowsAt + count * LISTED_WORDS; row += LISTED_WORDS) {
      if (words[row + LISTED_OLD_MODE] === 0) hasAdded = true;
      if (words[row + LISTED_NEW_MODE] === 0) hasDeleted = true;
    }
    return hasAdded && hasDeleted;
  }

  #listMerge(sha: string, first: string, second: string): [Map<string, RawChange>, Map<string, RawChange>] | null {
    const [tree, firstTree, secondTree] = [this.#treeOf(sha), this.#treeOf(first), this.#treeOf(second)];
    const changed = this.#mapChanges(this.#compare(firstTree, tree, { wanted: LIST_ALL }));
    if (changed === null) return null;
    // Where the merge does not differ from its first parent, it does not matter what the second one has.
    if (changed.size === 0) return secondTree === null ? null : [changed, new Map()];
    const own = this.#mapChanges(this.#compare(secondTree, tree, { wanted: LIST_MARKED }));
    return own === null ? null : [changed, own];
  }

  /** Null for fewer than none. */
  #mapChanges(count: number): Map<string, RawChange> | null {
    if (count < 0) return null;
    const changes = new Map<string, RawChange>();
    for (let row = this.#rowsAt; row < this.#rowsAt + count * LISTED_WORDS; row += LISTED_WORDS)
      changes.set(this.#pathAt(row), this.#rawChange(row));
    return changes;
  }

  #rawChange(row: number): RawChange {
    const { words } = this.#kernel;
    const oldMode = words[row + LISTED_OLD_MODE]!;
    const newMode = words[row + LISTED_NEW_MODE]!;
    return {
      status: letterOf(oldMode, newMode),
      oldMode: modeText(oldMode),
      newMode: modeText(newMode),
      oldBlob: this.#idAt(row + LISTED_OLD_ID, oldMode),
      newBlob: this.#idAt(row + LISTED_NEW_ID, newMode),
    };
  }

  /**
   * Has the kernel list the files in which two trees differ, in git's order, all of them or some. Answers how many rows there
   * are; fewer than none when a tree cannot be read, or when there are more. Listing all marks their paths.
   */
  #compare(
    oldTree: string | null,
    newTree: string | null,
    { wanted, most = MOST_LISTED_FILES, withPlaces = false }: Wanted,
  ): number {
    if (oldTree === null || newTree === null) return LIST_FAILED;
    if (oldTree === newTree) return 0;
    const { bytes, calls } = this.#kernel;
    const at: number = calls.TREES.value;
    const list = (): number => {
      bytes.write(oldTree, at, 'hex');
      bytes.write(newTree, at + TREE_ID_BYTES, 'hex');
      const [hasOld, hasNew] = [oldTree !== EMPTY_TREE, newTree !== EMPTY_TREE];
      return calls.listTrees(Number(hasOld), Number(hasNew), wanted, Number(withPlaces), most);
    };
    try {
      const count = list();
      // Those that are marked were numbered just now.
      if (count !== NO_ROOM || wanted === LIST_MARKED) return count;
      this.#forgetPaths();
      return list();
    } catch (error) {
      this.#store.noteFailure(error);
      return LIST_FAILED;
    }
  }

  /** Numbers begin anew once there is no room for more. */
  #forgetPaths(): void {
    this.#kernel.calls.forgetPaths();
    this.#paths.length = 0;
  }

  #pathAt(row: number): string {
    const number = this.#kernel.words[row + LISTED_PATH]!;
    this.#paths[number] ??= this.#readPath(number);
    return this.#paths[number];
  }

  #readPath(number: number): string {
    const { bytes, calls, words } = this.#kernel;
    const at: number = calls.PATH_BYTES.value;
    const from = number === 0 ? 0 : words[this.#pathEndsAt + number - 1]!;
    const path = bytes.toString('latin1', at + from, at + words[this.#pathEndsAt + number]!);
    return HIGH_BYTE.test(path) ? pathText(Buffer.from(path, 'latin1')) : path;
  }

  #idAt(word: number, mode: number): string {
    return mode === 0 ? NO_BLOB : this.#kernel.bytes.toString('hex', word << 2, (word << 2) + TREE_ID_BYTES);
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

interface Wanted {
  /** One of LIST_… */
  readonly wanted: number;
  readonly most?: number;
  /** Whether to look up where the files lie. */
  readonly withPlaces?: boolean;
}

/** As git prints it. */
const modeText = (mode: number): string => (mode === 0 ? NOTHING : mode.toString(8));
