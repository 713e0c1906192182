// What the files of each commit add to the sums of an analysis: a row of numbers a commit, because which commits count is
// known only when all are there, and an object for each file of a history would take more memory than all else.
import { ageMeasure, deltaThousandths, lineMeasure, SHOWN_LINES } from '../../domain/commits/file-measures.ts';
import {
  AGED_OPERATIONS,
  isLeftOut,
  LEFT_OUT_CATEGORIES,
  type LeftOutCategory,
  OPERATIONS,
  REPLACED_AGES,
  type ReplacedAge,
} from '../../domain/commits/line-model.ts';
import type { FileFact, FileMeasures } from '../../engine/model/facts.ts';

export const AGES: readonly ReplacedAge[] = REPLACED_AGES.map(({ key }) => key);
const OPERATION_MEASURES = OPERATIONS.map(lineMeasure);
/** As reports have them. */
const SHOWN = OPERATION_MEASURES.map((name) => Object.entries(SHOWN_LINES[name]) as [keyof FileMeasures, number][]);
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

/** Marks the end of a row's numbers. */
const ROW_END = ROW;
/** The longest row: a mark and eight bytes for each number. */
const ROW_BYTES = ROW * 9 + 1;
/** Two numbers. */
const PAIR_BYTES = 16;

/**
 * Of the numbers of a row most are zero and the others small: each that is not stands behind the number of its column, as
 * bytes of seven bits, the lowest first. A tenth of what an array of doubles takes.
 */
export class FileSums {
  #bytes = new Uint8Array(1 << 14);
  #used = 0;
  /** Where each row begins: its numbers, and behind them, for each file that lines were rewritten in, the number of its path and the lines. */
  readonly #starts: number[] = [];
  readonly #paths = new Map<string, number>();
  /** Of the row that is being added. */
  readonly #row = new Float64Array(ROW);

  /** The row's number. */
  add(files: readonly FileFact[]): number {
    const row = this.#row.fill(0);
    for (const file of files) {
      row[SUM_COLUMNS.deltaThousandths]! += deltaThousandths(file);
      if (isLeftOut(file.category)) {
        const place = LEFT_OUT_AT + LEFT_OUT_PLACES[file.category];
        for (const measure of OPERATION_MEASURES) row[place]! += file[measure];
        continue;
      }
      for (let i = 0; i < SHOWN.length; i++) for (const [name, weight] of SHOWN[i]!) row[i]! += weight * file[name];
      for (let i = 0; i < AGE_MEASURES.length; i++) row[AGES_AT + i]! += file[AGE_MEASURES[i]!];
      row[SUM_COLUMNS.linesChurned]! += file.lines_churned;
      row[SUM_COLUMNS.aiLineThousandths]! += file.ai_lines_changed;
    }
    this.#starts.push(this.#used);
    this.#makeRoom(ROW_BYTES);
    for (let column = 0; column < ROW; column++) {
      if (row[column] === 0) continue;
      this.#bytes[this.#used++] = column;
      this.#write(row[column]!);
    }
    this.#bytes[this.#used++] = ROW_END;
    for (const file of files) this.#addRewritten(file);
    return this.#starts.length - 1;
  }

  #addRewritten(file: FileFact): void {
    if (file.status === 'deleted' || isLeftOut(file.category)) return;
    let lines = 0;
    for (const name of REWRITING) lines += file[name];
    if (lines === 0) return;
    let number = this.#paths.get(file.path);
    if (number === undefined) {
      number = this.#paths.size;
      this.#paths.set(file.path, number);
    }
    this.#makeRoom(PAIR_BYTES);
    this.#write(number);
    this.#write(lines);
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  #write(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`a sum of ${value}`);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#used++] = (rest % 128) | 128;
    this.#bytes[this.#used++] = rest;
  }

  #read(
    row: number,
    visit: (column: number, value: number) => void,
    visitPair?: (path: number, lines: number) => void,
  ): void {
    const bytes = this.#bytes;
    const end = this.#starts[row + 1] ?? this.#used;
    let at = this.#starts[row]!;
    const take = (): number => {
      let value = 0;
      let scale = 1;
      for (; bytes[at]! > 127; scale *= 128) value += (bytes[at++]! & 127) * scale;
      return value + bytes[at++]! * scale;
    };
    for (let column = bytes[at++]!; column !== ROW_END; column = bytes[at++]!) visit(column, take());
    if (visitPair !== undefined) while (at < end) visitPair(take(), take());
  }

  /** Adds up some of the rows. */
  sum(): RowSum {
    const total = new Float64Array(ROW);
    const linesOf = new Float64Array(this.#paths.size);
    return {
      add: (row) =>
        this.#read(
          row,
          (column, value) => {
            total[column]! += value;
          },
          (path, lines) => {
            linesOf[path]! += lines;
          },
        ),
      numberOf: (row, column) => {
        let found = 0;
        this.#read(row, (each, value) => {
          if (each === column) found = value;
        });
        return found;
      },
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
