// Makes the diffs of commits in process: git has listed what changed, renames included, and the kernel compares the
// versions of files, which come from packs.
// Of a file that changed too much for a comparison of our own, git finds the hunks, and the rest is made here.
// Answers null for whatever else is out of the ordinary: git makes the diff of such a commit.

import {
  BINARY,
  CHANGE_ADDED,
  CHANGE_ADDED_FROM,
  CHANGE_ADDED_TO,
  CHANGE_ANSWER,
  CHANGE_BYTES_FROM,
  CHANGE_BYTES_TO,
  CHANGE_COMPARED,
  CHANGE_DELETED,
  CHANGE_HUNKS_FROM,
  CHANGE_HUNKS_TO,
  CHANGE_MARK,
  CHANGE_NEW_AT,
  CHANGE_NOTHING,
  CHANGE_OLD_AT,
  CHANGE_REMOVED_FROM,
  CHANGE_REMOVED_TO,
  CHANGE_SORT,
  CHANGE_WORDS,
  COMPARED,
  COMPARED_CUT,
  GATHERED_ADDED,
  GATHERED_HUNK_WORDS,
  GATHERED_REMOVED,
  GATHERED_TEXT,
  LEFT_TO_GIT,
  MARK_UNKNOWN,
  NO_ROOM,
  UNSURE,
} from '../kernel-contract.ts';
import type { FileDiff, FileStatus, GatheredLines, LineBlock } from '../model/diff.ts';
import { BlobStore } from '../objects/blob-store.ts';
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

/** So many are compared before it is looked whether the thread is to end. */
const MOST_AT_ONCE = 64;

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
  /** What git has found, by pair of blobs. */
  #given: ReadonlyMap<string, Int32Array> = NOTHING_GIVEN;
  /** Where the kernel has rows of changes, in words. */
  readonly #rowsAt: number;
  /** Where the kernel keeps what it has found, in words. */
  readonly #hunksAt: number;
  readonly #removedAt: LinePlaces;
  readonly #addedAt: LinePlaces;
  readonly #noLines: LineBlock;
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
    this.#noLines = { count: 0, bytes: kernel.bytes, starts: NO_LINES, ends: NO_LINES, hasText: true };
    this.#rowsAt = calls.CHANGES.value >> 2;
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
    this.#given = NOTHING_GIVEN;
    const changes = this.#write(commits);
    let order = orderByPath(changes);
    this.#giveOrder(order);
    for (let at = 0; at < order.length; ) {
      const { path } = changes[order[at]!]!;
      let end = at + 1;
      while (end < order.length && changes[order[end]!]!.path === path) end++;
      at = this.#compare(at, end);
      if (at < end && this.#prepared.length > 1) {
        const next = this.#giveUpSome(order, at);
        order = order.filter((kept) => kept < next.to);
        this.#giveOrder(order);
        at = next.at;
      } else at = end;
      if (at === order.length || changes[order[at]!]!.path !== path) afterPath(path);
    }
    this.#store.noteEffort();
    return this.#prepared.length;
  }

  /** Takes as many commits as there are rows for, at least one. Answers what they change. */
  #write(commits: readonly (readonly ListedChange[] | null)[]): ListedChange[] {
    const most: number = this.#kernel.calls.MOST_CHANGES.value;
    const changes: ListedChange[] = [];
    const firsts: number[] = [];
    const prepared: (readonly ListedChange[] | null)[] = [];
    for (const listed of commits) {
      const isTooLong = listed !== null && changes.length + listed.length > most;
      if (isTooLong && changes.length > 0) break;
      firsts.push(changes.length);
      prepared.push(isTooLong ? null : listed);
      if (isTooLong || listed === null) continue;
      for (const change of listed) {
        this.#writeRow(change, changes.length);
        changes.push(change);
      }
    }
    firsts.push(changes.length);
    this.#firsts = firsts;
    this.#prepared = prepared;
    return changes;
  }

  #writeRow(change: ListedChange, number: number): void {
    const { words, numbers } = this.#kernel;
    const { status, oldBlob, newBlob, oldMode, newMode } = change;
    const row = this.#rowsAt + number * CHANGE_WORDS;
    const isNothing = oldBlob === newBlob || isSubmodule(oldMode) || isSubmodule(newMode);
    words[row + CHANGE_SORT] = isNothing
      ? CHANGE_NOTHING
      : status === 'A'
        ? CHANGE_ADDED
        : status === 'D'
          ? CHANGE_DELETED
          : CHANGE_COMPARED;
    words[row + CHANGE_ANSWER] = LEFT_TO_GIT;
    if (isNothing) return;
    if (status !== 'A') numbers[(row + CHANGE_OLD_AT) >> 1] = change.oldAt ?? this.#store.locate(oldBlob);
    if (status !== 'D') numbers[(row + CHANGE_NEW_AT) >> 1] = change.newAt ?? this.#store.locate(newBlob);
  }

  #giveOrder(order: Int32Array): void {
    this.#kernel.words.set(order, this.#kernel.calls.ORDER.value >> 2);
  }

  /** From one place in the order to another; answers where there was no room, or where it ended. */
  #compare(from: number, to: number): number {
    const { calls } = this.#kernel;
    for (let at = from; at < to; ) {
      stopIfEnding();
      if (this.#kernel.isBroken) return to;
      const end = Math.min(to, at + MOST_AT_ONCE);
      try {
        at = calls.compareChanges(at, end);
        if (at < end) return at;
      } catch (error) {
        this.#store.noteFailure(error);
        at = calls.placeAtHand() + 1;
      }
    }
    return to;
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
    this.#firsts = this.#firsts.slice(0, count + 1);
    const compared = order.subarray(0, refusedAt).filter((number) => number < to);
    this.#closeGaps(compared);
    return { to, at: compared.length };
  }

  /** Of how many commits the changes are likely to find room, when the last one compared did not. */
  #fitting(order: Int32Array, refusedAt: number): number {
    const kept = new Float64Array(order.length);
    const compared = order.subarray(0, refusedAt);
    let all = 0;
    for (const number of compared) all += kept[number] = this.#bytesKept(number);
    // The others are taken to be like those that have been compared, and the refused one to need what is left at least.
    const usual = all / (refusedAt + 1);
    for (const number of order.subarray(refusedAt)) kept[number] = usual;
    const whole = all / this.filledShare || 1;
    kept[order[refusedAt]!] = Math.max(usual, whole - all);
    let room = REFILL * whole;
    const count = this.#prepared.findIndex((_, commit) => {
      for (let number = this.#firsts[commit]!; number < this.#firsts[commit + 1]!; number++) room -= kept[number]!;
      return room < 0;
    });
    return Math.max(1, count);
  }

  /** Forgets what was found about all but these changes. They come in the order in which they were compared. */
  #closeGaps(kept: Int32Array): void {
    const { calls, words } = this.#kernel;
    calls.forget(this.#limits.lineBytes);
    for (const number of kept) {
      const row = this.#rowsAt + number * CHANGE_WORDS;
      const [hunks, hunksEnd] = [words[row + CHANGE_HUNKS_FROM]!, words[row + CHANGE_HUNKS_TO]!];
      const [removed, removedEnd] = [words[row + CHANGE_REMOVED_FROM]!, words[row + CHANGE_REMOVED_TO]!];
      const [added, addedEnd] = [words[row + CHANGE_ADDED_FROM]!, words[row + CHANGE_ADDED_TO]!];
      const [bytes, bytesEnd] = [words[row + CHANGE_BYTES_FROM]!, words[row + CHANGE_BYTES_TO]!];
      words[row + CHANGE_HUNKS_FROM] = calls.hunkWords();
      words[row + CHANGE_REMOVED_FROM] = calls.removedLines();
      words[row + CHANGE_ADDED_FROM] = calls.addedLines();
      words[row + CHANGE_BYTES_FROM] = calls.lineBytes();
      calls.keepAgain(hunks, hunksEnd, removed, removedEnd, added, addedEnd, bytes, bytesEnd);
      words[row + CHANGE_HUNKS_TO] = calls.hunkWords();
      words[row + CHANGE_REMOVED_TO] = calls.removedLines();
      words[row + CHANGE_ADDED_TO] = calls.addedLines();
      words[row + CHANGE_BYTES_TO] = calls.lineBytes();
    }
  }

  /** Files of the prepared commits whose hunks git has to find. Without them it makes the whole commits. */
  get unsure(): BlobPair[] {
    return this.#prepared.flatMap((changes, commit) => {
      const answers = (changes ?? []).map((_, i) => this.#answerOf(this.#firsts[commit]! + i));
      return answers.includes(LEFT_TO_GIT) ? [] : (changes ?? []).filter((_, i) => answers[i] === UNSURE);
    });
  }

  #answerOf(number: number): number {
    return this.#kernel.words[this.#rowsAt + number * CHANGE_WORDS + CHANGE_ANSWER]!;
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
      const found = this.#answerOf(number);
      const given = found === UNSURE ? this.#given.get(pairKey(changes[i]!)) : undefined;
      if (found === NO_ROOM || given !== undefined) {
        // The commits together were too large; this one alone may not be.
        if (!isReserveOpen) this.#kernel.calls.openReserve();
        isReserveOpen = true;
        this.#compareAgain(number, given);
      }
      const answer = this.#answerOf(number);
      if (answer < COMPARED && answer !== BINARY) return null;
      bytes += this.#bytesKept(number);
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

  /** By hunks that are known, or as before. */
  #compareAgain(number: number, given: Int32Array | undefined): void {
    const { calls, words } = this.#kernel;
    if (given !== undefined) words.set(given, calls.GIVEN_HUNKS.value >> 2);
    try {
      calls.compareChange(number, given?.length ?? -1);
      this.#store.noteEffort();
    } catch (error) {
      this.#store.noteFailure(error);
    }
  }

  #file(change: ListedChange, number: number): FileDiff {
    const { status, oldMode, newMode, oldBlob, newBlob, path, renamed } = change;
    const { words } = this.#kernel;
    const hunks = this.#hunksAt;
    const row = this.#rowsAt + number * CHANGE_WORDS;
    const answer = words[row + CHANGE_ANSWER];
    const isBinary = answer === BINARY;
    const mark = words[row + CHANGE_MARK];
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
      hunks: words.subarray(hunks + words[row + CHANGE_HUNKS_FROM]!, hunks + words[row + CHANGE_HUNKS_TO]!),
      removed: this.#block(this.#removedAt, words[row + CHANGE_REMOVED_FROM]!, words[row + CHANGE_REMOVED_TO]!),
      added: this.#block(this.#addedAt, words[row + CHANGE_ADDED_FROM]!, words[row + CHANGE_ADDED_TO]!),
      isMarkedGenerated: mark === MARK_UNKNOWN ? undefined : mark === 1,
    };
    if (oldBlob === newBlob || !isPointer(change)) return file;
    return {
      ...file,
      limited: 'submodule',
      removed: pointerLine(status !== 'A', oldBlob),
      added: pointerLine(status !== 'D', newBlob),
    };
  }

  #block(places: LinePlaces, start: number, end: number): LineBlock {
    return start === end ? this.#noLines : new FoundLines(this.#kernel, places, start, end);
  }

  /**
   * What was found about a prepared commit, side by side, once its files are known; null when that is too much. Valid until
   * the next call.
   */
  gathered(commit: number): GatheredLines | null {
    const { bytes, calls, words } = this.#kernel;
    const first = this.#firsts[commit]!;
    const length = calls.gather(first, this.#firsts[commit + 1]! - first);
    if (length < 0) return null;
    const at: number = calls.UNPACKED.value;
    const sizes: number = calls.SIZES.value >> 2;
    return {
      bytes: bytes.subarray(at, at + length),
      hunkWords: words[sizes + GATHERED_HUNK_WORDS]!,
      removed: words[sizes + GATHERED_REMOVED]!,
      added: words[sizes + GATHERED_ADDED]!,
      textBytes: words[sizes + GATHERED_TEXT]!,
    };
  }

  /** What a change's lines take. */
  #bytesKept(number: number): number {
    const { words } = this.#kernel;
    const row = this.#rowsAt + number * CHANGE_WORDS;
    const removed = words[row + CHANGE_REMOVED_TO]! - words[row + CHANGE_REMOVED_FROM]!;
    const added = words[row + CHANGE_ADDED_TO]! - words[row + CHANGE_ADDED_FROM]!;
    return words[row + CHANGE_BYTES_TO]! - words[row + CHANGE_BYTES_FROM]! + (removed + added) * LINE_COST;
  }
}

/** Views of the kernel's arrays, made when something looks at single lines: mostly nothing does. */
class FoundLines implements LineBlock {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly hasText = true;
  readonly #kernel: Kernel;
  readonly #places: LinePlaces;
  readonly #from: number;

  constructor(kernel: Kernel, places: LinePlaces, from: number, to: number) {
    this.count = to - from;
    this.bytes = kernel.bytes;
    this.#kernel = kernel;
    this.#places = places;
    this.#from = from;
  }

  get starts(): Uint32Array {
    return this.#view(this.#places.froms);
  }

  get ends(): Uint32Array {
    return this.#view(this.#places.tos);
  }

  #view(at: number): Uint32Array {
    return this.#kernel.positions.subarray(at + this.#from, at + this.#from + this.count);
  }
}

const isKnown = (mode: number): boolean => hasBlob(mode) || isSubmodule(mode);
const isPointer = ({ oldMode, newMode }: ListedChange): boolean => isSubmodule(oldMode) || isSubmodule(newMode);

/** Git shows the commit that a submodule points at as its only line. */
function pointerLine(isThere: boolean, sha: string): LineBlock {
  const bytes = Buffer.from(isThere ? `Subproject commit ${sha}` : '', 'latin1');
  const count = isThere ? 1 : 0;
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count).fill(bytes.length)];
  return { count, bytes, starts, ends, hasText: true };
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
