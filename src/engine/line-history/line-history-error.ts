// Why a line's history cannot be given. The code is for programs, the message for people: it names the
// parameter, the value and what would be accepted.

export const LINE_HISTORY_PROBLEMS = [
  'unknown_sha',
  'ambiguous_sha',
  'unknown_file',
  'line_out_of_range',
  'binary_file',
  'missing_object',
  'invalid_parameter',
] as const;
export type LineHistoryProblem = (typeof LINE_HISTORY_PROBLEMS)[number];

export class LineHistoryError extends Error {
  readonly code: LineHistoryProblem;
  /** The parameter at fault, or null when the repository is. */
  readonly parameter: string | null;

  constructor(code: LineHistoryProblem, parameter: string | null, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LineHistoryError';
    this.code = code;
    this.parameter = parameter;
  }
}
