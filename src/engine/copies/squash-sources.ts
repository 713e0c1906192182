// Finds the branch commits that a squash on the default branch took in. The evidence is lines, with their files: each
// source has most of its added lines in the squash, and all of them together explain the squash. A draft, of which
// the branch itself rewrote most before the end, needs one line in the squash. A message is no evidence, and neither
// is a commit without lines.
//
//   main    o───────────────S     S adds  a b c d
//            \
//   topic     x──y──z             x adds  a q r    y removes q r, adds b c    z adds d
//
// y and z have all their lines in S and explain most of it; x is a draft: a stands in S, y rewrote q and r.
import type { BranchGraph } from './branch-graph.ts';
import { COPY_RULES, type Linked, link, rootOf } from './linked-commit.ts';
import { fullUpTo, isAddedLine, otherSide, overlap } from './min-hash.ts';
import { isEarlier, type MaybeSquash } from './squash-candidates.ts';

/** The commits that may be sources. */
export const listOpen = (commits: readonly Linked[], released: ReadonlySet<Linked>): readonly Linked[] =>
  commits.filter((commit) => isOpen(commit) && !released.has(commit));

export interface SquashSearch {
  readonly open: readonly Linked[];
  readonly graph: BranchGraph;
  readonly released: ReadonlySet<Linked>;
  /** Commits of the default branch that share lines with an open one. */
  readonly candidates: { of(source: Linked): readonly Linked[] };
}

export function linkSquashSources({ open, graph, released, candidates }: SquashSearch): void {
  const members = new Map<Linked, Linked[]>();
  for (const source of open) {
    if (source.isRevert) continue;
    for (const squash of candidates.of(source)) {
      // What costs least comes first: there are very many pairs.
      if (isOlder(squash, source) || !isMember(source, squash) || graph.contains(source, squash)) continue;
      members.set(squash, [...(members.get(squash) ?? []), source]);
    }
  }
  for (const [squash, sources] of chooseSquash(members, graph)) {
    for (const set of splitByBranch(sources, graph)) {
      if (!explains(set, squash)) continue;
      for (const source of [...set, ...findDrafts(set, squash, graph, released)]) link(source, squash, 'squash_source');
    }
  }
  renamePicked(open);
}

function isOpen(commit: Linked): boolean {
  return commit.of === null && !commit.isMerge && !commit.isOnDefaultBranch && commit.minHash.lineCount > 0;
}

/** A squash is newer than its source, which does not build upon it. */
function isPossible(source: Linked, squash: Linked, graph: BranchGraph): boolean {
  return !isOlder(squash, source) && !graph.contains(source, squash);
}

export const isOlder = (squash: MaybeSquash, source: Linked): boolean =>
  squash.committedAt + COPY_RULES.clockSkewSeconds < source.authoredAt;

/** Whether most of the lines that the source added stand in the squash, which added them in the same files. */
const isMember = (source: Linked, squash: Linked): boolean =>
  holdsLines(
    source,
    squash,
    isSharedAuthor(source, squash) ? COPY_RULES.squashOverlapSameAuthor : COPY_RULES.squashOverlap,
  );

/** The same where it is not known who wrote the squash. */
export const mayBeMember = (source: Linked, squash: MaybeSquash): boolean =>
  holdsLines(source, squash, COPY_RULES.squashOverlapSameAuthor);

function holdsLines(source: Linked, squash: MaybeSquash, needed: number): boolean {
  const { compared, found } = overlap(source.minHash, squash.minHash, 'added');
  return found > 0 && found / compared >= needed;
}

function isSharedAuthor(source: Linked, squash: Linked): boolean {
  return squash.author === source.author || squash.coAuthors.includes(source.author);
}

/** Each source with one squash: the one that holds most of its lines among those that its branch explains. */
function chooseSquash(members: ReadonlyMap<Linked, Linked[]>, graph: BranchGraph): Map<Linked, Linked[]> {
  const best = new Map<Linked, { squash: Linked; found: number }>();
  for (const [squash, sources] of members) {
    for (const set of splitByBranch(sources, graph)) {
      if (!explains(set, squash)) continue;
      for (const source of set) {
        const { found } = overlap(source.minHash, squash.minHash, 'added');
        const other = best.get(source);
        const isBetter =
          other === undefined || found > other.found || (found === other.found && isEarlier(squash, other.squash));
        if (isBetter) best.set(source, { squash, found });
      }
    }
  }
  const chosen = new Map<Linked, Linked[]>();
  for (const [source, { squash }] of best) chosen.set(squash, [...(chosen.get(squash) ?? []), source]);
  return chosen;
}

/** Sources of one branch together: those below a source that lies below no other. A fork is part of two sets. */
function splitByBranch(sources: readonly Linked[], graph: BranchGraph): Linked[][] {
  const below = new Map(sources.map((source) => [source, graph.branchBelow(source) ?? new Set([source])]));
  const tips = sources.filter((tip) => !sources.some((other) => other !== tip && below.get(other)!.has(tip)));
  return tips.map((tip) => sources.filter((source) => below.get(tip)!.has(source)));
}

/** Whether the sources together have written most of what the squash added. */
function explains(sources: readonly Linked[], squash: Linked): boolean {
  const limit = Math.min(fullUpTo(squash.minHash), ...sources.map(({ minHash }) => fullUpTo(minHash)));
  const written = new Set<number>();
  for (const { minHash } of sources) for (const hash of minHash.hashes) written.add(hash);
  let compared = 0;
  let found = 0;
  for (const hash of squash.minHash.hashes) {
    if (hash > limit) break;
    if (!isAddedLine(hash)) continue;
    compared += 1;
    if (written.has(hash)) found += 1;
  }
  const isShared = sources.some((source) => isSharedAuthor(source, squash));
  const needed = isShared ? COPY_RULES.squashExplainedSameAuthor : COPY_RULES.squashExplained;
  return found >= COPY_RULES.squashLines && found / compared >= needed;
}

/**
 * Commits of the branch below the sources that have something in the squash, and whose other lines the sources above
 * removed again. A commit of which nothing is left counts: nothing but its place says that the squash took it in.
 */
function findDrafts(
  sources: readonly Linked[],
  squash: Linked,
  graph: BranchGraph,
  released: ReadonlySet<Linked>,
): Linked[] {
  const known = new Set(sources);
  const tip = sources.find((source) => sources.every((other) => graph.branchBelow(source)?.has(other) ?? false));
  if (tip === undefined) return [];
  const rewritten = new Set<number>();
  const drafts: Linked[] = [];
  for (const commit of graph.branchBelow(tip) ?? []) {
    const isSource = known.has(commit);
    if (!isSource) {
      if (!isOpen(commit) || commit.isRevert || released.has(commit)) continue;
      if (!isDraft(commit, squash, rewritten) || !isPossible(commit, squash, graph)) continue;
      drafts.push(commit);
    }
    for (const hash of commit.minHash.hashes) if (!isAddedLine(hash)) rewritten.add(otherSide(hash));
  }
  return drafts;
}

function isDraft({ minHash }: Linked, squash: Linked, rewritten: ReadonlySet<number>): boolean {
  const { compared, found } = overlap(minHash, squash.minHash, 'added');
  if (found === 0) return false;
  const limit = Math.min(fullUpTo(minHash), fullUpTo(squash.minHash));
  const there = new Set(squash.minHash.hashes);
  const gone = minHash.hashes.filter(
    (hash) => hash <= limit && isAddedLine(hash) && !there.has(hash) && rewritten.has(hash),
  );
  return (found + gone.length) / compared >= COPY_RULES.squashDraftOverlap;
}

/** A squash of one commit that is most of it was picked. */
function renamePicked(open: readonly Linked[]): void {
  const sources = new Map<Linked, Linked[]>();
  for (const commit of open) {
    if (commit.why !== 'squash_source') continue;
    const squash = rootOf(commit);
    sources.set(squash, [...(sources.get(squash) ?? []), commit]);
  }
  for (const [squash, [only, ...others]] of sources) {
    if (only === undefined || others.length > 0) continue;
    const back = overlap(squash.minHash, only.minHash);
    if (back.found > 0 && back.found / back.compared >= COPY_RULES.pickedSimilarity) only.why = 'cherry_pick_copy';
  }
}
