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
import { Bystanders, listTied, type SeenCommits } from './default-branch.ts';
import {
  byPrecedence,
  type CopyCandidate,
  type CopyVerdict,
  type Linked,
  type LinkReason,
  link,
  rootOf,
} from './linked-commit.ts';
import { isUndoing, readCopySources, readSubject } from './message-links.ts';
import { PossibleSquashes } from './possible-squashes.ts';
import { findReleased } from './released-commits.ts';
import { linkBackports, linkEqualPatches, linkRebases } from './shared-work.ts';
import { SquashCandidates } from './squash-candidates.ts';
import { linkSquashSources, listOpen } from './squash-sources.ts';

export interface CopyLinker {
  add(candidate: CopyCandidate): CopyVerdict;
  /** For callers that add of the default branch only what can matter: the ids of those commits (default-branch.ts). */
  lookAtDefaultBranch(commits: SeenCommits): readonly number[];
  /** Decides all but squashes. Commits of the default branch are to be noted there then; null if none can be a squash. */
  settleAllButSquashes(): PossibleSquashes | null;
  /** A commit of the default branch that nothing but its lines can tie to another: one of those listed there, after all others. */
  addPossibleSquash(candidate: CopyCandidate): void;
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
const ownText = (part: string, whole: string): string => (part === whole ? part : Buffer.from(part).toString());

export function createCopyLinker({
  isOneBranch = false,
  released = NONE,
  landed = [],
}: CopyLinkerOptions = {}): CopyLinker {
  const commits = new Map<string, Linked>();
  let bystanders: Bystanders | null = null;
  let settled: Settled | null = null;
  let possible: Linked[] = [];

  const add = (candidate: CopyCandidate): Linked => {
    const linked = read(candidate, isOneBranch);
    const before = commits.get(candidate.sha);
    if (before !== undefined) linked.said = before.said;
    commits.set(candidate.sha, linked);
    return linked;
  };

  const createGraph = (): BranchGraph => createBranchGraph((sha) => commits.get(sha) ?? bystanders?.find(sha));

  const settle = (): Settled => {
    const all = [...commits.values()].sort(byPrecedence);
    for (const commit of all) {
      commit.of = null;
      commit.why = null;
    }
    const work = all.filter((commit) => !commit.isMerge);
    linkLanded(commits, landed);
    linkNamedSources(work, createShaLookup(commits));
    const graph = createGraph();
    linkEqualPatches(work, graph);
    // All other rules make no commit of the default branch a copy.
    const hasOthers = all.some((commit) => !commit.isOnDefaultBranch);
    if (!hasOthers) return { all, graph, open: [], released: new Set(), squashes: null };
    linkRebases(work);
    linkBackports(work);
    const shipped = findReleased(all, released);
    return { all, graph, open: listOpen(all, shipped), released: shipped, squashes: null };
  };

  return {
    add(candidate) {
      settled = null;
      const linked = add(candidate);
      return linked.said ?? firstVerdict(linked);
    },
    lookAtDefaultBranch(seen) {
      bystanders = new Bystanders(seen);
      const shas = Array.from(landed).flatMap(({ source, landing }) => [source, landing]);
      return listTied(seen, { commits: commits.values(), landed: shas });
    },
    settleAllButSquashes() {
      settled = settle();
      if (settled.open.length === 0 || bystanders === null) return null;
      settled.squashes = new PossibleSquashes(settled.open, bystanders, (sha) => commits.get(sha));
      return settled.squashes;
    },
    addPossibleSquash(candidate) {
      if (!commits.has(candidate.sha)) possible.push(add(candidate));
    },
    resolve() {
      const found = settled ?? settle();
      const hasMore = possible.length > 0;
      const all = hasMore ? [...found.all, ...possible].sort(byPrecedence) : found.all;
      if (found.open.length > 0) {
        const { open, released, squashes } = found;
        // A graph holds commits as it met them: those that came later stood in it as bystanders.
        const graph = hasMore ? createGraph() : found.graph;
        linkSquashSources({ open, graph, released, candidates: squashes ?? indexLines(all, open) });
      }
      settled = null;
      possible = [];
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

/** What is decided before squashes are looked for. */
interface Settled {
  /** In order of precedence. */
  readonly all: readonly Linked[];
  readonly graph: BranchGraph;
  /** Commits that may be sources of a squash. */
  readonly open: readonly Linked[];
  readonly released: ReadonlySet<Linked>;
  /** Where not all commits are known. */
  squashes: PossibleSquashes | null;
}

function indexLines(commits: readonly Linked[], open: readonly Linked[]): SquashCandidates<Linked> {
  const candidates = new SquashCandidates<Linked>(open);
  for (const commit of commits) {
    if (commit.isOnDefaultBranch && !commit.isMerge && !commit.isRevert) candidates.add(commit);
  }
  return candidates;
}

/** Written out: spreading is many times slower, and every commit passes here. */
function read(candidate: CopyCandidate, isOneBranch: boolean): Linked {
  const { message } = candidate;
  const sources = readCopySources(message);
  return {
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
    subject: ownText(readSubject(message), message),
    sources: sources.length === 0 ? NONE : sources.map((source) => ownText(source, message)),
    isRevert: candidate.isRevert === true || isUndoing(message),
    isMerge: candidate.parents.length > 1,
    said: candidate.known ?? null,
    of: null,
    why: null,
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

/** Finds a commit by full or abbreviated sha; an abbreviation that fits two commits finds none. */
function createShaLookup(commits: ReadonlyMap<string, Linked>): (name: string) => Linked | null {
  let byStart: ReadonlyMap<string, readonly string[]> | null = null;
  return (name) => {
    const exact = commits.get(name);
    if (exact !== undefined) return exact;
    if (name.length >= SHA_DIGITS) return null;
    byStart ??= groupByStart(commits.keys());
    const [sha, another] = (byStart.get(startOf(name)) ?? []).filter((each) => each.startsWith(name));
    return sha === undefined || another !== undefined ? null : (commits.get(sha) ?? null);
  };
}

const SHA_DIGITS = 40;
/** No message names a commit by fewer digits. */
const startOf = (sha: string): string => sha.slice(0, 7);

function groupByStart(shas: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const sha of shas) {
    const start = startOf(sha);
    const group = groups.get(start);
    if (group === undefined) groups.set(start, [sha]);
    else group.push(sha);
  }
  return groups;
}
