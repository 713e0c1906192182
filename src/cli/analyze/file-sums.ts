// What the files of each commit add to the sums of an analysis: a row of numbers a commit, because which commits count is
// known only when all are there, and an object for each file of a history would take more memory than all else.
import { ageMeasure, lineMeasure, OPERATION_DELTAS, SHOWN_LINES } from '../../domain/commits/file-measures.ts';
import {
  AGED_OPERATIONS,
  CATEGORIES,
  type CategoryKey,
  isLeftOut,
  LEFT_OUT_CATEGORIES,
  OPERATIONS,
  REPLACED_AGES,
  type ReplacedAge,
} from '../../domain/commits/line-model.ts';
import { type FileMeasure, type FileRows, type FileVisitor, PLACES } from '../../engine/model/facts.ts';

export const AGES: readonly ReplacedAge[] = REPLACED_AGES.map(({ key }) => key);
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

/** Places of measures, the column that each is added to, and how often: three numbers a measure. */
type Addends = readonly number[];
const addend = (name: FileMeasure, column: number, weight = 1): Addends => [PLACES[name], column, weight];
const DELTAS = OPERATION_DELTAS.flatMap((name) => addend(name, SUM_COLUMNS.deltaThousandths));
const OF_PROCESSED = [
  ...DELTAS,
  // As reports have them.
  ...OPERATIONS.flatMap((operation, i) =>
    Object.entries(SHOWN_LINES[lineMeasure(operation)]).flatMap(([name, weight]) =>
      addend(name as FileMeasure, SUM_COLUMNS.operations + i, weight),
    ),
  ),
  ...AGES.flatMap((age, i) => addend(ageMeasure(age), AGES_AT + i)),
  ...addend('lines_churned', SUM_COLUMNS.linesChurned),
  ...addend('ai_lines_changed', SUM_COLUMNS.aiLineThousandths),
];
const ofLeftOut = (place: number): Addends => [
  ...DELTAS,
  ...OPERATIONS.flatMap((operation) => addend(lineMeasure(operation), LEFT_OUT_AT + place)),
];
const ADDENDS = Object.fromEntries(
  CATEGORIES.map(({ key }) => [key, isLeftOut(key) ? ofLeftOut(LEFT_OUT_CATEGORIES.indexOf(key)) : OF_PROCESSED]),
) as Record<CategoryKey, Addends>;
const REWRITING = AGED_OPERATIONS.map((operation) => PLACES[lineMeasure(operation)]);

/** Marks the end of a row's numbers. */
const ROW_END = ROW;
const NUMBER_BYTES = 8;
/** The longest row: a mark and its number for each column. */
const ROW_BYTES = ROW * (NUMBER_BYTES + 1) + 1;

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
  /** Where it is being read. */
  #at = 0;
  /** Of the row that is being added: references, which are read as those of a MeasureRow are. */
  readonly #row = Array.from({ length: ROW }, (): number | null => null);
  /** The same: its numbers of paths and lines in turn. */
  #rewritten: number[] = [];

  /** The row's number. */
  add(files: FileRows): number {
    const row = this.#row.fill(0);
    files.visitFiles(this.#addFile);
    this.#starts.push(this.#used);
    this.#makeRoom(ROW_BYTES + this.#rewritten.length * NUMBER_BYTES);
    for (let column = 0; column < ROW; column++) {
      const sum = row[column]!;
      if (sum === 0) continue;
      this.#bytes[this.#used++] = column;
      this.#write(sum);
    }
    this.#bytes[this.#used++] = ROW_END;
    for (let i = 0; i < this.#rewritten.length; i++) this.#write(this.#rewritten[i]!);
    this.#rewritten.length = 0;
    return this.#starts.length - 1;
  }

  readonly #addFile: FileVisitor = (path, status, category, measures) => {
    const row = this.#row;
    const addends = ADDENDS[category];
    for (let i = 0; i < addends.length; i += 3) {
      const value = measures[addends[i]!]!;
      if (value !== 0) row[addends[i + 1]!]! += value * addends[i + 2]!;
    }
    if (addends !== OF_PROCESSED || status === 'deleted') return;
    let lines = 0;
    for (let i = 0; i < REWRITING.length; i++) lines += measures[REWRITING[i]!]!;
    if (lines === 0) return;
    let number = this.#paths.get(path);
    if (number === undefined) {
      number = this.#paths.size;
      this.#paths.set(path, number);
    }
    this.#rewritten.push(number, lines);
  };

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + bytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  #write(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`a sum of ${value}`);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#used++] = (rest % 128) | 128;
    this.#bytes[this.#used++] = rest;
  }

  /** Behind its numbers are those of rewritten files. */
  #read(row: number, into: Float64Array): void {
    const bytes = this.#bytes;
    into.fill(0);
    this.#at = this.#starts[row]!;
    for (let column = bytes[this.#at++]!; column !== ROW_END; column = bytes[this.#at++]!) into[column] = this.#take();
  }

  /** The number at hand; the next one is at hand then. */
  #take(): number {
    const bytes = this.#bytes;
    let value = 0;
    let scale = 1;
    for (; bytes[this.#at]! > 127; scale *= 128) value += (bytes[this.#at++]! & 127) * scale;
    return value + bytes[this.#at++]! * scale;
  }

  /** Adds up some of the rows. */
  sum(): RowSum {
    const total = new Float64Array(ROW);
    const linesOf = new Float64Array(this.#paths.size);
    const numbers = new Float64Array(ROW);
    return {
      add: (row) => {
        this.#read(row, numbers);
        for (let column = 0; column < ROW; column++) total[column]! += numbers[column]!;
        const end = this.#starts[row + 1] ?? this.#used;
        while (this.#at < end) {
          const path = this.#take();
          linesOf[path]! += this.#take();
        }
        return numbers;
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
  /** Answers the row's numbers by column, until another row is added. */
  add(row: number): Float64Array;
  /** Of the rows added. */
  total(column: number): number;
  /** Lines by path, of the rows added. */
  rewritten(): Map<string, number>;
}
