// The commits off the default branch as a graph: what lies below a commit, and where it left the default branch.
import { COPY_RULES, type Linked } from './linked-commit.ts';

export interface BranchGraph {
  /** The commit and all below it off the default branch, children before parents; null when that is no topic branch. */
  branchBelow(tip: Linked): ReadonlySet<Linked> | null;
  /** Seconds since 1970: the newest commit of the default branch that the commit builds upon; 0 when none is known. */
  basedAt(commit: Linked): number;
}

export function createBranchGraph(commits: readonly Linked[]): BranchGraph {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const parentsOf = (commit: Linked): Linked[] => commit.parents.flatMap((sha) => bySha.get(sha) ?? []);
  const branches = new Map<Linked, ReadonlySet<Linked> | null>();
  const bases = new Map<Linked, number>();
  return {
    branchBelow(tip) {
      let branch = branches.get(tip);
      if (branch === undefined) {
        branch = collectBranch(tip, parentsOf);
        branches.set(tip, branch);
      }
      return branch;
    },
    basedAt(commit) {
      const path = [commit];
      // A path of its own instead of recursion: a branch may be as long as a history.
      while (path.length > 0) {
        const top = path.at(-1)!;
        const parents = parentsOf(top);
        const unknown = parents.find((parent) => !parent.isOnDefaultBranch && !bases.has(parent));
        if (unknown !== undefined) {
          path.push(unknown);
          continue;
        }
        const times = parents.map((parent) => (parent.isOnDefaultBranch ? parent.committedAt : bases.get(parent)!));
        bases.set(top, Math.max(0, ...times));
        path.pop();
      }
      return bases.get(commit)!;
    },
  };
}

/** In the order of Kahn: a commit comes when all its children inside the branch have come. */
function collectBranch(tip: Linked, parentsOf: (commit: Linked) => Linked[]): ReadonlySet<Linked> | null {
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
