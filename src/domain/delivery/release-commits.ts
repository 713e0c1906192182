// Commits of a release: the ancestors of its release commit that no earlier release of the repo holds.
// The first known release is a baseline: it holds the past, and is no measurement of anything.

export interface ReleasePoint {
  readonly id: number;
  /** Null while the release commit is not known. */
  readonly sha: string | null;
}

export interface HistoryCommit {
  readonly id: number;
  readonly parents: readonly string[];
  readonly isCounted: boolean;
}

export interface AssignedCommits {
  /** Commit id → the release that held it first. */
  readonly byCommit: Map<number, number>;
  readonly byRelease: Map<number, { readonly isBaseline: boolean; readonly commitCount: number }>;
}

/** `releases` in the order of time. Commits outside of `history` end the walk. */
export function assignCommits(
  releases: readonly ReleasePoint[],
  history: ReadonlyMap<string, HistoryCommit>,
): AssignedCommits {
  const byCommit = new Map<number, number>();
  const byRelease: AssignedCommits['byRelease'] = new Map();
  // Until a release is found in the history, nobody knows what was shipped before.
  let isBaseline = true;
  for (const { id, sha } of releases) {
    let count = 0;
    const open = sha === null ? [] : [sha];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const commit = history.get(next);
      if (commit === undefined || byCommit.has(commit.id)) continue;
      byCommit.set(commit.id, id);
      if (commit.isCounted) count++;
      open.push(...commit.parents);
    }
    byRelease.set(id, { isBaseline, commitCount: isBaseline ? 0 : count });
    if (sha !== null && history.has(sha)) isBaseline = false;
  }
  return { byCommit, byRelease };
}
