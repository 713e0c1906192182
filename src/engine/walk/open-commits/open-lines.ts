// The removed lines of a commit until the last of them has an origin. Most have one long before that, and all that they add
// to the commit's facts are sums by origin and operation: once few are open, the others are folded into a row for each.
// A history keeps the room of what is open, and not of all that was removed by commits of which a line is.
import type { RemovedRows } from '../../judge/finish-file.ts';

export const UNANSWERED = -2;

/** Of each line: its origin, two scores, its operation. */
export const LINE_BYTES = 13;
/** Of each folded row: the same, its first line, and how many it stands for. */
const ROW_BYTES = 21;
/** Lines are folded when a smaller share of them is open. */
const FOLD_BELOW = 1 / 2;
/** Fewer are not worth it. */
const FOLD_FROM = 64;
/** What they take then, of what they took, for it to be worth it. */
const FOLD_TO = 3 / 4;
/** No sum of a row grows beyond it. */
const MOST = 2 ** 32 - 1;

export interface OpenRows extends RemovedRows {
  readonly origins: Int32Array;
}

export class OpenLines {
  /** Lines that were removed. */
  readonly count: number;
  /** Rows: lines in order, each by itself, and once folded also some that stand for many lines of one file. */
  #rows: number;
  #buffer: ArrayBuffer;
  /** Where the rows begin in the buffer. */
  #at: number;
  #origins: Int32Array;
  #left: number;
  /** Folds when fewer are open. */
  #foldBelow: number;
  readonly #foldFrom: number;
  /** Once folded: the first line of each row, in order. */
  #firsts: Int32Array | null = null;
  /** Thousandths of each row's lines that AI wrote, added up; made when the first such line is met. */
  #originShares: Uint16Array | Float64Array | null = null;

  /** In the caller's buffer until they are folded, from `at` on, which has room for LINE_BYTES a line. */
  constructor(buffer: ArrayBuffer, at: number, count: number, foldFrom = FOLD_FROM) {
    this.count = this.#rows = this.#left = count;
    this.#buffer = buffer;
    this.#at = at;
    this.#origins = new Int32Array(buffer, at, count).fill(UNANSWERED);
    this.#foldFrom = foldFrom;
    this.#foldBelow = this.#nextFold(count);
  }

  set({ removedOps, removedScores, removedAsNew }: RemovedRows): void {
    const rows = this.rows();
    rows.removedOps.set(removedOps);
    rows.removedScores.set(removedScores);
    rows.removedAsNew.set(removedAsNew);
  }

  get left(): number {
    return this.#left;
  }

  /** Whether few enough are open for `fold`. */
  get isWorthFolding(): boolean {
    return this.#left < this.#foldBelow && this.#left > 0;
  }

  get originShares(): Uint16Array | Float64Array | null {
    return this.#originShares;
  }

  answer(line: number, count: number, origin: number, share: number): void {
    const row = this.rowOf(line);
    const origins = this.#origins;
    // Mostly a line or two, for which a call of fill() costs more. Open lines are rows of their own: those that follow each
    // other do so as rows too.
    for (let i = row; i < row + count; i++) origins[i] = origin;
    if (share > 0) {
      this.#originShares ??= this.#firsts === null ? new Uint16Array(this.#rows) : new Float64Array(this.#rows);
      this.#originShares.fill(share, row, row + count);
    }
    this.#left -= count;
  }

  /** The first row that begins at a line or behind it. */
  rowOf(line: number): number {
    const firsts = this.#firsts;
    if (firsts === null) return line;
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (firsts[middle]! < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  rows(): OpenRows {
    // One by one: taking a list apart makes the list, and this is called several times for every commit.
    const buffer = this.#buffer;
    const at = this.#at;
    const rows = this.#rows;
    const isFolded = this.#firsts !== null;
    return {
      origins: this.#origins,
      removedScores: new Uint32Array(buffer, at + rows * 4, rows),
      removedAsNew: new Uint32Array(buffer, at + rows * 8, rows),
      counts: isFolded ? new Uint32Array(buffer, at + rows * 16, rows) : undefined,
      removedOps: new Uint8Array(buffer, at + rows * (isFolded ? 20 : 12), rows),
    };
  }

  /**
   * Answered lines of a file with the same origin and operation become one row. `ends` says behind which line each file
   * ends. False when that would not take less room.
   */
  fold(ends: readonly number[]): boolean {
    const before = this.rows();
    const places = new Int32Array(this.#rows);
    const count = this.#place(before, ends, places);
    if (count * ROW_BYTES > FOLD_TO * this.#rows * (this.#firsts === null ? LINE_BYTES : ROW_BYTES)) {
      this.#foldBelow = this.#nextFold(this.#left);
      return false;
    }
    const { counts } = before;
    const sharesBefore = this.#originShares;
    const firstsBefore = this.#firsts;
    const rowsBefore = this.#rows;
    this.#rows = count;
    this.#at = 0;
    this.#buffer = new ArrayBuffer(count * ROW_BYTES);
    this.#origins = new Int32Array(this.#buffer, 0, count);
    this.#firsts = new Int32Array(this.#buffer, count * 12, count).fill(-1);
    if (sharesBefore !== null) this.#originShares = new Float64Array(count);
    const after = this.rows();
    for (let row = 0; row < rowsBefore; row++) {
      const place = places[row]!;
      if (this.#firsts[place] === -1) this.#firsts[place] = firstsBefore === null ? row : firstsBefore[row]!;
      this.#origins[place] = before.origins[row]!;
      after.removedOps[place] = before.removedOps[row]!;
      after.removedScores[place]! += before.removedScores[row]!;
      after.removedAsNew[place]! += before.removedAsNew[row]!;
      after.counts![place]! += counts?.[row] ?? 1;
      if (sharesBefore !== null) this.#originShares![place]! += sharesBefore[row]!;
    }
    this.#foldBelow = this.#nextFold(this.#left);
    return true;
  }

  /** Where each row goes, in the order of their first lines; answers how many rows there are then. */
  #place(rows: OpenRows, ends: readonly number[], places: Int32Array): number {
    const { origins, removedOps, removedScores, removedAsNew } = rows;
    const groups = new Map<number, number>();
    /** Of each new row, no less than either of its sums. */
    const sums: number[] = [];
    let row = 0;
    for (let file = 0; file < ends.length; file++) {
      groups.clear();
      /** Of the line before: mostly the next one goes to the same place. */
      let lastKey = -1;
      let lastPlace = -1;
      for (const to = this.rowOf(ends[file]!); row < to; row++) {
        const origin = origins[row]!;
        const score = Math.max(removedScores[row]!, removedAsNew[row]!);
        if (origin === UNANSWERED) {
          places[row] = sums.push(score) - 1;
          continue;
        }
        const key = (origin - UNANSWERED) * 256 + removedOps[row]!;
        let place = key === lastKey ? lastPlace : groups.get(key);
        if (place === undefined || sums[place]! + score > MOST) {
          place = sums.push(0) - 1;
          groups.set(key, place);
        }
        sums[place]! += score;
        places[row] = place;
        lastKey = key;
        lastPlace = place;
      }
    }
    return sums.length;
  }

  #nextFold(open: number): number {
    return open < this.#foldFrom ? 0 : Math.ceil(open * FOLD_BELOW);
  }
}
