// The provenance walk: goes through the commits newest first, children before parents, and carries the
// open questions "who wrote this removed line?" backwards until they meet the commit that added the line.
// Work is proportional to the diffs: a path that a commit does not touch costs nothing there.
//
// One step over one file. Line 3 was replaced by two lines, lines 7 and 8 went: the hunks are [3,1,3,2] and [7,2,8,0].
// A later commit, number s, has removed seven lines; the question is who wrote lines 2 to 8 of the new version:
//
//     new version     0  1  2  3  4  5  6  7  8  9
//     open                 [s0 s1 s2 s3 s4 s5 s6]
//     hunks                   {+  +}         {}
//
//     answered                [s1 s2]                      written here: reported, and open no more
//
//     old version     0  1  2  3  4  5  6  7  8  9  10
//     carried on           [s0]  [s3 s4 s5]     [s6]       cut at the hunks, with the old side's numbers
//     opened                  [c0]         [c1 c2]         what this commit, number c, removed itself
//
// Then all that is open waits at the parent. A merge does the same once for each parent that a file may have come from:
// what lies on new lines against one parent is left for the next; what is left against all was written by the merge.
//
// Invariants, which `check` tests: an interval has lines; each removed line (remover and offset) is open in one place at most,
// so every question gets one answer; the lines of all intervals add up to `openLines`. Every question is either open or
// answered: the walk loses nothing. Intervals of a list may overlap, for two branches may have removed the same line.
//
// A line that the commit moved or indented anew was not written here: its question goes on to where the text stood in
// the parent (`sources`). Who first met it is reported too, for that is the origin which blame names.
import type { FileRecord, RouteRecord } from '../model/commit-record.ts';
import { INTERVAL_INTS, IntervalList } from './interval-list.ts';
import type { OnSource, Sources } from './line-sources.ts';

export type WalkFile = Pick<FileRecord, 'oldPath' | 'newPath' | 'isFollowed' | 'isUnread' | 'hunkStart' | 'hunkEnd'>;

/** Where blame finds a file in the parent, when that may be another path than the commit says. */
export interface WalkFollowed {
  readonly path: string;
  readonly hunks: Int32Array;
}

/** Files and routes are those of its record: next to none of them meets a question, and no object is made for the others. */
export interface WalkCommit {
  /** Position in the walk; parents have larger ones. */
  readonly index: number;
  /** Positions of the parents; −1 for one that is not walked. */
  readonly parents: readonly number[];
  readonly files: readonly WalkFile[];
  /** For a merge, in place of files. */
  readonly routes: readonly RouteRecord[];
  /** Of all its files and routes, as in FileDiff: oldIndex, oldCount, newIndex, newCount. */
  readonly hunks: Int32Array;
  /** By new path. */
  readonly followed: ReadonlyMap<string, WalkFollowed>;
  /** Number of removed lines in question: those of all files that were read, in their order, or none. */
  readonly questions: number;
  /** The number of this commit, returned with each answer. */
  readonly remover: number;
  /** Where the text of its added lines stood before; null when that is not known. */
  readonly sources: Sources | null;
}

/** Lines [offset, offset + count) that `remover` removed were written by commit `origin`; −1: never found. */
export type OnAnswer = (
  remover: number,
  offset: number,
  count: number,
  origin: number,
  path: string,
  lineIndex: number,
) => void;

/** Lines [offset, offset + count) that `remover` removed are new lines of commit `index`, whoever wrote their text. */
export type OnMet = (remover: number, offset: number, count: number, index: number) => void;

type Questions = Map<string, IntervalList>;

export type WaitingPaths = Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;

export class ProvenanceWalk {
  readonly #onAnswer: OnAnswer;
  readonly #onMet: OnMet | null;
  readonly #pending = new Map<number, Questions>();
  #open = 0;
  /** Where the pieces of cut intervals are gathered before they join their list, and the integers in use. */
  #scratch = new Int32Array(1024);
  #used = 0;
  /** Of the commit at hand, and the questions that go on to its parent by them. */
  #sources: Sources | null = null;
  /** The file at hand among those of the commit; −1 when none of its lines has stood elsewhere before. */
  #sourceFile = -1;
  readonly #carried: { readonly paths: string[]; readonly intervals: number[] } = { paths: [], intervals: [] };
  /** The commit and the file at hand. */
  #index = 0;
  #path = '';
  /** The question that meets new lines: made once, for this happens for every run of lines. */
  readonly #met = { remover: 0, offset: 0, lineIndex: 0 };
  readonly #onSource: OnSource = (from, length, sourcePath, sourceIndex) => {
    const { remover, offset, lineIndex } = this.#met;
    const start = offset + (from - lineIndex);
    if (sourcePath === null) this.#answer(remover, start, length, this.#index, this.#path, from);
    else {
      this.#carried.paths.push(sourcePath);
      this.#carried.intervals.push(sourceIndex, length, remover, start);
    }
  };

  constructor(onAnswer: OnAnswer, onMet: OnMet | null = null) {
    this.#onAnswer = onAnswer;
    this.#onMet = onMet;
  }

  /** Removed lines without an answer. */
  get openLines(): number {
    return this.#open;
  }

  step(commit: WalkCommit): void {
    const questions = this.#pending.get(commit.index) ?? new Map<string, IntervalList>();
    this.#pending.delete(commit.index);
    this.#index = commit.index;
    if (commit.parents.length > 1) {
      this.#stepMerge(commit, questions);
      return;
    }
    if (questions.size > 0) {
      this.#sources = commit.sources;
      this.#shift(commit, questions);
      this.#sources = null;
      this.#sourceFile = -1;
      this.#carry(questions);
    }
    this.#openQuestions(commit, questions);
    const parent = commit.parents[0];
    if (parent === undefined || parent < 0) this.#giveUp(questions);
    else this.#hand(parent, questions);
  }

  /** A commit that changes no file with questions: they go on to its first parent as they are. */
  pass(index: number, parent: number): void {
    const questions = this.#pending.get(index);
    if (questions === undefined) return;
    this.#pending.delete(index);
    if (parent < 0) this.#giveUp(questions);
    else this.#hand(parent, questions);
  }

  /** Answers what fell on lines the commit added; the rest goes to the old path and its line numbers. */
  #shift({ files, hunks, followed }: WalkCommit, questions: Questions): void {
    let moved: [string, IntervalList][] | null = null;
    const sources = this.#sources;
    for (let i = 0; i < files.length; i++) {
      const file = files[i]!;
      const path = file.newPath;
      if (path === null) continue;
      const list = questions.get(path);
      if (list === undefined) continue;
      this.#path = path;
      this.#sourceFile = sources?.hasSources(i) === true ? i : -1;
      const former = followed.size === 0 ? undefined : followed.get(path);
      const oldPath = former === undefined ? file.oldPath : former.path;
      if (oldPath === null || (!file.isFollowed && former === undefined)) {
        this.#meetAll(list);
        questions.delete(path);
        continue;
      }
      if (former === undefined) this.#split(list, hunks, file.hunkStart, file.hunkEnd, null);
      else this.#split(list, former.hunks, 0, former.hunks.length, null);
      if (list.length === 0) questions.delete(path);
      else if (oldPath !== path) {
        questions.delete(path);
        moved ??= [];
        moved.push([oldPath, list]);
      }
    }
    if (moved !== null) for (const [path, list] of moved) add(questions, path, list);
  }

  #carry(questions: Questions): void {
    const { paths, intervals } = this.#carried;
    for (let i = 0; i < paths.length; i++) {
      const at = i * INTERVAL_INTS;
      listAt(questions, paths[i]!).push(intervals[at]!, intervals[at + 1]!, intervals[at + 2]!, intervals[at + 3]!);
    }
    paths.length = 0;
    intervals.length = 0;
  }

  #openQuestions({ files, hunks, questions: count, remover }: WalkCommit, questions: Questions): void {
    if (count === 0) return;
    this.#open += count;
    let offset = 0;
    for (let i = 0; i < files.length; i++) {
      const { oldPath, isUnread, hunkStart, hunkEnd } = files[i]!;
      if (isUnread || oldPath === null) continue;
      let list: IntervalList | undefined;
      for (let at = hunkStart; at < hunkEnd; at += 4) {
        const removed = hunks[at + 1]!;
        if (removed === 0) continue;
        list ??= listAt(questions, oldPath);
        list.push(hunks[at]!, removed, remover, offset);
        offset += removed;
      }
    }
    if (offset !== count) throw new RangeError(`commit ${remover} asks about ${count} lines and removed ${offset}`);
  }

  #stepMerge(commit: WalkCommit, questions: Questions): void {
    const elsewhere: Questions[] = commit.parents.map(() => new Map());
    elsewhere[0] = questions;
    const routed: [number, string, IntervalList][] = [];
    if (questions.size > 0)
      for (const route of commit.routes) {
        const list = questions.get(route.path);
        if (list === undefined) continue;
        questions.delete(route.path);
        this.#route(route, list, commit.hunks, routed);
      }
    for (const [parent, path, list] of routed) add(elsewhere[parent]!, path, list);
    for (const [i, parent] of commit.parents.entries()) {
      if (parent < 0) this.#giveUp(elsewhere[i]!);
      else this.#hand(parent, elsewhere[i]!);
    }
  }

  #route(route: RouteRecord, list: IntervalList, hunks: Int32Array, routed: [number, string, IntervalList][]): void {
    this.#path = route.path;
    let left = list;
    for (const part of route.parts) {
      if (part.hunkStart < 0) {
        routed.push([part.parent, part.path, left]);
        return;
      }
      const rest = new IntervalList();
      this.#split(left, hunks, part.hunkStart, part.hunkEnd, rest);
      if (left.length > 0) routed.push([part.parent, part.path, left]);
      left = rest;
      if (left.length === 0) return;
    }
    this.#meetAll(left);
  }

  /**
   * Cuts the intervals at the hunks [from, to), in place: what lies outside them stays with the old side's line numbers;
   * what lies on new lines goes to `rest`, or is answered.
   */
  #split(list: IntervalList, hunks: Int32Array, from: number, to: number, rest: IntervalList | null): void {
    const { data, length } = list;
    const tail = to - 4;
    if (tail < from) return;
    const firstStart = hunks[from + 2]!;
    const tailStart = hunks[tail + 2]! + hunks[tail + 3]!;
    const tailShift = shiftBehind(hunks, tail);
    // Before the first hunk nothing moves (but for a file whose hunks do not begin alike on both sides).
    const firstShift = hunks[from]! - firstStart;
    let kept = 0;
    this.#used = 0;
    for (let at = 0; at < length; at += INTERVAL_INTS) {
      const start = data[at]!;
      const count = data[at + 1]!;
      const isBefore = start + count <= firstStart;
      // Nearly all lie before or behind all hunks.
      if (isBefore || start >= tailStart) {
        data[kept] = start + (isBefore ? firstShift : tailShift);
        if (kept !== at) {
          data[kept + 1] = count;
          data[kept + 2] = data[at + 2]!;
          data[kept + 3] = data[at + 3]!;
        }
        kept += INTERVAL_INTS;
      } else this.#cut(start, count, data[at + 2]!, data[at + 3]!, hunks, from, to, rest);
    }
    list.length = kept;
    if (this.#used > 0) list.appendInts(this.#scratch, this.#used);
    else list.giveBackRoom();
  }

  /** One interval that meets hunks: its pieces outside them go to the scratch. */
  #cut(
    start: number,
    count: number,
    remover: number,
    firstOffset: number,
    hunks: Int32Array,
    from: number,
    to: number,
    rest: IntervalList | null,
  ): void {
    let position = start;
    const end = start + count;
    const offsetShift = firstOffset - start;
    // The first hunk that ends after the interval's start.
    let low = 0;
    let high = (to - from) >> 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (hunks[from + middle * 4 + 2]! + hunks[from + middle * 4 + 3]! > position) high = middle;
      else low = middle + 1;
    }
    let hunk = from + low * 4;
    const tail = to - 4;
    while (position < end) {
      const isTail = hunk >= to;
      const newStart = isTail ? end : hunks[hunk + 2]!;
      if (position < newStart) {
        const stop = Math.min(newStart, end);
        const used = this.#used;
        if (used + INTERVAL_INTS > this.#scratch.length) this.#growScratch();
        const scratch = this.#scratch;
        scratch[used] = position + (isTail ? shiftBehind(hunks, tail) : hunks[hunk]! - newStart);
        scratch[used + 1] = stop - position;
        scratch[used + 2] = remover;
        scratch[used + 3] = position + offsetShift;
        this.#used = used + INTERVAL_INTS;
        position = stop;
      }
      if (position >= end || isTail) break;
      const newEnd = newStart + hunks[hunk + 3]!;
      if (position < newEnd) {
        const stop = Math.min(newEnd, end);
        const offset = position + offsetShift;
        if (rest === null) this.#meet(remover, offset, stop - position, position);
        else rest.push(position, stop - position, remover, offset);
        position = stop;
      }
      hunk += 4;
    }
  }

  #growScratch(): void {
    const larger = new Int32Array(this.#scratch.length * 2);
    larger.set(this.#scratch);
    this.#scratch = larger;
  }

  /** A question has come to lines that the commit added: it ends here unless their text stood elsewhere before. */
  #meet(remover: number, offset: number, count: number, lineIndex: number): void {
    this.#onMet?.(remover, offset, count, this.#index);
    if (this.#sourceFile < 0) {
      this.#answer(remover, offset, count, this.#index, this.#path, lineIndex);
      return;
    }
    const met = this.#met;
    met.remover = remover;
    met.offset = offset;
    met.lineIndex = lineIndex;
    this.#sources!.split(this.#sourceFile, lineIndex, count, this.#onSource);
  }

  #answer(remover: number, offset: number, count: number, origin: number, path: string, lineIndex: number): void {
    this.#open -= count;
    this.#onAnswer(remover, offset, count, origin, path, lineIndex);
  }

  #meetAll(list: IntervalList): void {
    const { data, length } = list;
    for (let at = 0; at < length; at += INTERVAL_INTS)
      this.#meet(data[at + 2]!, data[at + 3]!, data[at + 1]!, data[at]!);
  }

  #answerAll(list: IntervalList, origin: number, path: string): void {
    const { data, length } = list;
    for (let at = 0; at < length; at += INTERVAL_INTS)
      this.#answer(data[at + 2]!, data[at + 3]!, data[at + 1]!, origin, path, data[at]!);
  }

  #giveUp(questions: Questions): void {
    for (const [path, list] of questions) this.#answerAll(list, -1, path);
  }

  /** The parent of several children receives the union; the smaller map is merged into the larger. */
  #hand(parent: number, questions: Questions): void {
    if (questions.size === 0) return;
    const waiting = this.#pending.get(parent);
    if (waiting === undefined) {
      this.#pending.set(parent, questions);
      return;
    }
    const [larger, smaller] = waiting.size >= questions.size ? [waiting, questions] : [questions, waiting];
    for (const [path, list] of smaller) add(larger, path, list);
    this.#pending.set(parent, larger);
  }

  /** Gives up the questions of the removers that `isHopeless` names. */
  close(isHopeless: (remover: number) => boolean): void {
    for (const [index, questions] of this.#pending) {
      for (const [path, list] of questions) {
        const { data, length } = list;
        let used = 0;
        for (let at = 0; at < length; at += INTERVAL_INTS) {
          if (isHopeless(data[at + 2]!)) {
            this.#answer(data[at + 2]!, data[at + 3]!, data[at + 1]!, -1, path, data[at]!);
          } else {
            data.copyWithin(used, at, at + INTERVAL_INTS);
            used += INTERVAL_INTS;
          }
        }
        list.length = used;
        if (used === 0) questions.delete(path);
      }
      if (questions.size === 0) this.#pending.delete(index);
    }
  }

  /** By path, the questions that wait at a commit, as long as they do; null when none do. */
  waitingAt(index: number): WaitingPaths | null {
    const questions = this.#pending.get(index);
    return questions === undefined || questions.size === 0 ? null : questions;
  }

  hasQuestions(index: number, path: string): boolean {
    return this.#pending.get(index)?.has(path) ?? false;
  }

  /** Whether some question is about lines that the hunks of a commit made. */
  isMetBy(index: number, path: string, hunks: Int32Array): boolean {
    const list = this.#pending.get(index)?.get(path);
    if (list === undefined) return false;
    for (let at = 0; at < list.length; at += INTERVAL_INTS) {
      const start = list.data[at]!;
      const end = start + list.data[at + 1]!;
      for (let hunk = 0; hunk < hunks.length && hunks[hunk + 2]! < end; hunk += 4)
        if (hunks[hunk + 2]! + hunks[hunk + 3]! > start) return true;
    }
    return false;
  }

  /** States the invariants: intervals are not empty, no removed line is open twice, and the sum is right. */
  check(): void {
    let open = 0;
    const seen = new Set<string>();
    for (const [index, questions] of this.#pending)
      for (const [path, list] of questions) {
        if (list.length === 0) throw new Error(`empty list for ${path} at ${index}`);
        for (let at = 0; at < list.length; at += INTERVAL_INTS) {
          const [start, count, remover, offset] = list.data.subarray(at, at + INTERVAL_INTS);
          if (start! < 0 || count! <= 0) throw new Error(`bad interval for ${path} at ${index}: ${list.dump()}`);
          open += count!;
          for (let line = 0; line < count!; line++) {
            const key = `${remover}:${offset! + line}`;
            if (seen.has(key)) throw new Error(`line ${key} is open twice`);
            seen.add(key);
          }
        }
      }
    if (open !== this.#open) throw new Error(`${this.#open} lines are counted open, ${open} are`);
  }

  /** For tests: one line per pending commit and path. */
  dump(): string {
    const lines: string[] = [];
    for (const [index, questions] of this.#pending)
      for (const [path, list] of questions) lines.push(`${index} ${path}: ${list.dump()}`);
    return lines.sort().join('\n');
  }
}

/** How far lines behind a hunk have moved. */
const shiftBehind = (hunks: Int32Array, hunk: number): number =>
  hunks[hunk]! + hunks[hunk + 1]! - hunks[hunk + 2]! - hunks[hunk + 3]!;

function listAt(questions: Questions, path: string): IntervalList {
  let list = questions.get(path);
  if (list === undefined) {
    list = new IntervalList();
    questions.set(path, list);
  }
  return list;
}

function add(questions: Questions, path: string, list: IntervalList): void {
  const present = questions.get(path);
  if (present === undefined) questions.set(path, list);
  else present.append(list);
}
