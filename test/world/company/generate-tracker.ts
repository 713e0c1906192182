// Makes a tracker's records: sprints of two weeks, issues that are estimated late, carried over, taken out and put back,
// reopened, moved to another project, and points that are no points.
import {
  type Member,
  type TrackedChange,
  type TrackedIssue,
  type TrackedSprint,
  type TrackedStatus,
  type TrackedValues,
  type TrackerCompany,
  valueAt,
} from './tracker-company.ts';

const START_MS = Date.UTC(2026, 3, 6, 9);
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SPRINT_DAYS = 14;

export interface TrackerSize {
  readonly issues: number;
  readonly sprints: number;
  /** Whether an issue is in one sprint at most, and a sprint ends on its day. */
  readonly isSingle: boolean;
  /** Whether statuses may be deleted. */
  readonly hasLegacy: boolean;
  /** When the first sprint begins, and how many days lie between two beginnings. */
  readonly startMs?: number;
  readonly sprintDays?: number;
}

export const SMALL_TRACKER: TrackerSize = { issues: 130, sprints: 6, isSingle: false, hasLegacy: true };

/** The same seed makes the same numbers. */
function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= (state << 13) >>> 0;
    state ^= state >>> 17;
    state ^= (state << 5) >>> 0;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}

export function generateTracker(seed: number, size: TrackerSize): TrackerCompany {
  const random = randomOf(seed);
  const { startMs: firstMs = START_MS, sprintDays = SPRINT_DAYS } = size;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number): boolean => random() < share;
  const iso = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString();
  let nextId = 10_000;
  const id = (): number => {
    nextId += 1;
    return nextId;
  };
  const members: Member[] = ['ada', 'grace', 'linus', 'margaret', 'edsger'].map((login, index) => ({
    id: `5b10a2844c20165700ede2${index}g`,
    name: `${login[0]!.toUpperCase()}${login.slice(1)} Example`,
    email: `${login}@example.com`,
  }));
  const boards = [
    { id: 84, name: 'Blue', isKanban: false },
    { id: 85, name: 'Flow', isKanban: true },
    { id: 86, name: 'Red', isKanban: false },
  ];
  const scrum = boards.filter(({ isKanban }) => !isKanban);
  const sprints = Array.from({ length: size.sprints }, (_, index): TrackedSprint => {
    const state = index < size.sprints - 2 ? 'closed' : index === size.sprints - 2 ? 'active' : 'future';
    // Iterations are whole days.
    const startMs = firstMs + index * sprintDays * DAY_MS - (size.isSingle ? 9 * HOUR_MS : 0);
    const endMs = startMs + (sprintDays - 1) * DAY_MS - (size.isSingle ? 1000 : 0);
    return {
      id: 37 + index,
      name: `Sprint ${index + 1}, the ${index % 2 === 0 ? 'even' : 'odd'} one`,
      boardId: scrum[index % 2]!.id,
      state,
      startsAt: state === 'future' ? null : iso(startMs),
      endsAt: state === 'future' ? null : iso(endMs),
      // Closed early or late, as people do.
      completedAt: state === 'closed' && !size.isSingle ? iso(endMs + (index % 3) * 5_000_000 - 4_000_000) : null,
    };
  });
  const running = sprints.filter(({ state }) => state !== 'future');
  const issues: TrackedIssue[] = [];
  const epics: TrackedIssue[] = [];

  const makeIssue = (number: number): TrackedIssue => {
    const target = pick(running);
    const sprintStart = Date.parse(target.startsAt!);
    const sprintEnd = Date.parse(target.completedAt ?? target.endsAt!);
    const isEpic = number <= 4;
    let at = sprintStart - (1 + random() * 9) * DAY_MS;
    const firstPoints = pick([1, 2, 3, 5, 8, 0.5, null, null, '-1'] as const);
    const isBornIn = chance(0.2);
    const first: TrackedValues = {
      status: chance(0.05) ? 'doing' : 'todo',
      sprints: isBornIn ? [target.id] : [],
      points: isEpic ? null : firstPoints,
      assignee: chance(0.5) ? pick(members) : null,
      key: `PAY-${number}`,
    };
    const issue: TrackedIssue = {
      id: id(),
      type: isEpic ? 'Epic' : pick(['Story', 'Story', 'Bug', 'Sub-task'] as const),
      title: `Wish ${number} with a \u{1f600}`,
      by: chance(0.05) ? null : pick(members),
      createdAt: iso(at),
      updatedAt: iso(at),
      first,
      changes: [],
      epic: !isEpic && chance(0.4) ? pick(epics) : null,
      labels: chance(0.3) ? ['backend'] : [],
      priority: pick(['High', 'Medium', 'Low']),
    };
    const change = <F extends keyof TrackedValues>(field: F, after: TrackedValues[F]): void => {
      const before = valueAt(issue, field, null)!;
      if (JSON.stringify(before) === JSON.stringify(after)) return;
      const made: TrackedChange<F> = { id: id(), at: iso(at), by: pick(members), field, before, after };
      issue.changes.push(made as unknown as TrackedChange);
      issue.updatedAt = made.at;
    };
    const later = (mostDays: number): void => {
      at += 61_000 + random() * mostDays * DAY_MS;
    };
    const now = () => valueAt(issue, 'sprints', null)!;
    if (isEpic) return issue;
    if (!isBornIn) {
      // Two in three before the sprint begins.
      at = chance(0.66) ? Math.max(at + 61_000, sprintStart - random() * DAY_MS) : sprintStart + random() * 8 * DAY_MS;
      change('sprints', [target.id]);
    }
    if (chance(0.4)) {
      later(3);
      change('points', pick([1, 2, 3, 5, 13, null, '-1'] as const));
    }
    at = Math.max(at, sprintStart);
    later(2);
    change('assignee', pick(members));
    change('status', 'doing');
    if (chance(0.15)) {
      later(1);
      change(
        'sprints',
        now().filter((sprint) => sprint !== target.id),
      );
      if (chance(0.6)) {
        later(1);
        change('sprints', [...now(), target.id]);
      }
    }
    if (chance(0.5)) {
      later(2);
      change('status', size.hasLegacy && chance(0.3) ? 'legacy' : 'review');
    }
    const finishes: readonly TrackedStatus[] = ['done', 'done', 'closed'];
    if (chance(0.75)) {
      later(5);
      change('status', pick(finishes));
      if (chance(0.2)) {
        later(3);
        change('status', 'closed');
      }
      if (chance(0.2)) {
        later(3);
        change('points', pick([1, 2, 8, null]));
      }
    }
    const next = sprints[sprints.indexOf(target) + 1];
    const status = valueAt(issue, 'status', null)!;
    if (status !== 'done' && status !== 'closed' && next !== undefined) {
      // Carried over when the sprint is closed.
      at = Math.max(at + 61_000, sprintEnd + 1_000);
      change('sprints', size.isSingle ? [next.id] : [...now(), next.id]);
      if (chance(0.5)) {
        later(6);
        change('status', 'done');
      }
    } else if (chance(0.15)) {
      at = Math.max(at, sprintEnd);
      later(4);
      change('status', 'doing');
      if (chance(0.6)) {
        later(4);
        change('status', 'done');
      }
    }
    if (number % 17 === 0) {
      later(1);
      change('key', `NEW-${number}`);
    }
    return issue;
  };

  for (let number = 1; number <= size.issues; number += 1) {
    const issue = makeIssue(number);
    issues.push(issue);
    if (issue.type === 'Epic') epics.push(issue);
  }
  return { members, boards, sprints, issues, project: { id: 10_001, key: 'PAY', name: 'Payments' } };
}
