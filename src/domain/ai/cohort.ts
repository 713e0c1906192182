// How much a person used AI tools in a week, as one of five cohorts.

export const AI_COHORTS = ['non_user', 'sparse', 'periodic', 'regular', 'power'] as const;
export type AiCohort = (typeof AI_COHORTS)[number];

export const AI_COHORT_TITLES: Readonly<Record<AiCohort, string>> = {
  non_user: 'Non-user',
  sparse: 'Sparse',
  periodic: 'Periodic',
  regular: 'Regular',
  power: 'Power',
};

/** `activeDays` are the days of the week with usage or commits. */
export function aiCohort(interactions: number, activeDays: number): AiCohort {
  if (interactions <= 0) return 'non_user';
  const perDay = interactions / Math.max(1, activeDays);
  if (perDay <= 2) return 'sparse';
  if (perDay < 5) return 'periodic';
  return perDay <= 10 ? 'regular' : 'power';
}
