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
