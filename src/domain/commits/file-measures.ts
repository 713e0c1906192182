// The integer measures that are kept of every commit × file, made from the rows of the line model. The engine computes
// them, storage has a column for each, and the metrics sum them. Scores are thousandths of a Diff Delta point, AI lines
// are thousandths of a line.
import {
  AGE_BUCKETS,
  type AgeBucket,
  OPERATIONS,
  type Operation,
  REPLACED_AGES,
  type ReplacedAge,
  SCORED_OPERATIONS,
  type ScoredOperation,
} from './line-model.ts';

/** Changed lines of an operation. */
export type LineMeasure = `lines_${Operation}`;
/** Lines of aged operations by the age of what they replaced. */
export type AgeMeasure = `age_${ReplacedAge}`;
/** Diff Delta of an operation. Those of all operations add up to the file's delta, and so do those of all ages. */
export type OperationDelta = `delta_${ScoredOperation}`;
export type AgeDelta = `delta_${AgeBucket}`;

export const lineMeasure = <O extends Operation>(operation: O) => `lines_${operation}` as const;
export const ageMeasure = <A extends ReplacedAge>(age: A) => `age_${age}` as const;
export const deltaMeasure = <K extends ScoredOperation | AgeBucket>(of: K) => `delta_${of}` as const;

export const LINE_MEASURES: readonly LineMeasure[] = OPERATIONS.map(lineMeasure);
export const AGE_MEASURES: readonly AgeMeasure[] = REPLACED_AGES.map(({ key }) => ageMeasure(key));
export const OPERATION_DELTAS: readonly OperationDelta[] = SCORED_OPERATIONS.map(deltaMeasure);
export const AGE_DELTAS: readonly AgeDelta[] = AGE_BUCKETS.map(({ key }) => deltaMeasure(key));

/** AI-credited parts: thousandths of a line, and thousandths of delta × share. */
export const AI_MEASURES = ['ai_lines_added', 'ai_lines_deleted', 'ai_lines_changed', 'ai_delta'] as const;

/**
 * The integer measures of one commit × file, in canonical order.
 * `added` and `removed` are git's numstat numbers; added is the sum of noop_added and of the lines_ measures of all
 * operations that are counted at added lines or at pairs.
 */
export const FILE_MEASURES = [
  'added',
  'removed',
  ...LINE_MEASURES,
  'noop_added',
  'noop_removed',
  ...AGE_MEASURES,
  /** Lines of churn operations at an age below CHURN_DAYS. */
  'lines_churned',
  ...OPERATION_DELTAS,
  ...AGE_DELTAS,
  /** Part of the above that lies in doc comments of a file whose own category is not documentation. */
  'doc_lines',
  'doc_delta',
  ...AI_MEASURES,
  /** Added or copy/pasted lines inside a duplicate block. Outside the digest. */
  'duplicate_lines',
  /**
   * Lines of lines_added inside a duplicate block whose other place is older than the commit. Sums
   * show them as Copy/Pasted (SHOWN_LINES); lines_added, lines_copy_pasted and the scores leave them alone, because
   * they are in the digest and this is not.
   */
  'lines_copied',
  /** Call expressions on added and updated lines. */
  'calls',
  /** Added and updated lines that hide an error or a warning. Outside the digest. */
  'error_masks',
] as const;
export type FileMeasure = (typeof FILE_MEASURES)[number];

/** Measures that stay outside `--digest`: they depend on which branch was walked first, or came later than it. */
export const MEASURES_OUTSIDE_DIGEST: readonly FileMeasure[] = ['duplicate_lines', 'lines_copied', 'error_masks'];

type ShownLines = Readonly<Partial<Record<LineMeasure | 'lines_copied', 1 | -1>>>;
const AS_STORED = Object.fromEntries(LINE_MEASURES.map((name) => [name, { [name]: 1 }])) as Record<
  LineMeasure,
  ShownLines
>;
/** What is shown as each operation: lines that stood in the repo before are copies, though the digest keeps them apart. */
export const SHOWN_LINES: Readonly<Record<LineMeasure, ShownLines>> = {
  ...AS_STORED,
  lines_added: { lines_added: 1, lines_copied: -1 },
  lines_copy_pasted: { lines_copy_pasted: 1, lines_copied: 1 },
};

/** Diff Delta of a file, or of anything with its measures, in thousandths. */
export function deltaThousandths(measures: Readonly<Record<OperationDelta, number>>): number {
  let delta = 0;
  for (const name of OPERATION_DELTAS) delta += measures[name];
  return delta;
}

/** What people read a measure in, and how many of what is stored make one of it. */
interface MeasureUnit {
  readonly unit: 'lines' | 'calls' | 'Diff Delta';
  readonly scale: number;
}
const LINES: MeasureUnit = { unit: 'lines', scale: 1 };
const CALLS: MeasureUnit = { unit: 'calls', scale: 1 };
const CREDITED_LINES: MeasureUnit = { unit: 'lines', scale: 1000 };
const DELTA: MeasureUnit = { unit: 'Diff Delta', scale: 1000 };
const allIn = <M extends FileMeasure>(measures: readonly M[], unit: MeasureUnit) =>
  Object.fromEntries(measures.map((name) => [name, unit])) as Record<M, MeasureUnit>;

export const MEASURE_UNITS = {
  added: LINES,
  removed: LINES,
  ...allIn(LINE_MEASURES, LINES),
  noop_added: LINES,
  noop_removed: LINES,
  ...allIn(AGE_MEASURES, LINES),
  lines_churned: LINES,
  ...allIn(OPERATION_DELTAS, DELTA),
  ...allIn(AGE_DELTAS, DELTA),
  doc_lines: LINES,
  doc_delta: DELTA,
  ai_lines_added: CREDITED_LINES,
  ai_lines_deleted: CREDITED_LINES,
  ai_lines_changed: CREDITED_LINES,
  ai_delta: DELTA,
  duplicate_lines: LINES,
  lines_copied: LINES,
  calls: CALLS,
  error_masks: LINES,
} as const satisfies Record<FileMeasure, MeasureUnit>;

/**
 * Thousandths → the number that people read. The division rounds once, to the number nearest to the three decimals,
 * so that `Math.round(number * 1000)` gives the thousandths back and sums of them are exact.
 */
export const thousandthsToNumber = (thousandths: number): number => thousandths / 1000;
