// When to warn that a token ends: two weeks before, and again three days before.

const DAY_MS = 86_400_000;
export const WARN_DAYS = [14, 3] as const;

/** Whole days that are left, when it is time to warn; null otherwise. */
export function daysLeft(expiresAt: string | null, now: Date): number | null {
  if (expiresAt === null) return null;
  const days = Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY_MS);
  return days <= Math.max(...WARN_DAYS) ? days : null;
}

export const expiryWarning = (days: number): string =>
  days < 0
    ? 'the token has expired; provision a new one'
    : `the token expires in ${days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`}; provision a new one`;
