// Where the text of lines that a commit added stood before: lines that it moved or indented anew, and for a revision to
// ignore also those that it updated or replaced. The walk carries questions about such lines on to the parent.
import { type ClassifiedCommit, columnIndex, FILE_COLUMN_COUNT, LINE_OP, LINE_OP_MASK } from '../model/classified.ts';

/** A file of the commit, with its range among the hunks. */
interface SourceFile {
  readonly oldPath: string | null;
  readonly hunkStart: number;
  readonly hunkEnd: number;
}

/**
 * Lines [lineIndex, lineIndex + count) of the new version. The first stood at line `sourceIndex` of `sourcePath`, which
 * is null when they were written here.
 */
export type OnSource = (lineIndex: number, count: number, sourcePath: string | null, sourceIndex: number) => void;

/** What the walk asks of a commit about its added lines. */
export interface Sources {
  /** Whether some line of the file may have stood elsewhere before. */
  hasSources(file: number): boolean;
  /** Cuts lines of a file's new version into runs that have one source, or none. */
  split(file: number, lineIndex: number, count: number, on: OnSource): void;
}

/** Of one file, in the order of its lines; lines outside of all runs were written in the commit. */
export interface CarriedRuns {
  /** Three numbers a run: its first line in the new version, how many lines, and where the first stood. */
  readonly places: number[];
  /** In which file, by run. */
  readonly paths: string[];
}

const NOT_ADDED = -1;
const NO_PLACE = -1;
// Columns by their place: these are read for every run of lines.
const [ADDED_START, ADDED] = [columnIndex('addedStart'), columnIndex('added')];
const [REMOVED_START, REMOVED] = [columnIndex('removedStart'), columnIndex('removed')];
const [NOOP_ADDED, MOVED] = [columnIndex('noop_added'), columnIndex('lines_moved')];

export class LineSources implements Sources {
  readonly #commit: ClassifiedCommit;
  readonly #files: readonly SourceFile[];
  /** Of all files, as in FileDiff. */
  readonly #hunks: Int32Array;
  readonly #takesPairs: boolean;
  /** The hunk last looked up: questions about a file mostly come in the order of its lines. */
  #hunkFile = -1;
  #hunkAt = 0;
  /** Added lines of the file before it. */
  #addedBefore = 0;
  /** Of the added line last looked up: how many lines are left in its hunk. */
  #hunkLeft = 0;
  /** Of the removed line last looked up: where it stood, and how many lines from it to the end of its hunk. */
  #placePath = '';
  #placeIndex = 0;
  #placeLeft = 0;

  #removedStarts: Map<number, Int32Array> | null = null;

  /** `isIgnored`: whoever is asked about its lines is to look through it. */
  constructor(commit: ClassifiedCommit, files: readonly SourceFile[], hunks: Int32Array, isIgnored: boolean) {
    this.#commit = commit;
    this.#files = files;
    this.#hunks = hunks;
    this.#takesPairs = isIgnored;
  }

  /** Whether a commit moved lines of the file, or indented some anew. */
  static mayMove({ files }: Pick<ClassifiedCommit, 'files'>, file: number): boolean {
    const row = file * FILE_COLUMN_COUNT;
    return files[row + NOOP_ADDED]! > 0 || files[row + MOVED]! > 0;
  }

  hasSources(file: number): boolean {
    return this.#takesPairs || LineSources.mayMove(this.#commit, file);
  }

  split(file: number, lineIndex: number, count: number, on: OnSource): void {
    const end = lineIndex + count;
    const firstAdded = this.#addedLine(file, lineIndex);
    // The lines of one question lie in one hunk, or in a file that another diff than the commit's own has led to.
    if (firstAdded < 0 || count > this.#hunkLeft) {
      on(lineIndex, count, null, NO_PLACE);
      return;
    }
    const { addedSources } = this.#commit;
    let from = lineIndex;
    while (from < end) {
      const added = firstAdded + (from - lineIndex);
      const source = this.#isCarried(added) ? addedSources[added]! : NOT_ADDED;
      let length = 1;
      if (source < 0) {
        while (from + length < end && !(this.#isCarried(added + length) && addedSources[added + length]! >= 0))
          length++;
        on(from, length, null, NO_PLACE);
      } else {
        this.#findPlace(source);
        while (
          from + length < end &&
          length < this.#placeLeft &&
          addedSources[added + length] === source + length &&
          this.#isCarried(added + length)
        )
          length++;
        on(from, length, this.#placePath, this.#placeIndex);
      }
      from += length;
    }
  }

  /** All runs of a file that stood elsewhere before; null when there are none. */
  listCarried(file: number): CarriedRuns | null {
    const { addedSources, files } = this.#commit;
    const row = file * FILE_COLUMN_COUNT;
    const end = files[row + ADDED_START]! + files[row + ADDED]!;
    const hunks = this.#hunks;
    const { hunkStart, hunkEnd } = this.#files[file]!;
    let runs: CarriedRuns | null = null;
    let added = files[row + ADDED_START]!;
    for (let at = hunkStart; at < hunkEnd && added + hunks[at + 3]! <= end; at += 4) {
      const [first, stop] = [added, added + hunks[at + 3]!];
      while (added < stop) {
        const source = this.#isCarried(added) ? addedSources[added]! : NOT_ADDED;
        if (source < 0) {
          added++;
          continue;
        }
        this.#findPlace(source);
        const from = added++;
        while (
          added < stop &&
          added - from < this.#placeLeft &&
          addedSources[added] === source + (added - from) &&
          this.#isCarried(added)
        )
          added++;
        runs ??= { places: [], paths: [] };
        runs.places.push(hunks[at + 2]! + (from - first), added - from, this.#placeIndex);
        runs.paths.push(this.#placePath);
      }
    }
    return runs;
  }

  /** Whether questions about an added line go on to where it comes from. */
  #isCarried(added: number): boolean {
    const op = this.#commit.addedOps[added]! & LINE_OP_MASK;
    return op === LINE_OP.noop || op === LINE_OP.moved || this.#takesPairs;
  }

  /** Among the commit's added lines. */
  #addedLine(file: number, lineIndex: number): number {
    const hunks = this.#hunks;
    const { hunkStart, hunkEnd } = this.#files[file]!;
    const isBehind = file === this.#hunkFile && hunks[this.#hunkAt + 2]! <= lineIndex;
    let before = isBehind ? this.#addedBefore : 0;
    for (let at = isBehind ? this.#hunkAt : hunkStart; at < hunkEnd && hunks[at + 2]! <= lineIndex; at += 4) {
      const place = lineIndex - hunks[at + 2]!;
      if (place < hunks[at + 3]!) {
        this.#hunkFile = file;
        this.#hunkAt = at;
        this.#addedBefore = before;
        this.#hunkLeft = hunks[at + 3]! - place;
        const row = file * FILE_COLUMN_COUNT;
        const columns = this.#commit.files;
        const isRead = before + hunks[at + 3]! <= columns[row + ADDED]!;
        return isRead ? columns[row + ADDED_START]! + before + place : NOT_ADDED;
      }
      before += hunks[at + 3]!;
    }
    return NOT_ADDED;
  }

  #findPlace(removedLine: number): void {
    const columns = this.#commit.files;
    let low = 0;
    let high = this.#files.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (columns[middle * FILE_COLUMN_COUNT + REMOVED_START]! <= removedLine) low = middle;
      else high = middle - 1;
    }
    // Files without removed lines begin where the next one does.
    while (columns[low * FILE_COLUMN_COUNT + REMOVED] === 0) low--;
    const hunks = this.#hunks;
    const { oldPath, hunkStart } = this.#files[low]!;
    const starts = this.#removedStartsOf(low);
    const line = removedLine - columns[low * FILE_COLUMN_COUNT + REMOVED_START]!;
    const hunk = lastNotAfter(starts, line);
    const place = line - starts[hunk]!;
    const at = hunkStart + hunk * 4;
    if (!(place < hunks[at + 1]!))
      throw new RangeError(`removed line ${removedLine} of ${this.#commit.sha} lies in no hunk`);
    this.#placePath = oldPath!;
    this.#placeIndex = hunks[at]! + place;
    this.#placeLeft = hunks[at + 1]! - place;
  }

  /** By hunk: how many lines the file lost before it. */
  #removedStartsOf(file: number): Int32Array {
    this.#removedStarts ??= new Map();
    let starts = this.#removedStarts.get(file);
    if (starts === undefined) {
      const { hunkStart, hunkEnd } = this.#files[file]!;
      starts = new Int32Array((hunkEnd - hunkStart) >> 2);
      let removed = 0;
      for (let hunk = 0; hunk < starts.length; hunk++) {
        starts[hunk] = removed;
        removed += this.#hunks[hunkStart + hunk * 4 + 1]!;
      }
      this.#removedStarts.set(file, starts);
    }
    return starts;
  }
}

/** Where the last number stands that is not larger; of equal ones the last. */
function lastNotAfter(ascending: Int32Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
