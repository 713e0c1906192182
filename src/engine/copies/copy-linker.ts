// Counts work once: finds which commits repeat others, and says which of them counts.
//
//   const linker = createCopyLinker();
//   const verdict = linker.add(candidate);   // at once: merge or not; copies are found by resolve()
//   const changes = linker.resolve();         // every commit whose verdict is not what was last said
//
// The default branch's commit counts; among copies that are all off it, the earliest (authored, sha). The
// verdicts depend on the set of commits added, not on their order, so an import in slices ends like one at
// once: for the next slice add the earlier commits again from storage (patch id, stored min-hash, message,
// and the verdict last stored as `known`), then the new ones, and write what resolve() returns.
//
// Evidence, strongest first: a code host says which commit landed it; the message names its source; equal patch and equal author and authored time;
// equal patch of enough lines; equal author, time and subject with overlapping lines (a rebase with
// conflicts); equal title with overlapping lines (a backport); the lines
// of several commits of a branch in one later commit of the default branch that they explain (squash-sources.ts).
import { type BranchGraph, createBranchGraph } from './branch-graph.ts';
import {
  byPrecedence,
  COPY_RULES,
  type CopyCandidate,
  type CopyVerdict,
  type Linked,
  type LinkReason,
  link,
  rootOf,
} from './linked-commit.ts';
import { isUndoing, readCopySources, readSubject, readTitle } from './message-links.ts';
import { overlap } from './min-hash.ts';
import { findReleased } from './released-commits.ts';
import { linkSquashSources } from './squash-sources.ts';

export interface CopyLinker {
  add(candidate: CopyCandidate): CopyVerdict;
  resolve(): CopyVerdict[];
}

export interface CopyLinkerOptions {
  /** Lines are compared between branches only: where there is one branch they are not kept. */
  readonly isOneBranch?: boolean;
  /** Full shas of commits that were released: what tags of releases and release branches lead to. */
  readonly released?: Iterable<string>;
  /** What a code host says: which commit landed which. It decides alone. */
  readonly landed?: Iterable<LandedLink>;
}

/** Full shas. */
export interface LandedLink {
  readonly source: string;
  readonly landing: string;
  readonly why: LinkReason;
}

const NONE: readonly string[] = [];
const NO_LINES = new Uint32Array(0);

/** A part of a text keeps all of it in memory; this keeps none. */
const ownText = (part: string): string => Buffer.from(part).toString();
const ownList = (parts: readonly string[]): readonly string[] => (parts.length === 0 ? NONE : parts.map(ownText));

export function createCopyLinker({
  isOneBranch = false,
  released = NONE,
  landed = [],
}: CopyLinkerOptions = {}): CopyLinker {
  const commits = new Map<string, Linked>();
  return {
    add(candidate) {
      const { message } = candidate;
      // Written out: spreading is many times slower, and every commit passes here.
      const linked: Linked = {
        sha: candidate.sha,
        parents: candidate.parents,
        isOnDefaultBranch: candidate.isOnDefaultBranch,
        author: candidate.author,
        coAuthors: candidate.coAuthors,
        authoredAt: candidate.authoredAt,
        committedAt: candidate.committedAt,
        patchId: candidate.patchId,
        minHash: isOneBranch ? { hashes: NO_LINES, lineCount: candidate.minHash.lineCount } : candidate.minHash,
        // The words are read now, so that no message has to be kept.
        message: '',
        subject: ownText(readSubject(message)),
        sources: ownList(readCopySources(message)),
        isRevert: isUndoing(message),
        isMerge: candidate.parents.length > 1,
        said: candidate.known ?? null,
        of: null,
        why: null,
      };
      const before = commits.get(candidate.sha);
      if (before !== undefined) linked.said = before.said;
      commits.set(candidate.sha, linked);
      return linked.said ?? firstVerdict(linked);
    },
    resolve() {
      const all = [...commits.values()].sort(byPrecedence);
      for (const commit of all) {
        commit.of = null;
        commit.why = null;
      }
      const work = all.filter((commit) => !commit.isMerge);
      linkLanded(commits, landed);
      linkNamedSources(work, createShaLookup(commits));
      const graph = createBranchGraph(commits);
      linkEqualPatches(work, graph);
      // All other rules make no commit of the default branch a copy.
      if (all.some((commit) => !commit.isOnDefaultBranch)) {
        linkRebases(work);
        linkBackports(work);
        linkSquashSources(all, graph, findReleased(all, released));
      }
      const changes: CopyVerdict[] = [];
      for (const commit of all) {
        if (commit.of === null && commit.said === null) continue;
        const verdict = verdictOf(commit);
        const said = commit.said ?? firstVerdict(commit);
        if (said.not_counted === verdict.not_counted && said.derived_from === verdict.derived_from) continue;
        commit.said = verdict;
        changes.push(verdict);
      }
      return changes;
    },
  };
}

/** What is said before anything is compared; not kept, because it holds for nearly all. */
function firstVerdict({ sha, isMerge }: Linked): CopyVerdict {
  return { sha, not_counted: isMerge ? 'merge' : null, derived_from: null };
}

function verdictOf(commit: Linked): CopyVerdict {
  if (commit.isMerge) return { sha: commit.sha, not_counted: 'merge', derived_from: null };
  const counted = rootOf(commit);
  return { sha: commit.sha, not_counted: commit.why, derived_from: counted === commit ? null : counted.sha };
}

function linkLanded(commits: ReadonlyMap<string, Linked>, landed: Iterable<LandedLink>): void {
  for (const { source, landing, why } of landed) {
    const [from, to] = [commits.get(source), commits.get(landing)];
    if (from === undefined || to === undefined || from.isMerge || to.isMerge || rootOf(to) === from) continue;
    from.of = to;
    from.why = why;
  }
}

function linkNamedSources(work: readonly Linked[], find: (sha: string) => Linked | null): void {
  for (const commit of work) {
    for (const name of commit.sources) {
      const source = find(name);
      if (source === null || source === commit || source.isMerge) continue;
      if (commit.isOnDefaultBranch && source.isOnDefaultBranch) {
        // Both were merged: the one that says it is a copy is the copy.
        if (commit.of === null && rootOf(source) !== commit) {
          commit.of = source;
          commit.why = 'cherry_pick_copy';
        }
      } else link(commit, source, 'cherry_pick_copy');
    }
  }
}

/** `work` is in order of precedence, so the first commit of a kind is the one that counts. */
function linkEqualPatches(work: readonly Linked[], graph: BranchGraph): void {
  const bySignature = new Map<string, Linked>();
  const meet = (signature: string, commit: Linked, mayBothBeOnDefault: boolean): boolean => {
    const first = bySignature.get(signature);
    if (first === undefined) {
      bySignature.set(signature, commit);
      return false;
    }
    if (!mayBothBeOnDefault && first.isOnDefaultBranch && commit.isOnDefaultBranch) return false;
    // Done again on top of the first: something undid it in between.
    if (!mayBothBeOnDefault && (graph.contains(commit, first) || graph.contains(first, commit))) return false;
    if (commit.of === null) link(first, commit, 'equal_patch', mayBothBeOnDefault);
    return true;
  };
  const isRepeated = findRepeated(work, (commit) => commit.patchId);
  for (const commit of work) {
    const { patchId } = commit;
    if (patchId === null || !isRepeated.has(patchId)) continue;
    const lines = commit.minHash.lineCount;
    if (meet(`when ${patchId} ${commit.authoredAt} ${commit.author}`, commit, true)) continue;
    // Undoing an undoing brings the first patch back: new work, not a copy of it.
    const patch = commit.isRevert ? `${patchId} undone` : patchId;
    const subjectKey = `what ${patch} ${commit.author} ${commit.subject}`;
    if (lines >= COPY_RULES.equalPatchSameSubjectLines && meet(subjectKey, commit, false)) continue;
    if (lines >= COPY_RULES.equalPatchLines) meet(`patch ${patch}`, commit, false);
  }
}

/** What several commits share: that is little, and only those commits need a closer look. */
function findRepeated<T>(work: readonly Linked[], read: (commit: Linked) => T | null): ReadonlySet<T> {
  const seen = new Set<T>();
  const repeated = new Set<T>();
  for (const commit of work) {
    const value = read(commit);
    if (value === null) continue;
    if (seen.has(value)) repeated.add(value);
    else seen.add(value);
  }
  return repeated;
}

/** Author, second and subject agree but the patch does not: the conflict was resolved on the way. */
function linkRebases(work: readonly Linked[]): void {
  const first = new Map<string, Linked>();
  const isShared = findRepeated(work, ({ authoredAt }) => authoredAt);
  for (const commit of work) {
    if (commit.subject === '' || !isShared.has(commit.authoredAt)) continue;
    const key = `${commit.authoredAt} ${commit.author} ${commit.subject}`;
    const original = first.get(key);
    if (original === undefined) {
      first.set(key, commit);
      continue;
    }
    if (commit.of !== null || (original.isOnDefaultBranch && commit.isOnDefaultBranch)) continue;
    const [small, large] =
      commit.minHash.lineCount <= original.minHash.lineCount ? [commit, original] : [original, commit];
    const { compared, found } = overlap(small.minHash, large.minHash);
    if (compared > 0 && found / compared >= COPY_RULES.rebaseOverlap) link(original, commit, 'rebase_copy');
  }
}

/** The title agrees but for a branch tag and the number of the second pull request: "[4.x] Fix it (#1) (#2)". */
function linkBackports(work: readonly Linked[]): void {
  const open = new Map<Linked, string>();
  for (const commit of work) {
    if (commit.isOnDefaultBranch || commit.of !== null) continue;
    const title = readTitle(commit.subject);
    if (title.length >= COPY_RULES.backportTitleLength) open.set(commit, title);
  }
  const originals = new Map<string, Linked[]>(Array.from(open.values(), (title) => [title, []]));
  for (const commit of work) {
    if (!commit.isOnDefaultBranch) continue;
    const same = originals.get(readTitle(commit.subject));
    // A title that is used over and over tells nothing.
    if (same !== undefined && same.length < COPY_RULES.commonLineCommits) same.push(commit);
  }
  for (const [commit, title] of open) {
    for (const original of originals.get(title)!) {
      const [small, large] =
        commit.minHash.lineCount <= original.minHash.lineCount ? [commit, original] : [original, commit];
      const { compared, found } = overlap(small.minHash, large.minHash);
      if (compared < COPY_RULES.backportLines || found / compared < COPY_RULES.backportOverlap) continue;
      link(original, commit, 'cherry_pick_copy');
      break;
    }
  }
}

/** Finds a commit by full or abbreviated sha; an abbreviation that fits two commits finds none. */
function createShaLookup(commits: ReadonlyMap<string, Linked>): (sha: string) => Linked | null {
  let sorted: string[] | null = null;
  return (name) => {
    const exact = commits.get(name);
    if (exact !== undefined) return exact;
    sorted ??= [...commits.keys()].sort();
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < name) low = middle + 1;
      else high = middle;
    }
    const sha = sorted[low];
    if (sha === undefined || !sha.startsWith(name) || sorted[low + 1]?.startsWith(name)) return null;
    return commits.get(sha) ?? null;
  };
}
