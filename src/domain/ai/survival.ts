// How long lines last: the estimate of Kaplan and Meier from counts by day. A line that is deleted or rewritten dies. One
// that is moved lives on, because its origin is followed through moves; one that still stands on the last day that was
// processed is only followed until then.

/** Ages in days at which survival is told. */
export const SURVIVAL_DAYS = [3, 7, 14, 21, 90] as const;
export type SurvivalDays = (typeof SURVIVAL_DAYS)[number];

/**
 * A commit that ends lines may bear an earlier day than the one that wrote them, after a rebase or by a clock: their age is 0
 * then. So many days before the lines it is looked for, whatever range is asked for, so that the range changes no figure.
 */
export const MOST_DAYS_BEFORE = 90;

/** What a line of the statistic is told apart by: the evidence of the commit that wrote it. The code is stored nowhere. */
export const SURVIVAL_GROUPS = {
  sure: { code: 2, label: 'AI by record' },
  estimated: { code: 1, label: 'AI by mark' },
  rest: { code: 0, label: 'Rest' },
} as const;
export type SurvivalGroup = keyof typeof SURVIVAL_GROUPS;

/** Lines written on a day, and what became of them, by their age in days when it did. */
export interface LineCohort {
  /** Days from the day they were written to the last day that was processed. */
  readonly followedDays: number;
  readonly lines: number;
  readonly ends: readonly { readonly age: number; readonly died: number }[];
}

export interface SurvivalPoint {
  readonly age_days: number;
  /** Of lines that were followed so long: how many still stood when the age was reached, deaths on the day included. */
  readonly at_risk: number;
  readonly died: number;
  /** Null where nothing was followed so long, unless all had died before. */
  readonly survival_percent: number | null;
}

/**
 * S(t) = Π (1 − deaths ÷ at risk) over the ages up to t. At an age are at risk the lines that were followed that long and
 * have not died at a younger age.
 */
export function estimateSurvival(cohorts: readonly LineCohort[], ages: readonly number[]): SurvivalPoint[] {
  const last = Math.max(...ages);
  const size = last + 2;
  // leaves[d]: lines that are at risk at age d − 1 and no longer at d
  const leaves = new Float64Array(size);
  const died = new Float64Array(size);
  let standing = 0;
  for (const { followedDays, lines, ends } of cohorts) {
    if (followedDays < 0) continue;
    standing += lines;
    let left = lines;
    for (const { age, died: dead } of ends) {
      const at = Math.max(0, age);
      if (at > followedDays || at > last) continue;
      died[at]! += dead;
      leaves[at + 1]! += dead;
      left -= dead;
    }
    if (followedDays <= last) leaves[followedDays + 1]! += left;
  }
  const points: SurvivalPoint[] = [];
  let survival = 1;
  let isKnown = true;
  for (let age = 0; age <= last; age++) {
    standing -= leaves[age]!;
    if (standing > 0) survival *= 1 - died[age]! / standing;
    // When all have died, none is alive at any later age; when none is followed any longer, nobody knows.
    else if (survival > 0) isKnown = false;
    if (!ages.includes(age)) continue;
    points.push({
      age_days: age,
      at_risk: Math.max(0, standing),
      died: died[age]!,
      survival_percent: isKnown ? Math.round(survival * 1000) / 10 : null,
    });
  }
  return points;
}
