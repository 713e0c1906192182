// The host's word on what a squash or a rebase landed replaces what was concluded from lines. An import asks for the same
// word when it links copies, so both end alike.
import { storeCopyLinks } from '../../storage/commits/commit-changes.ts';
import type { Database } from '../../storage/database/handle.ts';
import { landCommits } from '../../storage/reviews/landed-commits.ts';
import type { ReviewPlace } from '../../storage/reviews/place.ts';

/** Call `lockShared` before. */
export async function applyLanded(db: Database, place: ReviewPlace): Promise<void> {
  await storeCopyLinks(db, place, await landCommits(db, place));
}
