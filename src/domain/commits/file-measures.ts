// The integer measures that are kept of every commit × file. The engine computes them, storage has a
// column for each, and the metrics sum them. Scores are thousandths of a Diff Delta point, AI lines are
// thousandths of a line.

/**
 * The integer measures of one commit × file, in canonical order.
 * `added` and `removed` are git's numstat numbers; added = lines_added + lines_updated + lines_moved +
 * lines_find_replaced + lines_copy_pasted + noop_added.
 */
export const FILE_MEASURES = [
  'added',
  'removed',
  // operations
  'lines_added',
  'lines_deleted',
  'lines_moved',
  'lines_updated',
  'lines_find_replaced',
  'lines_copy_pasted',
  'noop_added',
  'noop_removed',
  // updated, deleted and find/replaced lines by the age of what they replaced
  'age_lt_2w',
  'age_lt_1m',
  'age_lt_1y',
  'age_lt_2y',
  'age_gte_2y',
  /** Lines updated or deleted at an age below CHURN_DAYS. */
  'lines_churned',
  // Diff Delta in thousandths, split by operation; the four add up to the file's delta
  'delta_added',
  'delta_updated',
  'delta_deleted',
  'delta_find_replaced',
  // the same delta split by age; with delta_new the six add up to the file's delta
  'delta_new',
  'delta_lt_2w',
  'delta_lt_1m',
  'delta_lt_1y',
  'delta_lt_2y',
  'delta_gte_2y',
  /** Part of the above that lies in doc comments of a file whose own category is not documentation. */
  'doc_lines',
  'doc_delta',
  // AI-credited parts: thousandths of a line, and thousandths of delta × share
  'ai_lines_added',
  'ai_lines_deleted',
  'ai_lines_changed',
  'ai_delta',
  /** Added or copy/pasted lines inside a duplicate block. Outside the digest. */
  'duplicate_lines',
  /**
   * Lines of lines_added inside a duplicate block whose other place is older than the commit. Reports
   * show them as Copy/Pasted; lines_added, lines_copy_pasted and the scores leave them alone, because
   * they are in the digest and this is not.
   */
  'lines_copied',
  /** Call expressions on added and updated lines. */
  'calls',
] as const;
export type FileMeasure = (typeof FILE_MEASURES)[number];

/** Measures that depend on which branch was walked first, and so stay outside `--digest`. */
export const MEASURES_OUTSIDE_DIGEST: readonly FileMeasure[] = ['duplicate_lines', 'lines_copied'];

/** The parts that add up to a file's Diff Delta. */
export const DELTA_PARTS = [
  'delta_added',
  'delta_updated',
  'delta_deleted',
  'delta_find_replaced',
] as const satisfies readonly FileMeasure[];

/** A file's Diff Delta, in thousandths. */
export const deltaThousandths = (file: Readonly<Record<(typeof DELTA_PARTS)[number], number>>): number =>
  file.delta_added + file.delta_updated + file.delta_deleted + file.delta_find_replaced;

/** What people read a measure in, and how many of what is stored make one of it. */
const LINES = { unit: 'lines', scale: 1 } as const;
const CALLS = { unit: 'calls', scale: 1 } as const;
const CREDITED_LINES = { unit: 'lines', scale: 1000 } as const;
const DELTA = { unit: 'Diff Delta', scale: 1000 } as const;

export const MEASURE_UNITS = {
  added: LINES,
  removed: LINES,
  lines_added: LINES,
  lines_deleted: LINES,
  lines_moved: LINES,
  lines_updated: LINES,
  lines_find_replaced: LINES,
  lines_copy_pasted: LINES,
  noop_added: LINES,
  noop_removed: LINES,
  age_lt_2w: LINES,
  age_lt_1m: LINES,
  age_lt_1y: LINES,
  age_lt_2y: LINES,
  age_gte_2y: LINES,
  lines_churned: LINES,
  delta_added: DELTA,
  delta_updated: DELTA,
  delta_deleted: DELTA,
  delta_find_replaced: DELTA,
  delta_new: DELTA,
  delta_lt_2w: DELTA,
  delta_lt_1m: DELTA,
  delta_lt_1y: DELTA,
  delta_lt_2y: DELTA,
  delta_gte_2y: DELTA,
  doc_lines: LINES,
  doc_delta: DELTA,
  ai_lines_added: CREDITED_LINES,
  ai_lines_deleted: CREDITED_LINES,
  ai_lines_changed: CREDITED_LINES,
  ai_delta: DELTA,
  duplicate_lines: LINES,
  lines_copied: LINES,
  calls: CALLS,
} as const satisfies Record<FileMeasure, { readonly unit: string; readonly scale: number }>;

/**
 * Thousandths → the number that people read. The division rounds once, to the number nearest to the three decimals,
 * so that `Math.round(number * 1000)` gives the thousandths back and sums of them are exact.
 */
export const thousandthsToNumber = (thousandths: number): number => thousandths / 1000;
