// Files that still break a rule, each with a date and a reason. One that is not needed any more is an
// error, so that this list only grows shorter.
export interface Exception {
  /** The words before the colon of the message: `directions`, `folder size`, `exports`, or the name of a power. */
  readonly rule: string;
  /** A file or a folder. */
  readonly path: string;
  readonly since: string;
  readonly why: string;
}

export const EXCEPTIONS: readonly Exception[] = [];
