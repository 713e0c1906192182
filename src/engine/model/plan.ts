// What to walk and what to emit of it: the commits in order, which of them are new, and from where on they
// are read for their answers only. Commits of other branches stand among those of the default branch, each behind its
// children and right before the first of its ancestors there: one walk answers the questions of all branches, and few
// of them are open at a time.
import type { ListedCommit } from '../git/list-commits.ts';
import { type CommitList, joinLists, listOf } from './commit-list.ts';

/** The new commits, which can be read before those that earlier walks know are listed. */
export interface NewCommits {
  readonly commits: CommitList;
  /** New ones that are of use for their answers only: they stand in front of the known ones. */
  readonly older: CommitList;
  /** 1 for a commit whose facts are wanted. */
  readonly isEmitted: Uint8Array;
  /** 1 for a commit that the heads do not lead to, but other branches do. */
  readonly isOther: Uint8Array;
  /** 1 for a commit that the tree is stepped back over: one of the heads', up to the last of these emitted. */
  readonly isStepped: Uint8Array;
  /** 1 for a first parent among those. */
  readonly isFirstParent: Uint8Array;
  /** Seconds since 1970; commits before it are outside the window. Null: no window. */
  readonly since: number | null;
}

/** With what is said of the new commits for all of them. */
export interface WalkPlan extends Omit<NewCommits, 'older'> {
  /** From this position on only commits that touch an open path are read. */
  readonly olderFrom: number;
  /**
   * The latest committed time at or after each position, which shows when a question has become hopeless; null where none
   * does, because there is no window.
   */
  readonly latestFrom: Float64Array | null;
}

export interface PlanInput {
  readonly fresh: readonly ListedCommit[];
  /** New commits of other branches; none of them is among the others. */
  readonly others?: readonly ListedCommit[];
  readonly since: number | null;
  readonly isComplete: (sha: string) => boolean;
  /** Where the first parents begin; null: duplicates are not looked for. */
  readonly firstParentsFrom: string | null;
}

export function planNew({ fresh, others = [], since, isComplete, firstParentsFrom }: PlanInput): NewCommits {
  const isWanted = ({ sha, committedAt }: ListedCommit): boolean =>
    (since === null || committedAt >= since) && !isComplete(sha);
  const lastWanted = fresh.findLastIndex(isWanted);
  // Where other branches alone have something new, the commits of the heads are of use for their answers only.
  const [read, older] = lastWanted < 0 ? [[], fresh] : [fresh, []];
  const woven = others.length === 0 ? read : weave(read, others, lastWanted + 1);
  const commits = listOf(woven);
  const isEmitted = Uint8Array.from(woven, (commit) => (isWanted(commit) ? 1 : 0));
  const isOther = new Uint8Array(commits.length);
  for (const { sha } of others) isOther[commits.find(sha)] = 1;
  const lastStepped = lastWanted < 0 ? -1 : commits.find(fresh[lastWanted]!.sha);
  const isStepped = isOther.map((other, i) => (other === 0 && i <= lastStepped ? 1 : 0));
  const isFirstParent = new Uint8Array(commits.length);
  let at = firstParentsFrom === null ? -1 : commits.find(firstParentsFrom);
  while (at >= 0 && at <= lastStepped) {
    isFirstParent[at] = 1;
    at = commits.firstParentOf(at);
  }
  return { commits, older: listOf(older), isEmitted, isOther, isStepped, isFirstParent, since };
}

/** `known`: the commits of earlier walks, which follow the new ones. */
export function planWalk(planned: NewCommits, known: CommitList): WalkPlan {
  const { older, since } = planned;
  const olderFrom = planned.commits.length;
  const commits = joinLists(planned.commits, joinLists(older, known));
  const latestFrom = since === null ? null : new Float64Array(commits.length + 1).fill(Number.NEGATIVE_INFINITY);
  if (latestFrom !== null)
    for (let i = commits.length - 1; i >= 0; i--) latestFrom[i] = Math.max(latestFrom[i + 1]!, commits.committedAt(i));
  const ofAll = (ofNew: Uint8Array): Uint8Array => {
    const all = new Uint8Array(commits.length);
    all.set(ofNew);
    return all;
  };
  return {
    commits,
    isEmitted: ofAll(planned.isEmitted),
    isOther: ofAll(planned.isOther),
    isStepped: ofAll(planned.isStepped),
    isFirstParent: ofAll(planned.isFirstParent),
    olderFrom,
    since,
    latestFrom,
  };
}

/**
 * Puts each of the others as late among the commits as its parents allow, which keeps its questions open for the shortest
 * time, but no later than `end`: what stands behind may not have to be read at all.
 */
function weave(
  commits: readonly ListedCommit[],
  others: readonly ListedCommit[],
  end: number,
): readonly ListedCommit[] {
  const places = new Map<string, number>();
  for (let i = 0; i < end; i++) places.set(commits[i]!.sha, i);
  for (const { sha, parents } of others.toReversed()) {
    let place = end;
    for (const parent of parents) place = Math.min(place, places.get(parent) ?? end);
    places.set(sha, place);
  }
  // A stable sort: of those with the same place children stay before parents.
  const sorted = others.toSorted((a, b) => places.get(a.sha)! - places.get(b.sha)!);
  const woven: ListedCommit[] = [];
  let next = 0;
  for (let i = 0; i <= commits.length; i++) {
    while (next < sorted.length && places.get(sorted[next]!.sha) === i) woven.push(sorted[next++]!);
    if (i < commits.length) woven.push(commits[i]!);
  }
  return woven;
}
