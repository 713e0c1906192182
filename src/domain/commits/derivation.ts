// What the stored facts of a repo follow from in addition to its history. A repo whose facts were derived under another
// one than the program has is walked anew by a job. Whatever changes stored facts without a new commit is a part of it.

export interface Derivation {
  /** The version of the constants of Diff Delta. */
  readonly formula_version: number;
  /** The churn window. */
  readonly churn_days: number;
  /** Raised with a further measure, or one that counts otherwise, outside of Diff Delta. */
  readonly measures: number;
}

/** `stored` is what the database holds: null, or the derivation of this or another version of the program. */
export function isDerivedUnder(stored: unknown, wanted: Derivation): boolean {
  if (typeof stored !== 'object' || stored === null) return false;
  const [one, other] = [Object.entries(stored), Object.entries(wanted)];
  return one.length === other.length && other.every(([part, value]) => Reflect.get(stored, part) === value);
}
