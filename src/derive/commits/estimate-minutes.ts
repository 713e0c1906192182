// Estimated minutes of coding for each commit of one person: the time since their commit before, in whatever
// repo, so that no span counts twice. A day's first commit counts from four hours before the time at which
// the person's days of the last 90 typically had their first.

export interface TimedCommit {
  readonly id: number;
  /** Day number and minute of the day, in the entity's zone. */
  readonly day: number;
  readonly minute: number;
}

const MOST_MINUTES = 240;
const LEAST_MINUTES = 5;
const LEAD_MINUTES = 240;
const WINDOW_DAYS = 90;

/** In order of time. `opensAtMinute` stands in for a habit that is not known yet. */
export function estimateMinutes(commits: readonly TimedCommit[], opensAtMinute: number): number[] {
  const firsts: { day: number; minute: number }[] = [];
  let windowStart = 0;
  let previous: TimedCommit | null = null;
  return commits.map((commit) => {
    let gap: number;
    if (previous !== null && previous.day === commit.day) gap = commit.minute - previous.minute;
    else {
      while (windowStart < firsts.length && firsts[windowStart]!.day < commit.day - WINDOW_DAYS) windowStart += 1;
      const habit = firsts.slice(windowStart).map(({ minute }) => minute);
      const dayStart = habit.length === 0 ? opensAtMinute : median(habit) - LEAD_MINUTES;
      gap = commit.minute - dayStart;
      firsts.push({ day: commit.day, minute: commit.minute });
    }
    previous = commit;
    return Math.round(Math.min(MOST_MINUTES, Math.max(LEAST_MINUTES, gap)));
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
