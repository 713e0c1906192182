// A company's tracker as no product tells it: people, boards, sprints, and issues with all that became of them. Doubles
// show it in their own words, and tests compute from it what must come out.

export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export const TRACKED_STATUSES = {
  todo: 'new',
  doing: 'in_progress',
  review: 'in_progress',
  done: 'done',
  closed: 'done',
  /** Deleted since: nobody knows what it meant. */
  legacy: null,
} as const;
export type TrackedStatus = keyof typeof TRACKED_STATUSES;

export const TRACKED_TYPES = {
  Story: { level: 0, shown: 'Story' },
  Bug: { level: 0, shown: '缺陷' },
  'Sub-task': { level: -1, shown: 'Unteraufgabe' },
  Epic: { level: 1, shown: 'Epic' },
} as const;

/** Points may be text and less than nothing; sprints are ids. */
export interface TrackedValues {
  readonly status: TrackedStatus;
  readonly sprints: readonly number[];
  readonly points: number | string | null;
  readonly assignee: Member | null;
  readonly key: string;
}

export interface TrackedChange<F extends keyof TrackedValues = keyof TrackedValues> {
  readonly id: number;
  readonly at: string;
  readonly by: Member | null;
  readonly field: F;
  readonly before: TrackedValues[F];
  readonly after: TrackedValues[F];
}

export interface TrackedIssue {
  readonly id: number;
  readonly type: keyof typeof TRACKED_TYPES;
  title: string;
  readonly by: Member | null;
  readonly createdAt: string;
  updatedAt: string;
  readonly first: TrackedValues;
  readonly changes: TrackedChange[];
  readonly epic: TrackedIssue | null;
  readonly labels: readonly string[];
  readonly priority: string;
}

export interface TrackedSprint {
  readonly id: number;
  name: string;
  readonly boardId: number;
  readonly state: 'closed' | 'active' | 'future';
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly completedAt: string | null;
}

export interface TrackerCompany {
  readonly members: readonly Member[];
  readonly boards: readonly { readonly id: number; readonly name: string; readonly isKanban: boolean }[];
  readonly sprints: TrackedSprint[];
  readonly issues: TrackedIssue[];
  readonly project: { readonly id: number; readonly key: string; readonly name: string };
}

/** The value that held at a time, which is null before the issue was made. */
export function valueAt<F extends keyof TrackedValues>(
  issue: TrackedIssue,
  field: F,
  at: string | null,
): TrackedValues[F] | null {
  if (at !== null && issue.createdAt > at) return null;
  let value: TrackedValues[F] = issue.first[field];
  for (const change of issue.changes) {
    if (change.field === field && (at === null || change.at <= at)) value = change.after as TrackedValues[F];
  }
  return value;
}

export const current = <F extends keyof TrackedValues>(issue: TrackedIssue, field: F): TrackedValues[F] =>
  valueAt(issue, field, null)!;

export const pointsOf = (points: number | string | null): number =>
  typeof points === 'number' && points >= 0 ? points : 0;

const isDone = (status: TrackedStatus | null): boolean => status !== null && TRACKED_STATUSES[status] === 'done';

/** When it became done for good, as one would have said at that time; null while it was not. */
export function doneAt(issue: TrackedIssue, at: string | null): string | null {
  let since: string | null = isDone(issue.first.status) ? issue.createdAt : null;
  for (const change of issue.changes) {
    if (change.field !== 'status' || (at !== null && change.at > at)) continue;
    if (!isDone(change.after as TrackedStatus)) since = null;
    else since ??= change.at;
  }
  return at !== null && issue.createdAt > at ? null : since;
}

export function startedAt(issue: TrackedIssue): string | null {
  if (TRACKED_STATUSES[issue.first.status] === 'in_progress') return issue.createdAt;
  const start = issue.changes.find(
    ({ field, after }) => field === 'status' && TRACKED_STATUSES[after as TrackedStatus] === 'in_progress',
  );
  return start?.at ?? null;
}

/** The sprint's figures by going through its issues one by one. */
export function sprintFigures(company: TrackerCompany, sprint: TrackedSprint) {
  const figures = { committed: 0, completed: 0, kept: 0, unplanned: 0 };
  const start = sprint.startsAt!;
  const end = sprint.completedAt ?? sprint.endsAt!;
  for (const issue of company.issues) {
    if (issue.type === 'Epic') continue;
    const isPlanned = valueAt(issue, 'sprints', start)?.includes(sprint.id) ?? false;
    const atStart = pointsOf(valueAt(issue, 'points', start));
    const done = doneAt(issue, end);
    const wasIn = done !== null && (valueAt(issue, 'sprints', done)?.includes(sprint.id) ?? false);
    const isCompleted = wasIn && done >= start && done <= end;
    const atEnd = pointsOf(valueAt(issue, 'points', end));
    if (isPlanned) figures.committed += atStart;
    if (isCompleted) figures.completed += atEnd;
    if (isCompleted && isPlanned) figures.kept += atStart;
    if (isCompleted && !isPlanned) figures.unplanned += atEnd;
  }
  return figures;
}
