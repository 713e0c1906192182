// The commits off the default branch as a graph: what lies below a commit, and what it builds upon.
import type { Bystander } from './default-branch.ts';
import { COPY_RULES, type Linked } from './linked-commit.ts';

/** All commits off the default branch are linked ones. */
export type GraphCommit = Linked | Bystander;
type ParentsOf = (commit: GraphCommit) => readonly GraphCommit[];

export interface BranchGraph {
  /** The commit and all below it off the default branch, children before parents; null when that is no topic branch. */
  branchBelow(tip: Linked): ReadonlySet<Linked> | null;
  /** Whether `older` is among the commits that `commit` builds upon. */
  contains(commit: Linked, older: Linked): boolean;
}

export function createBranchGraph(find: (sha: string) => GraphCommit | undefined): BranchGraph {
  const found = new Map<GraphCommit, readonly GraphCommit[]>();
  // Branches overlap, and a walk down one of them asks for the same commits as the walks before it.
  const parentsOf: ParentsOf = (commit) => {
    let parents = found.get(commit);
    if (parents === undefined) {
      parents = commit.parents.flatMap((sha) => find(sha) ?? []);
      found.set(commit, parents);
    }
    return parents;
  };
  const branches = new Map<Linked, ReadonlySet<Linked> | null>();
  const lengths = new Map<GraphCommit, number>();
  return {
    branchBelow(tip) {
      let branch = branches.get(tip);
      if (branch === undefined) {
        branch =
          lengthBelow(tip, parentsOf, lengths) > COPY_RULES.squashBranchCommits ? null : collectBranch(tip, parentsOf);
        branches.set(tip, branch);
      }
      return branch;
    },
    contains(commit, older) {
      // Whatever the default branch builds upon is on it.
      if (commit.isOnDefaultBranch && !older.isOnDefaultBranch) return false;
      const from = older.committedAt - COPY_RULES.clockSkewSeconds;
      const seen = new Set(parentsOf(commit));
      for (const each of seen) {
        if (each === older) return true;
        for (const parent of parentsOf(each)) if (parent.committedAt >= from) seen.add(parent);
      }
      return false;
    },
  };
}

/** How many commits off the default branch its first parents lead through: of a release branch that tells enough. */
function lengthBelow(tip: Linked, parentsOf: ParentsOf, lengths: Map<GraphCommit, number>): number {
  const above: GraphCommit[] = [];
  let commit: GraphCommit | undefined = tip;
  while (commit !== undefined && !commit.isOnDefaultBranch && !lengths.has(commit)) {
    above.push(commit);
    commit = parentsOf(commit)[0];
  }
  let length = commit === undefined ? 0 : (lengths.get(commit) ?? 0);
  while (above.length > 0) lengths.set(above.pop()!, ++length);
  return length;
}

/** In the order of Kahn: a commit comes when all its children inside the branch have come. */
function collectBranch(tip: Linked, parentsOf: ParentsOf): ReadonlySet<Linked> | null {
  const waiting = new Map<Linked, number>();
  const reached = new Set([tip]);
  for (const commit of reached) {
    for (const parent of parentsOf(commit)) {
      if (parent.isOnDefaultBranch) continue;
      waiting.set(parent, (waiting.get(parent) ?? 0) + 1);
      reached.add(parent);
    }
    if (reached.size > COPY_RULES.squashBranchCommits) return null;
  }
  const ordered = new Set([tip]);
  for (const commit of ordered) {
    for (const parent of parentsOf(commit)) {
      if (parent.isOnDefaultBranch) continue;
      const left = waiting.get(parent)! - 1;
      waiting.set(parent, left);
      if (left === 0) ordered.add(parent);
    }
  }
  return ordered;
}
