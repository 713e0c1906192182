// The measures of a batch summed up while its files go by: per commit, and per commit and category. They become
// the totals that a commit keeps of itself, and its part of the daily tables.
import { FILE_MEASURES, type FileMeasure } from '../../domain/commits/file-measures.ts';

/** What is summed, in order; `file_count` counts the rows that were added. */
export const SUMMED = [...FILE_MEASURES, 'file_count'] as const;
export type Summed = (typeof SUMMED)[number];
const FILE_COUNT = SUMMED.indexOf('file_count');

/** In front of the sums: the commit's id and the category's, 0 for the whole commit. */
const HEAD = 2;
const WIDTH = HEAD + SUMMED.length;
const FIRST_ROWS = 1024;
const KEPT_ROWS = 32_768;
const MOST_CATEGORIES = 64;

/** Where a sum stands behind the start of its row. */
export const sumAt = (name: Summed): number => HEAD + SUMMED.indexOf(name);

export class FactSums {
  #cells = new Float64Array(FIRST_ROWS * WIDTH);
  #length = 0;
  #commitAt = 0;
  /** Of the current commit, where the row of each category is; −1 where it has none. */
  readonly #rows = new Int32Array(MOST_CATEGORIES).fill(-1);

  /** All rows behind one another. */
  get cells(): Float64Array {
    return this.#cells;
  }

  clear(): void {
    this.#length = 0;
    if (this.#cells.length > KEPT_ROWS * WIDTH) this.#cells = new Float64Array(FIRST_ROWS * WIDTH);
  }

  /** Begins a commit. Returns where the row of its totals starts. */
  begin(commitId: number): number {
    this.#rows.fill(-1);
    this.#commitAt = this.#addRow(commitId, 0);
    return this.#commitAt;
  }

  /** A file of the commit begun last; `measures` in the order of FILE_MEASURES. */
  add(category: number, measures: Float64Array): void {
    let row = this.#rows[category]!;
    if (row < 0) {
      row = this.#addRow(this.#cells[this.#commitAt]!, category);
      this.#rows[category] = row;
    }
    const cells = this.#cells;
    const commit = this.#commitAt + HEAD;
    row += HEAD;
    for (let i = 0; i < FILE_COUNT; i += 1) {
      const value = measures[i]!;
      if (value === 0) continue;
      cells[commit + i]! += value;
      cells[row + i]! += value;
    }
    cells[commit + FILE_COUNT]! += 1;
    cells[row + FILE_COUNT]! += 1;
  }

  /** Calls back for each row: the commit, the category (0: all), and where the row starts. */
  each(visit: (commitId: number, category: number, at: number) => void): void {
    for (let at = 0; at < this.#length; at += WIDTH) visit(this.#cells[at]!, this.#cells[at + 1]!, at);
  }

  #addRow(commitId: number, category: number): number {
    const at = this.#length;
    this.#length += WIDTH;
    if (this.#length > this.#cells.length) {
      const larger = new Float64Array(this.#cells.length * 2);
      larger.set(this.#cells);
      this.#cells = larger;
    }
    this.#cells.fill(0, at, this.#length);
    this.#cells[at] = commitId;
    this.#cells[at + 1] = category;
    return at;
  }
}

const NAMES: readonly FileMeasure[] = FILE_MEASURES;

/** A file's measures in their order. */
export function readMeasures(file: Readonly<Record<FileMeasure, number>>, into: Float64Array): void {
  for (let i = 0; i < NAMES.length; i += 1) into[i] = file[NAMES[i]!];
}
