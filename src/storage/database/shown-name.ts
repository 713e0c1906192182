/** A name that charts show, and a longer one where two records have the same short one. */
export interface ShownName {
  readonly id: number;
  readonly short: string;
  readonly long: string;
}
