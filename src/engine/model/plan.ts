// What to walk and what to emit of it: the commits in order, which of them are new, and from where on they
// are read for their answers only.
import type { ListedCommit } from '../git/list-commits.ts';

export interface WalkPlan {
  /** Children before parents. The commits already known follow the new ones. */
  readonly commits: readonly ListedCommit[];
  /** 1 for a commit whose facts are wanted. */
  readonly isEmitted: Uint8Array;
  /** 1 for a first parent over which the tree is stepped back, up to the last one emitted. */
  readonly isFirstParent: Uint8Array;
  /** From this position on only commits that touch an open path are read. */
  readonly olderFrom: number;
  /** Seconds since 1970; commits before it are outside the window. Null: no window. */
  readonly since: number | null;
  /** Position of each sha. */
  readonly positions: ReadonlyMap<string, number>;
  /** The latest committed time at or after each position, which shows when a question has become hopeless. */
  readonly latestFrom: Float64Array;
}

export interface PlanInput {
  readonly fresh: readonly ListedCommit[];
  readonly known: readonly ListedCommit[];
  readonly since: number | null;
  readonly isComplete: (sha: string) => boolean;
  /** Where the first parents begin; null: duplicates are not looked for. */
  readonly firstParentsFrom: string | null;
}

export function planWalk({ fresh, known, since, isComplete, firstParentsFrom }: PlanInput): WalkPlan {
  const commits = known.length === 0 ? fresh : [...fresh, ...known];
  const isEmitted = new Uint8Array(commits.length);
  const positions = new Map<string, number>();
  const latestFrom = new Float64Array(commits.length + 1).fill(Number.NEGATIVE_INFINITY);
  for (let i = commits.length - 1; i >= 0; i--) {
    const commit = commits[i]!;
    positions.set(commit.sha, i);
    latestFrom[i] = Math.max(latestFrom[i + 1]!, commit.committedAt);
    isEmitted[i] =
      i < fresh.length && (since === null || commit.committedAt >= since) && !isComplete(commit.sha) ? 1 : 0;
  }
  const isFirstParent = new Uint8Array(commits.length);
  const lastEmitted = isEmitted.lastIndexOf(1);
  let at = firstParentsFrom === null ? undefined : positions.get(firstParentsFrom);
  while (at !== undefined && at <= lastEmitted) {
    isFirstParent[at] = 1;
    at = positions.get(commits[at]!.parents[0] ?? '');
  }
  return { commits, isEmitted, isFirstParent, olderFrom: fresh.length, since, positions, latestFrom };
}
