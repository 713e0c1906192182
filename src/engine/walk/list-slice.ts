// What a slice walks: its new commits, those that earlier walks know, and the conventions that hold. The list of the known ones
// is taken from the walk before, where that has kept it.
import { type Conventions, readConventions } from '../categories/conventions.ts';
import { type ListedCommit, listCommits } from '../git/list-commits.ts';
import type { GitRepository } from '../git/run-git.ts';
import { type CommitList, listOf } from '../model/commit-list.ts';
import type { WalkPlan } from '../model/plan.ts';
import { keepListing, openListing, readListing, readShallow } from '../trails/kept-listing.ts';

export interface SliceRange {
  /** Full shas. */
  readonly heads: readonly string[];
  readonly notHeads?: readonly string[];
  /** Whether the heads are of the default branch. */
  readonly onDefaultBranch: boolean;
  /** Of branches besides: what the heads do not lead to is walked among their commits. */
  readonly otherHeads?: readonly string[];
  /** The folder in which what is read of commits is kept for later walks, and looked up; nothing is unless given. */
  readonly trailsIn?: string;
}

export interface ListedSlice {
  readonly conventions: Conventions;
  /** New ones that the heads lead to, and those that only other heads do. */
  readonly fresh: readonly ListedCommit[];
  readonly others: readonly ListedCommit[];
  /** Those that earlier walks know. To be called once. */
  listKnown(): Promise<CommitList>;
  /** To be called when the walk has ended well. */
  keep(plan: WalkPlan): void;
}

/** Null when nothing is new. `onFresh` is called as soon as it is known that something is. */
export async function listSlice(
  repository: GitRepository,
  range: SliceRange,
  conventionsAt: string,
  onFresh: () => void,
): Promise<ListedSlice | null> {
  const { heads, otherHeads = [], notHeads = [], trailsIn } = range;
  const shallow = trailsIn === undefined ? null : readShallow(repository.gitDir);
  const kept = trailsIn === undefined ? null : openListing(trailsIn, { heads: notHeads, shallow });
  const listByGit = () => listCommits(repository, { heads: notHeads, mailmapAt: conventionsAt });
  // Git lists them while it lists the others: it is what takes longest.
  const listing = kept === null ? listByGit() : null;
  listing?.catch(() => {}); // awaited when they are asked for
  const [conventions, fresh, others] = await Promise.all([
    readConventions(repository, conventionsAt),
    listCommits(repository, { heads, notHeads, mailmapAt: conventionsAt }),
    listCommits(repository, { heads: otherHeads, notHeads: [...heads, ...notHeads], mailmapAt: conventionsAt }),
  ]);
  if (fresh.length + others.length === 0) {
    await listing;
    return null;
  }
  if (notHeads.length > 0) onFresh();
  const isFresh = new Set([...fresh, ...others].map(({ sha }) => sha));
  // Other names may hold by now.
  let before = kept !== null && kept.mailmap === conventions.mailmap ? kept : null;
  const { mailmap } = conventions;
  return {
    conventions,
    fresh,
    others,
    async listKnown() {
      if (before === null) return listOf(await (listing ?? listByGit()));
      const known = readListing(before);
      // Git does not have some of the heads any more, and has listed what they led to as new.
      if (!known.hasSome(isFresh)) return known;
      before = null;
      return listOf(await listByGit());
    },
    keep(plan) {
      // Of other slices the next walk does not begin at the heads.
      if (trailsIn === undefined || mailmap === undefined || !range.onDefaultBranch) return;
      const of = { heads: [...heads, ...otherHeads], shallow, mailmap };
      keepListing(trailsIn, of, { commits: plan.commits, fresh: isFresh.size, before, beforeHeads: notHeads });
    },
  };
}
