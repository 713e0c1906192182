// When a critical defect was worked on, merged, released and resolved, from the set of its fixes and the
// commits that worked on it. A set has no order, so neither has the outcome. The times are kept in order:
// what customers state about releases stands, what is concluded from commits gives way.

/** The stretches of a defect's life as the list names them. */
export const TIMELINE_KEYS = [
  'hours_to_first_activity',
  'first_fix_merged_at',
  'activity_to_first_release',
  'activity_to_now',
  'first_release_to_final_release',
] as const;
export type TimelineKey = (typeof TIMELINE_KEYS)[number];

export interface DefectEvents {
  /** Milliseconds since 1970, as are all times here. */
  readonly detectedAt: number;
  readonly fixes: readonly { readonly pushedAt: number | null; readonly releasedAt: number | null }[];
  /** Commits that worked on the defect; mergedAt is null while they are not on the default branch. */
  readonly commits: readonly { readonly authoredAt: number; readonly mergedAt: number | null }[];
}

/** Null while not reached. Never before detection, and each not before the one above it, except lastActivityAt. */
export interface DefectTimes {
  readonly firstActivityAt: number | null;
  readonly firstFixMergedAt: number | null;
  /** The last sign of work before the first release. */
  readonly lastActivityAt: number | null;
  readonly firstFixReleasedAt: number | null;
  /** The latest over all repos: the defect is resolved. */
  readonly finalFixReleasedAt: number | null;
}

const isTime = (time: number | null): time is number => time !== null;
const earliest = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.min(...times));
const between = (time: number, least: number, most: number): number => Math.min(Math.max(time, least), most);

export function deriveDefectTimes({ detectedAt, fixes, commits }: DefectEvents): DefectTimes {
  const released = fixes.map(({ releasedAt }) => releasedAt).filter(isTime);
  const pushed = fixes.map(({ pushedAt }) => pushedAt).filter(isTime);
  const merged = commits.map(({ mergedAt }) => mergedAt).filter(isTime);
  const firstFixReleasedAt = released.length === 0 ? null : Math.max(detectedAt, Math.min(...released));
  const finalFixReleasedAt = released.length === 0 ? null : Math.max(detectedAt, ...released);
  const ceiling = firstFixReleasedAt ?? Number.POSITIVE_INFINITY;

  // A push is the best guess of the merge where no commit says more.
  const merge = earliest(merged) ?? earliest(pushed);
  const firstFixMergedAt = merge === null ? null : between(merge, detectedAt, ceiling);
  const signs = [...commits.map(({ authoredAt }) => authoredAt), ...merged, ...pushed];
  const activity = earliest(signs);
  const firstActivityAt = activity === null ? null : between(activity, detectedAt, firstFixMergedAt ?? ceiling);
  const beforeRelease = signs.filter((time) => time <= ceiling);
  const lastActivityAt =
    firstActivityAt === null
      ? null
      : Math.max(
          firstFixMergedAt ?? firstActivityAt,
          ...beforeRelease.map((time) => between(time, detectedAt, ceiling)),
        );
  return { firstActivityAt, firstFixMergedAt, lastActivityAt, firstFixReleasedAt, finalFixReleasedAt };
}
