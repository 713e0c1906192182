// A commit inside the copy linker, the rules by which two commits are one piece of work, and the one way
// in which a commit becomes a copy of another.
import type { NotCounted } from '../model/facts.ts';
import type { MinHash } from './min-hash.ts';

export interface CopyCandidate {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly isOnDefaultBranch: boolean;
  /** Identity keys: the author's, and with it the co-authors'. */
  readonly author: string;
  readonly coAuthors: readonly string[];
  /** Seconds since 1970. */
  readonly authoredAt: number;
  readonly committedAt: number;
  /** As a whole; of a commit that names no other, the subject will do. */
  readonly message: string;
  /** Known where the message names a commit that it takes back. */
  readonly isRevert?: boolean;
  readonly patchId: string | null;
  readonly minHash: MinHash;
  /** What was last stored for it, when it comes from an earlier run. */
  readonly known?: CopyVerdict;
}

export interface CopyVerdict {
  readonly sha: string;
  readonly not_counted: Extract<NotCounted, 'merge' | 'rebase_copy' | 'cherry_pick_copy' | 'squash_source'> | null;
  /** The commit that counts instead. */
  readonly derived_from: string | null;
}

/** When two equal or overlapping patches are one piece of work. Line counts are of significant lines. */
export const COPY_RULES = {
  /** An equal patch of this many lines is no coincidence, whoever wrote it. */
  equalPatchLines: 5,
  /** With the same author and subject, this many do. A changed line is two, so version bumps stay apart. */
  equalPatchSameSubjectLines: 3,
  /** Rebased with conflicts: this share of the smaller one's lines. */
  rebaseOverlap: 0.3,
  /** Backported under the same title, whoever did it: this share of the smaller one's lines, and at least so many. */
  backportOverlap: 0.5,
  backportLines: 3,
  backportTitleLength: 12,
  /** A squash holds this share of its source's added lines, by one of the same people or by anybody. */
  squashOverlapSameAuthor: 0.5,
  squashOverlap: 0.75,
  /** All sources together have written this share of the squash's added lines, and at least so many. */
  squashExplainedSameAuthor: 0.6,
  squashExplained: 0.75,
  squashLines: 5,
  /** Of a draft's lines, the share that stands in the squash or that a later source has removed again. */
  squashDraftOverlap: 0.6,
  /** A longer branch is no topic branch. */
  squashBranchCommits: 250,
  /** The only source of a commit that has hardly more lines than this share was picked, not squashed. */
  pickedSimilarity: 0.5,
  /** A source is not authored after the commit that took it in, clocks aside. */
  clockSkewSeconds: 86_400,
  /** A line that stands in more default-branch commits than this tells nothing. */
  commonLineCommits: 8,
  /** How many commits that share lines are compared in full, those that share most. */
  squashCandidates: 16,
} as const;

export type LinkReason = NonNullable<CopyVerdict['not_counted']>;

/** A commit inside the linker. `of` is the commit it repeats. */
export interface Linked extends CopyCandidate {
  readonly subject: string;
  readonly sources: readonly string[];
  readonly isRevert: boolean;
  readonly isMerge: boolean;
  /** The verdict last emitted, where it is not the first one. */
  said: CopyVerdict | null;
  of: Linked | null;
  why: LinkReason | null;
}

/** The commit that counts for this one. */
export function rootOf(commit: Linked): Linked {
  let root = commit;
  while (root.of !== null) root = root.of;
  return root;
}

/** Who counts among copies: on the default branch, then the earliest, then the smaller sha. */
export function byPrecedence(a: Linked, b: Linked): number {
  return (
    Number(b.isOnDefaultBranch) - Number(a.isOnDefaultBranch) ||
    a.authoredAt - b.authoredAt ||
    (a.sha < b.sha ? -1 : a.sha > b.sha ? 1 : 0)
  );
}

/**
 * Makes the one of lesser precedence a copy of the other's counted commit; never closes a circle. Two commits
 * of the default branch stay two, though one backport may have taken in both.
 */
export function link(a: Linked, b: Linked, why: LinkReason | 'equal_patch', mayBothBeOnDefault = false): void {
  const [first, second] = [rootOf(a), rootOf(b)].sort(byPrecedence) as [Linked, Linked];
  if (first === second || (second.isOnDefaultBranch && !mayBothBeOnDefault)) return;
  second.of = first;
  second.why = why === 'equal_patch' ? equalPatchReason(first, second) : why;
}

/** A rebase keeps author and time, and so does a plain cherry-pick: only another time tells them apart. */
function equalPatchReason(a: Linked, b: Linked): LinkReason {
  return a.author === b.author && a.authoredAt === b.authoredAt ? 'rebase_copy' : 'cherry_pick_copy';
}

/** Children by the sha of their parent. */
export function childrenOf(commits: Iterable<Linked>): Map<string, Linked[]> {
  const children = new Map<string, Linked[]>();
  for (const commit of commits) {
    for (const parent of commit.parents) {
      const list = children.get(parent);
      if (list === undefined) children.set(parent, [commit]);
      else list.push(commit);
    }
  }
  return children;
}
