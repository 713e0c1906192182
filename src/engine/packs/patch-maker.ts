// Makes the diff of a commit in process: versions of files from packs, compared by the kernel. Answers null for
// whatever is not a plain change of plain files: git makes the diff of such a commit.
import type { FileDiff, FileStatus, LineBlock } from '../diff.ts';
import type { DiffLimits, ListedChange } from '../git/diff-stream.ts';
import { BlobStore } from './blob-store.ts';
import { KERNEL_ANSWER, Kernel } from './kernel.ts';
import type { PackIndex } from './pack-index.ts';

const STATUSES: Readonly<Record<string, FileStatus>> = { A: 'added', D: 'deleted', M: 'modified' };
const REGULAR = 0o100000;
const KIND = 0o170000;
/** What a kept line costs besides its bytes, as in the diffs that git prints. */
const LINE_COST = 16;

export class PatchMaker {
  readonly #kernel: Kernel;
  readonly #store: BlobStore;
  readonly #limits: DiffLimits;

  constructor(indexes: readonly PackIndex[], ringBytes: number, limits: DiffLimits) {
    this.#kernel = new Kernel(ringBytes);
    this.#store = new BlobStore(this.#kernel, indexes);
    this.#limits = limits;
  }

  /** Whether it is worth trying: no renames to look for, nothing but files. */
  static canMake(changes: readonly ListedChange[]): boolean {
    let hasAdded = false;
    let hasDeleted = false;
    for (const { status, oldMode, newMode } of changes) {
      if (STATUSES[status] === undefined) return false;
      if (status === 'A') hasAdded = true;
      else if ((oldMode & KIND) !== REGULAR) return false;
      if (status === 'D') hasDeleted = true;
      else if ((newMode & KIND) !== REGULAR) return false;
    }
    return !(hasAdded && hasDeleted);
  }

  /** Null when git has to make it. Lines are valid until the next call. */
  make(changes: readonly ListedChange[]): FileDiff[] | null {
    const { calls } = this.#kernel;
    calls.startCommit(this.#limits.lineBytes);
    const files: FileDiff[] = [];
    for (const change of changes) {
      const hunkStart = calls.hunkWords();
      const removedStart = calls.removedLines();
      const addedStart = calls.addedLines();
      const answer = this.#compare(change);
      if (answer === KERNEL_ANSWER.tooLarge) return null;
      files.push(this.#file(change, answer === KERNEL_ANSWER.binary, hunkStart, removedStart, addedStart));
    }
    return this.#bytesKept() > this.#limits.commitBytes ? null : files;
  }

  close(): void {
    this.#store.close();
  }

  #compare({ status, oldBlob, newBlob }: ListedChange): number {
    const { calls } = this.#kernel;
    if (oldBlob === newBlob) return KERNEL_ANSWER.told;
    const after = status === 'D' ? null : this.#store.read(newBlob);
    if (after === null && status !== 'D') return KERNEL_ANSWER.tooLarge;
    const before = status === 'A' ? null : this.#store.read(oldBlob);
    if (before === null && status !== 'A') return KERNEL_ANSWER.tooLarge;
    if (after === null) return calls.tellWhole(before!.at, before!.length, 0);
    if (before === null) return calls.tellWhole(after.at, after.length, 1);
    // A long way to the older version may have pushed the newer one out.
    if (!this.#store.ring.isHeld(after)) return KERNEL_ANSWER.tooLarge;
    return calls.compareFiles(before.at, before.length, after.at, after.length);
  }

  #file(
    { status, oldMode, newMode, oldBlob, newBlob, path }: ListedChange,
    isBinary: boolean,
    hunkStart: number,
    removedStart: number,
    addedStart: number,
  ): FileDiff {
    const { calls, words } = this.#kernel;
    const hunks = calls.HUNKS.value >> 2;
    return {
      status: STATUSES[status]!,
      oldPath: status === 'A' ? null : path,
      newPath: status === 'D' ? null : path,
      similarity: 100,
      oldMode,
      newMode,
      oldBlob,
      newBlob,
      isBinary,
      limited: isBinary ? 'binary' : null,
      hunks: words.subarray(hunks + hunkStart, hunks + calls.hunkWords()),
      removed: this.#block(calls.REMOVED_FROM.value, calls.REMOVED_TO.value, removedStart, calls.removedLines()),
      added: this.#block(calls.ADDED_FROM.value, calls.ADDED_TO.value, addedStart, calls.addedLines()),
    };
  }

  #block(froms: number, tos: number, start: number, end: number): LineBlock {
    const { bytes, positions } = this.#kernel;
    return {
      count: end - start,
      bytes,
      starts: positions.subarray((froms >> 2) + start, (froms >> 2) + end),
      ends: positions.subarray((tos >> 2) + start, (tos >> 2) + end),
    };
  }

  #bytesKept(): number {
    const { calls } = this.#kernel;
    return calls.lineBytes() + (calls.removedLines() + calls.addedLines()) * LINE_COST;
  }
}

/** What each thread keeps of the files it has read. */
const RING_BYTES = 32 << 20;

export const createPatchMaker = (indexes: readonly PackIndex[], limits: DiffLimits): PatchMaker | null =>
  indexes.length === 0 ? null : new PatchMaker(indexes, RING_BYTES, limits);
