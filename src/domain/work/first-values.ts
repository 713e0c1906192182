// An issue's history begins with the values that it was made with, as changes from nothing at the time it was opened. So
// whatever stood at some time follows from the changes alone.
import type { IssueChange } from './issue.ts';

/** Fields whose value at any time is of use. */
export const TRACED_FIELDS = ['status', 'sprint', 'points', 'assignee'] as const;
export type TracedField = (typeof TRACED_FIELDS)[number];

/** Ids of changes begin with it only where the tracker did not record one. */
const CREATED = 'created:';

/** `now` are the values of today, which hold from the beginning on where nothing has changed. Oldest first. */
export function withFirstValues(
  changes: readonly IssueChange[],
  openedAt: string,
  now: Readonly<Record<TracedField, string | null>>,
): IssueChange[] {
  const ordered = [...changes].sort((a, b) => Date.parse(a.changed_at) - Date.parse(b.changed_at));
  const first = TRACED_FIELDS.map((field): IssueChange => {
    const change = ordered.find((each) => each.field === field);
    return {
      external_id: `${CREATED}${field}`,
      field,
      changed_at: openedAt,
      author: null,
      before: null,
      after: change === undefined ? now[field] : change.before,
    };
  });
  return [...first, ...ordered];
}

/** Points as trackers write them: numbers, text, and less than nothing for none. */
export function readPoints(value: unknown): number | null {
  const points = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof points === 'number' && Number.isFinite(points) && points >= 0 ? points : null;
}

export const pointsText = (value: unknown): string | null => readPoints(value)?.toString() ?? null;
