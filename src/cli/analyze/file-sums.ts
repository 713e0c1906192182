// What the files of each commit add to the sums of an analysis: a row of numbers a commit, because which commits count is
// known only when all are there, and an object for each file of a history would take more memory than all else.
import { ageMeasure, deltaThousandths, lineMeasure } from '../../domain/commits/file-measures.ts';
import {
  AGED_OPERATIONS,
  isLeftOut,
  LEFT_OUT_CATEGORIES,
  type LeftOutCategory,
  OPERATIONS,
  REPLACED_AGES,
  type ReplacedAge,
} from '../../domain/commits/line-model.ts';
import type { FileFact } from '../../engine/model/facts.ts';

export const AGES: readonly ReplacedAge[] = REPLACED_AGES.map(({ key }) => key);
const OPERATION_MEASURES = OPERATIONS.map(lineMeasure);
const AGE_MEASURES = AGES.map(ageMeasure);
const REWRITING = AGED_OPERATIONS.map(lineMeasure);
const LEFT_OUT_PLACES = Object.fromEntries(LEFT_OUT_CATEGORIES.map((category, i) => [category, i])) as Record<
  LeftOutCategory,
  number
>;

/** Where each number stands in a row; of lists, the first of as many as the list has. */
const AGES_AT = OPERATIONS.length;
const LEFT_OUT_AT = AGES_AT + AGES.length;
const CHURNED = LEFT_OUT_AT + LEFT_OUT_CATEGORIES.length;
export const SUM_COLUMNS = {
  operations: 0,
  ages: AGES_AT,
  leftOut: LEFT_OUT_AT,
  linesChurned: CHURNED,
  aiLineThousandths: CHURNED + 1,
  deltaThousandths: CHURNED + 2,
} as const;
const ROW = CHURNED + 3;

export class FileSums {
  #rows = new Float64Array(ROW * 256);
  #count = 0;
  /** A pair for each file of a row that lines were rewritten in: the number of its path, and the lines. */
  #rewritten = new Uint32Array(1024);
  #used = 0;
  /** Where the pairs of each row end. */
  readonly #ends: number[] = [];
  readonly #paths = new Map<string, number>();

  /** The row's number. */
  add(files: readonly FileFact[]): number {
    const at = this.#count * ROW;
    if (at + ROW > this.#rows.length) this.#rows = larger(this.#rows, new Float64Array(this.#rows.length * 2));
    const rows = this.#rows;
    for (const file of files) {
      rows[at + SUM_COLUMNS.deltaThousandths]! += deltaThousandths(file);
      if (isLeftOut(file.category)) {
        const place = at + LEFT_OUT_AT + LEFT_OUT_PLACES[file.category];
        for (const measure of OPERATION_MEASURES) rows[place]! += file[measure];
        continue;
      }
      for (let i = 0; i < OPERATION_MEASURES.length; i++) rows[at + i]! += file[OPERATION_MEASURES[i]!];
      for (let i = 0; i < AGE_MEASURES.length; i++) rows[at + AGES_AT + i]! += file[AGE_MEASURES[i]!];
      rows[at + SUM_COLUMNS.linesChurned]! += file.lines_churned;
      rows[at + SUM_COLUMNS.aiLineThousandths]! += file.ai_lines_changed;
      let lines = 0;
      for (const name of REWRITING) lines += file[name];
      if (lines > 0 && file.status !== 'deleted') this.#addRewritten(file.path, lines);
    }
    this.#ends.push(this.#used);
    return this.#count++;
  }

  #addRewritten(path: string, lines: number): void {
    let number = this.#paths.get(path);
    if (number === undefined) {
      number = this.#paths.size;
      this.#paths.set(path, number);
    }
    if (this.#used === this.#rewritten.length)
      this.#rewritten = larger(this.#rewritten, new Uint32Array(this.#used * 2));
    this.#rewritten[this.#used++] = number;
    this.#rewritten[this.#used++] = lines;
  }

  /** Adds up some of the rows. */
  sum(): RowSum {
    const total = new Float64Array(ROW);
    const linesOf = new Float64Array(this.#paths.size);
    return {
      add: (row) => {
        for (let i = 0; i < ROW; i++) total[i]! += this.#rows[row * ROW + i]!;
        for (let at = this.#ends[row - 1] ?? 0; at < this.#ends[row]!; at += 2)
          linesOf[this.#rewritten[at]!]! += this.#rewritten[at + 1]!;
      },
      numberOf: (row, column) => this.#rows[row * ROW + column]!,
      total: (column) => total[column]!,
      rewritten: () => {
        const lines = new Map<string, number>();
        for (const [path, number] of this.#paths) if (linesOf[number]! > 0) lines.set(path, linesOf[number]!);
        return lines;
      },
    };
  }
}

export interface RowSum {
  add(row: number): void;
  numberOf(row: number, column: number): number;
  /** Of the rows added. */
  total(column: number): number;
  /** Lines by path, of the rows added. */
  rewritten(): Map<string, number>;
}

function larger<Numbers extends Float64Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
