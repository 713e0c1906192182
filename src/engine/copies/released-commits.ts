// The commits off the default branch that belong to released work. A release line is never the source of a squash:
// its commits shipped as they are, and its releases would show none of them.
import { childrenOf, type Linked } from './linked-commit.ts';

/**
 * Everything off the default branch below a released commit, because it shipped with it, and everything above, because
 * the branch goes on as the release line that it is.
 */
export function findReleased(commits: readonly Linked[], released: Iterable<string>): ReadonlySet<Linked> {
  const open = commits.filter((commit) => !commit.isOnDefaultBranch);
  const bySha = new Map(open.map((commit) => [commit.sha, commit]));
  const heads = [...released].flatMap((sha) => bySha.get(sha) ?? []);
  if (heads.length === 0) return new Set();
  const below = new Set(heads);
  for (const commit of below) for (const sha of commit.parents) addIfKnown(below, bySha.get(sha));
  const children = childrenOf(open);
  const above = new Set(heads);
  for (const commit of above) for (const child of children.get(commit.sha) ?? []) above.add(child);
  return new Set([...below, ...above]);
}

function addIfKnown(set: Set<Linked>, commit: Linked | undefined): void {
  if (commit !== undefined) set.add(commit);
}
