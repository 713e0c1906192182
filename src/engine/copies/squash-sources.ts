// Finds the branch commits that a squash on the default branch took in. A source's lines stand, nearly all,
// in one later commit of the default branch; what the branch itself rewrote later is gone from the squash,
// so commits beside a found source, below it, or listed in the squash's message need less overlap.

import { type LineSketch, overlap } from './line-sketch.ts';
import { COPY_RULES, type Linked, link, rootOf } from './linked-commit.ts';

/** `commits` in order of precedence, merges included: a branch may have merged the default branch in between. */
export function linkSquashSources(commits: readonly Linked[]): void {
  const open = commits.filter((commit) => !commit.isOnDefaultBranch);
  if (open.length === 0) return;
  const candidatesOf = createCandidateIndex(commits, open);
  const children = childrenBySha(open);
  const found: Linked[] = [];
  const sources = open.filter((commit) => !commit.isMerge && !commit.isRevert);
  for (const source of sources) {
    if (source.of !== null) {
      // Rebased onto the default branch one by one; a neighbour may still have been folded in.
      if (rootOf(source).isOnDefaultBranch) found.push(source);
      continue;
    }
    const squash = bestSquash(source, candidatesOf(source));
    if (squash === null) continue;
    link(source, squash, 'squash_source');
    found.push(source);
  }
  linkListed(commits, sources, found);
  linkNeighbours(commits, children, found);
  renamePicked(open);
}

function bestSquash(source: Linked, candidates: Iterable<Linked>): Linked | null {
  if (source.sketch.lineCount < COPY_RULES.squashLines) return null;
  let best: Linked | null = null;
  let bestFound = 0;
  for (const squash of candidates) {
    if (!isPossible(source, squash)) continue;
    const isShared = isSharedAuthor(source, squash);
    const part = isShared ? COPY_RULES.squashPartSameAuthor : COPY_RULES.squashPart;
    if (source.sketch.lineCount < part * squash.sketch.lineCount) continue;
    const { compared, found } = overlap(source.sketch, squash.sketch);
    const needed = isShared ? COPY_RULES.squashOverlapSameAuthor : COPY_RULES.squashOverlap;
    if (compared < COPY_RULES.squashLines || found / compared < needed) continue;
    const isBetter = best === null || found > bestFound || (found === bestFound && isEarlier(squash, best));
    if (!isBetter) continue;
    best = squash;
    bestFound = found;
  }
  return best;
}

/** A squash that lists the source's subject, by the same people: little overlap is enough, or no lines at all. */
function linkListed(commits: readonly Linked[], sources: readonly Linked[], found: Linked[]): void {
  const bySubject = new Map<string, Linked[]>();
  for (const squash of commits) {
    if (!squash.isOnDefaultBranch || squash.isMerge) continue;
    for (const subject of squash.listed)
      bySubject.set(subject, [...(bySubject.get(subject) ?? []).slice(0, 15), squash]);
  }
  for (const source of sources) {
    if (source.of !== null) continue;
    for (const squash of bySubject.get(source.subject) ?? []) {
      if (!isPossible(source, squash) || !isSharedAuthor(source, squash)) continue;
      const { compared, found: shared } = overlap(source.sketch, squash.sketch);
      if (compared > 0 && shared === 0) continue;
      link(source, squash, 'squash_source');
      found.push(source);
      break;
    }
  }
}

/**
 * Spreads from each found source along its branch. Upwards goes what shows in the squash's lines. Downwards
 * goes the whole rest of the branch, if most of the branch's lines are in the squash: what it rewrote
 * before the end is not. A release branch that shares one commit with the default branch stays as it is.
 */
function linkNeighbours(commits: readonly Linked[], children: ReadonlyMap<string, Linked[]>, found: Linked[]): void {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const queue = [...found];
  for (let next = 0; next < queue.length; next += 1) {
    const squash = rootOf(queue[next]!);
    for (const child of children.get(queue[next]!.sha) ?? []) {
      if (!isOpen(child) || child.isRevert || !isPossible(child, squash) || !showsIn(child.sketch, squash.sketch))
        continue;
      link(child, squash, 'squash_source');
      queue.push(child);
    }
  }
  // Tips first, so that a branch is judged as a whole.
  for (const tip of queue.reverse()) {
    if (tip.why !== 'squash_source') continue;
    const squash = rootOf(tip);
    const branch = branchBelow(tip, bySha);
    if (branch === null || !branch.some(isOpen)) continue;
    const total = { compared: 0, found: 0 };
    for (const commit of branch) {
      const shared = overlap(commit.sketch, squash.sketch);
      total.compared += shared.compared;
      total.found += shared.found;
    }
    if (total.found < total.compared * COPY_RULES.squashOverlapBranch) continue;
    for (const commit of branch)
      if (isOpen(commit) && isPossible(commit, squash)) link(commit, squash, 'squash_source');
  }
}

/** The commit and what lies below it off the default branch, merges aside; null when that is no topic branch. */
function branchBelow(tip: Linked, bySha: ReadonlyMap<string, Linked>): Linked[] | null {
  const seen = new Set([tip]);
  for (const commit of seen) {
    for (const sha of commit.parents) {
      const parent = bySha.get(sha);
      if (parent !== undefined && !parent.isOnDefaultBranch) seen.add(parent);
    }
    if (seen.size > COPY_RULES.squashBranchCommits) return null;
  }
  return [...seen].filter((commit) => !commit.isMerge);
}

function isOpen(commit: Linked): boolean {
  return commit.of === null && !commit.isMerge && !commit.isOnDefaultBranch;
}

function showsIn(part: LineSketch, whole: LineSketch): boolean {
  const { compared, found } = overlap(part, whole);
  return compared > 0 && found / compared >= COPY_RULES.squashOverlapNeighbour;
}

function isPossible(source: Linked, squash: Linked): boolean {
  return (
    squash.isOnDefaultBranch &&
    !squash.isMerge &&
    !squash.isRevert &&
    squash.committedAt + COPY_RULES.clockSkewSeconds >= source.authoredAt
  );
}

function isSharedAuthor(source: Linked, squash: Linked): boolean {
  return squash.author === source.author || squash.coAuthors.includes(source.author);
}

function isEarlier(a: Linked, b: Linked): boolean {
  return a.committedAt !== b.committedAt ? a.committedAt < b.committedAt : a.sha < b.sha;
}

/** A squash of one commit that is most of it is no squash. */
function renamePicked(open: readonly Linked[]): void {
  const sources = new Map<Linked, Linked[]>();
  for (const commit of open) {
    if (commit.why !== 'squash_source') continue;
    const squash = rootOf(commit);
    sources.set(squash, [...(sources.get(squash) ?? []), commit]);
  }
  for (const [squash, [only, ...others]] of sources) {
    if (only === undefined || others.length > 0) continue;
    const back = overlap(squash.sketch, only.sketch);
    if (back.found > 0 && back.found / back.compared >= COPY_RULES.pickedSimilarity) only.why = 'cherry_pick_copy';
  }
}

function childrenBySha(open: readonly Linked[]): Map<string, Linked[]> {
  const children = new Map<string, Linked[]>();
  for (const commit of open) {
    for (const parent of commit.parents) {
      const list = children.get(parent);
      if (list === undefined) children.set(parent, [commit]);
      else list.push(commit);
    }
  }
  return children;
}

/**
 * Line hash → default-branch commits, for the hashes that some open commit has: its size depends on the
 * branches, not on the history. Lines of many commits are left out.
 */
function createCandidateIndex(
  commits: readonly Linked[],
  open: readonly Linked[],
): (source: Linked) => readonly Linked[] {
  const postings = new Map<number, Linked[]>();
  for (const commit of open) {
    if (commit.of === null && !commit.isMerge) for (const hash of commit.sketch.hashes) postings.set(hash, []);
  }
  for (const squash of commits) {
    if (!squash.isOnDefaultBranch || squash.isMerge || squash.isRevert) continue;
    for (const hash of squash.sketch.hashes) {
      const list = postings.get(hash);
      if (list !== undefined && list.length <= COPY_RULES.commonLineCommits) list.push(squash);
    }
  }
  return (source) => {
    const shared = new Map<Linked, number>();
    for (const hash of source.sketch.hashes) {
      const list = postings.get(hash) ?? [];
      if (list.length > COPY_RULES.commonLineCommits) continue;
      for (const squash of list) shared.set(squash, (shared.get(squash) ?? 0) + 1);
    }
    return [...shared]
      .sort(([a, many], [b, more]) => more - many || (isEarlier(a, b) ? -1 : 1))
      .slice(0, COPY_RULES.squashCandidates)
      .map(([squash]) => squash);
  };
}
