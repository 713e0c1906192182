// Makes the diffs of commits in process: git has listed what changed, renames included, and the kernel compares the
// versions of files, which come from packs.
// Of a file that changed too much for a comparison of our own, git finds the hunks, and the rest is made here.
// Answers null for whatever else is out of the ordinary: git makes the diff of such a commit.

import { isFileMarked, MARK_LINES } from '../categories/generated-mark.ts';
import { BINARY, COMPARED, COMPARED_CUT, LEFT_TO_GIT, NO_ROOM, UNSURE } from '../kernel-contract.ts';
import type { FileDiff, FileStatus, LineBlock } from '../model/diff.ts';
import type { HeldBlob } from '../objects/blob-ring.ts';
import { BlobStore } from '../objects/blob-store.ts';
import { MOST_FILE_BYTES } from '../objects/file-source.ts';
import { hasBlob, isSubmodule } from '../objects/object-kinds.ts';
import type { PackIndex } from '../objects/pack-index.ts';
import { stopIfEnding } from '../thread-end.ts';
import { BlobComparer } from './blob-comparer.ts';
import { type BlobPair, pairKey } from './git-hunks.ts';
import { Kernel } from './kernel.ts';
import { PackedLists } from './packed-lists.ts';
import type { DiffLimits, ListedChange } from './streamed-commit.ts';

const STATUSES: Readonly<Record<string, FileStatus>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
};
/** What a kept line costs besides its bytes, as in the diffs that git prints. */
const LINE_COST = 16;

/** What the kernel has found about a change: its answer, and from where to where in its arrays the rest lies. */
const FOUND = {
  answer: 0,
  hunksFrom: 1,
  hunksTo: 2,
  removedFrom: 3,
  removedTo: 4,
  addedFrom: 5,
  addedTo: 6,
  bytesFrom: 7,
  bytesTo: 8,
  isMarked: 9,
} as const;
const FOUND_NUMBERS = 10;
/** Nothing was compared, or it is too large: a file that is all new or gone shows its opening among its lines. */
const UNKNOWN = -1;

/** Where the arrays lie that say where lines begin and end, in words. */
interface LinePlaces {
  readonly froms: number;
  readonly tos: number;
}

/** Of the room that too many commits have filled, how much those are to fill that are kept. */
const REFILL = 7 / 8;

const NO_LINES = new Uint32Array(0);
const NOTHING_GIVEN: ReadonlyMap<string, Int32Array> = new Map();

export class PatchMaker {
  readonly #kernel: Kernel;
  readonly #store: BlobStore;
  readonly #limits: DiffLimits;
  /** Null for a commit that is left to git. */
  #prepared: readonly (readonly ListedChange[] | null)[] = [];
  /** By prepared commit: the number of its first change. */
  #firsts: readonly number[] = [];
  #found = new Int32Array(0);
  /** What git has found, by pair of blobs. */
  #given: ReadonlyMap<string, Int32Array> = NOTHING_GIVEN;
  /** Of the file that is compared next. */
  #hunksOfNext: Int32Array | undefined;
  /** The older version of the last comparison: the kernel still knows its lines. */
  #lastCompared: HeldBlob | null = null;
  /** Whether that version carries a generator's mark, 1 or 0, where the comparison says so. */
  #lastMark = UNKNOWN;
  /** Where the kernel keeps what it has found, in words. */
  readonly #hunksAt: number;
  readonly #removedAt: LinePlaces;
  readonly #addedAt: LinePlaces;
  /** Compares other files in between: what is prepared stays. */
  readonly comparer: BlobComparer;
  readonly lists: PackedLists;

  constructor(indexes: readonly PackIndex[], kernel: Kernel, limits: DiffLimits) {
    this.#kernel = kernel;
    this.#store = new BlobStore(kernel, indexes);
    this.#limits = limits;
    this.comparer = new BlobComparer(kernel, this.#store);
    this.lists = new PackedLists(kernel, this.#store);
    const { calls } = kernel;
    this.#hunksAt = calls.HUNKS.value >> 2;
    this.#removedAt = { froms: calls.REMOVED_FROM.value >> 2, tos: calls.REMOVED_TO.value >> 2 };
    this.#addedAt = { froms: calls.ADDED_FROM.value >> 2, tos: calls.ADDED_TO.value >> 2 };
  }

  /** Whether it is worth trying: nothing that turned into something else. */
  static canMake(changes: readonly ListedChange[]): boolean {
    return changes.every(
      ({ status, oldMode, newMode }) =>
        STATUSES[status] !== undefined && (status === 'A' || isKnown(oldMode)) && (status === 'D' || isKnown(newMode)),
    );
  }

  /**
   * Compares the files of these commits, path by path: the version that one change replaces is the one that the next
   * change made, and packs hold most versions as a delta against such a neighbour. What was prepared before is
   * forgotten. Null stands for a commit that is left to git. Answers for how many of them, from the first on, there was
   * room: at least for one. Calls `afterPath` with a path when its versions have just been compared, as far as there was room.
   */
  prepare(
    commits: readonly (readonly ListedChange[] | null)[],
    afterPath: (path: string) => void = () => undefined,
  ): number {
    this.#kernel.calls.forget(this.#limits.lineBytes);
    this.#prepared = commits;
    this.#given = NOTHING_GIVEN;
    const changes = commits.flatMap((listed) => listed ?? []);
    let end = 0;
    this.#firsts = commits.map((listed) => {
      const first = end;
      end += listed?.length ?? 0;
      return first;
    });
    if (this.#found.length < end * FOUND_NUMBERS) this.#found = new Int32Array(end * FOUND_NUMBERS);
    let order = orderByPath(changes);
    for (let i = 0; i < order.length; i++) {
      stopIfEnding();
      const number = order[i]!;
      this.#find(changes[number]!, number);
      const hasRoom = this.#found[number * FOUND_NUMBERS + FOUND.answer] !== NO_ROOM;
      if (!hasRoom && this.#prepared.length > 1) {
        const next = this.#giveUpSome(order, i);
        order = order.filter((kept) => kept < next.to);
        i = next.at - 1;
      }
      const { path } = changes[number]!;
      if (i + 1 === order.length || changes[order[i + 1]!]!.path !== path) afterPath(path);
    }
    return this.#prepared.length;
  }

  /** How much of the room for what comparisons find is filled, 1 for all of it. */
  get filledShare(): number {
    return this.#kernel.calls.filledShare();
  }

  /**
   * When a change found no room: gives up the last commits, with what was found about them. Answers up to which change
   * they are kept, and how many of those have been compared.
   */
  #giveUpSome(order: Int32Array, refusedAt: number): { readonly to: number; readonly at: number } {
    const count = this.#fitting(order, refusedAt);
    const to = this.#firsts[count]!;
    this.#prepared = this.#prepared.slice(0, count);
    const compared = order.subarray(0, refusedAt).filter((number) => number < to);
    this.#closeGaps(compared);
    return { to, at: compared.length };
  }

  /** Of how many commits the changes are likely to find room, when the last one compared did not. */
  #fitting(order: Int32Array, refusedAt: number): number {
    const kept = new Float64Array(order.length);
    const compared = order.subarray(0, refusedAt);
    let all = 0;
    for (const number of compared) all += kept[number] = this.#bytesKept(number * FOUND_NUMBERS);
    // The others are taken to be like those that have been compared, and the refused one to need what is left at least.
    const usual = all / (refusedAt + 1);
    for (const number of order.subarray(refusedAt)) kept[number] = usual;
    const whole = all / this.filledShare || 1;
    kept[order[refusedAt]!] = Math.max(usual, whole - all);
    let room = REFILL * whole;
    const count = this.#prepared.findIndex((changes, commit) => {
      const first = this.#firsts[commit]!;
      for (let number = first; number < first + (changes?.length ?? 0); number++) room -= kept[number]!;
      return room < 0;
    });
    return Math.max(1, count);
  }

  /** Forgets what was found about all but these changes. They come in the order in which they were compared. */
  #closeGaps(kept: Int32Array): void {
    const { calls } = this.#kernel;
    const found = this.#found;
    calls.forget(this.#limits.lineBytes);
    for (const number of kept) {
      const row = number * FOUND_NUMBERS;
      const [hunks, hunksEnd] = [found[row + FOUND.hunksFrom]!, found[row + FOUND.hunksTo]!];
      const [removed, removedEnd] = [found[row + FOUND.removedFrom]!, found[row + FOUND.removedTo]!];
      const [added, addedEnd] = [found[row + FOUND.addedFrom]!, found[row + FOUND.addedTo]!];
      const [bytes, bytesEnd] = [found[row + FOUND.bytesFrom]!, found[row + FOUND.bytesTo]!];
      this.#noteFrom(row);
      calls.keepAgain(hunks, hunksEnd, removed, removedEnd, added, addedEnd, bytes, bytesEnd);
      this.#noteTo(row);
    }
  }

  /** Files of the prepared commits whose hunks git has to find. Without them it makes the whole commits. */
  get unsure(): BlobPair[] {
    return this.#prepared.flatMap((changes, commit) => {
      const answers = (changes ?? []).map(
        (_, i) => this.#found[(this.#firsts[commit]! + i) * FOUND_NUMBERS + FOUND.answer],
      );
      return answers.includes(LEFT_TO_GIT) ? [] : (changes ?? []).filter((_, i) => answers[i] === UNSURE);
    });
  }

  /** By `pairKey`. */
  give(hunks: ReadonlyMap<string, Int32Array>): void {
    this.#given = hunks;
  }

  /** The diff of a prepared commit, null when git has to make it. Lines are valid until the next call. */
  filesOf(commit: number): FileDiff[] | null {
    const changes = this.#prepared[commit]!;
    if (changes === null) return null;
    const first = this.#firsts[commit]!;
    let bytes = 0;
    let isReserveOpen = false;
    for (let i = 0; i < changes.length; i++) {
      if (this.#kernel.isBroken) return null;
      const number = first + i;
      const row = number * FOUND_NUMBERS;
      const found = this.#found[row + FOUND.answer];
      if (found === UNSURE) this.#hunksOfNext = this.#given.get(pairKey(changes[i]!));
      if (found === NO_ROOM || this.#hunksOfNext !== undefined) {
        // The commits together were too large; this one alone may not be.
        if (!isReserveOpen) this.#kernel.calls.openReserve();
        isReserveOpen = true;
        this.#find(changes[i]!, number);
        this.#hunksOfNext = undefined;
      }
      const answer = this.#found[row + FOUND.answer]!;
      if (answer < COMPARED && answer !== BINARY) return null;
      bytes += this.#bytesKept(row);
    }
    return bytes > this.#limits.commitBytes || this.#kernel.isBroken
      ? null
      : changes.map((change, i) => this.#file(change, first + i));
  }

  /** The diff of one commit. */
  make(changes: readonly ListedChange[]): FileDiff[] | null {
    this.prepare([changes]);
    return this.filesOf(0);
  }

  close(): void {
    this.#store.close();
  }

  /** Compares, and notes what was found where. */
  #find(change: ListedChange, number: number): void {
    const row = number * FOUND_NUMBERS;
    this.#noteFrom(row);
    this.#found[row + FOUND.isMarked] = UNKNOWN;
    this.#found[row + FOUND.answer] = this.#kernel.attempt<number>(() => this.#compare(change, row), LEFT_TO_GIT);
    this.#noteTo(row);
  }

  #noteFrom(row: number): void {
    const { calls } = this.#kernel;
    const found = this.#found;
    found[row + FOUND.hunksFrom] = calls.hunkWords();
    found[row + FOUND.removedFrom] = calls.removedLines();
    found[row + FOUND.addedFrom] = calls.addedLines();
    found[row + FOUND.bytesFrom] = calls.lineBytes();
  }

  #noteTo(row: number): void {
    const { calls } = this.#kernel;
    const found = this.#found;
    found[row + FOUND.hunksTo] = calls.hunkWords();
    found[row + FOUND.removedTo] = calls.removedLines();
    found[row + FOUND.addedTo] = calls.addedLines();
    found[row + FOUND.bytesTo] = calls.lineBytes();
  }

  #compare(change: ListedChange, row: number): number {
    const { status, oldBlob, newBlob } = change;
    const { calls } = this.#kernel;
    const lastCompared = this.#lastCompared;
    this.#lastCompared = null;
    if (oldBlob === newBlob || isPointer(change)) return COMPARED;
    const after = status === 'D' ? null : this.#store.read(newBlob);
    if (after === null && status !== 'D') return LEFT_TO_GIT;
    const before = status === 'A' ? null : this.#store.read(oldBlob);
    if (before === null && status !== 'A') return LEFT_TO_GIT;
    if (after === null) return calls.emitWhole(before!.at, before!.length, 0);
    if (before === null) return calls.emitWhole(after.at, after.length, 1);
    // A long way to the older version may have pushed the newer one out.
    if (!this.#store.ring.isHeld(after)) return LEFT_TO_GIT;
    const isSuccessor = after.location === lastCompared?.location && after.length === lastCompared.length;
    const given = this.#hunksOfNext;
    if (given !== undefined) this.#kernel.words.set(given, calls.GIVEN_HUNKS.value >> 2);
    const answer =
      given === undefined
        ? calls.compareFiles(before.at, before.length, after.at, after.length, isSuccessor ? 1 : 0)
        : calls.emitGiven(before.at, before.length, after.at, after.length, given.length);
    if (answer === COMPARED) this.#lastCompared = before;
    const isMarkKnown = isSuccessor && this.#lastMark !== UNKNOWN && after.length <= MOST_FILE_BYTES;
    const isMarked = isMarkKnown ? this.#lastMark : this.#markOf(after);
    this.#found[row + FOUND.isMarked] = isMarked;
    this.#lastMark = answer === COMPARED && this.#isOpeningSame(row) ? isMarked : UNKNOWN;
    return answer;
  }

  #markOf({ at, length }: HeldBlob): number {
    if (length > MOST_FILE_BYTES) return UNKNOWN;
    return isFileMarked(this.#kernel.bytes.subarray(at, at + length)) ? 1 : 0;
  }

  /** Whether both versions just compared begin with the same lines, as far as a mark may stand. */
  #isOpeningSame(row: number): boolean {
    const { calls, words } = this.#kernel;
    const first = this.#found[row + FOUND.hunksFrom]!;
    if (calls.hunkWords() === first) return true;
    const at = this.#hunksAt + first;
    return Math.min(words[at]!, words[at + 2]!) >= MARK_LINES;
  }

  #file(change: ListedChange, number: number): FileDiff {
    const { status, oldMode, newMode, oldBlob, newBlob, path, renamed } = change;
    const { words } = this.#kernel;
    const hunks = this.#hunksAt;
    const found = this.#found;
    const row = number * FOUND_NUMBERS;
    const answer = found[row + FOUND.answer];
    const isBinary = answer === BINARY;
    const isMarked = found[row + FOUND.isMarked]!;
    const file: FileDiff = {
      status: STATUSES[status]!,
      oldPath: status === 'A' ? null : (renamed?.from ?? path),
      newPath: status === 'D' ? null : path,
      similarity: renamed?.similarity ?? 100,
      oldMode,
      newMode,
      oldBlob,
      newBlob,
      isBinary,
      limited: isBinary ? 'binary' : answer === COMPARED_CUT ? 'line_too_long' : null,
      hunks: words.subarray(hunks + found[row + FOUND.hunksFrom]!, hunks + found[row + FOUND.hunksTo]!),
      removed: this.#block(this.#removedAt, found[row + FOUND.removedFrom]!, found[row + FOUND.removedTo]!),
      added: this.#block(this.#addedAt, found[row + FOUND.addedFrom]!, found[row + FOUND.addedTo]!),
      isMarkedGenerated: isMarked === UNKNOWN ? undefined : isMarked === 1,
    };
    if (oldBlob === newBlob || !isPointer(change)) return file;
    return {
      ...file,
      limited: 'submodule',
      removed: pointerLine(status !== 'A', oldBlob),
      added: pointerLine(status !== 'D', newBlob),
    };
  }

  #block({ froms, tos }: LinePlaces, start: number, end: number): LineBlock {
    const { bytes, positions } = this.#kernel;
    if (start === end) return { count: 0, bytes, starts: NO_LINES, ends: NO_LINES };
    return {
      count: end - start,
      bytes,
      starts: positions.subarray(froms + start, froms + end),
      ends: positions.subarray(tos + start, tos + end),
    };
  }

  /** What a change's lines take. */
  #bytesKept(row: number): number {
    const found = this.#found;
    const removed = found[row + FOUND.removedTo]! - found[row + FOUND.removedFrom]!;
    const added = found[row + FOUND.addedTo]! - found[row + FOUND.addedFrom]!;
    return found[row + FOUND.bytesTo]! - found[row + FOUND.bytesFrom]! + (removed + added) * LINE_COST;
  }
}

const isKnown = (mode: number): boolean => hasBlob(mode) || isSubmodule(mode);
const isPointer = ({ oldMode, newMode }: ListedChange): boolean => isSubmodule(oldMode) || isSubmodule(newMode);

/** Git shows the commit that a submodule points at as its only line. */
function pointerLine(isThere: boolean, sha: string): LineBlock {
  const bytes = Buffer.from(isThere ? `Subproject commit ${sha}` : '', 'latin1');
  const count = isThere ? 1 : 0;
  return { count, bytes, starts: new Uint32Array(count), ends: new Uint32Array(count).fill(bytes.length) };
}

/** Numbers of changes: those of a path follow each other, and of its former path; paths come as they appear. */
function orderByPath(changes: readonly ListedChange[]): Int32Array {
  const order = new Int32Array(changes.length);
  const next = new Int32Array(changes.length);
  const lastOf = new Map<string, number>();
  const firsts: number[] = [];
  changes.forEach(({ path, renamed }, number) => {
    const last = lastOf.get(path);
    if (last === undefined) firsts.push(number);
    else next[last] = number;
    if (renamed !== undefined) lastOf.delete(path);
    lastOf.set(renamed?.from ?? path, number);
  });
  let end = 0;
  for (const first of firsts) {
    let number = first;
    do {
      order[end++] = number;
      number = next[number]!;
    } while (number !== 0);
  }
  return order;
}

/** What each thread keeps of the files it has read. */
const RING_BYTES = 12 << 20;

export const createPatchMaker = (indexes: readonly PackIndex[], limits: DiffLimits): PatchMaker | null =>
  indexes.length === 0 ? null : new PatchMaker(indexes, new Kernel(RING_BYTES), limits);
