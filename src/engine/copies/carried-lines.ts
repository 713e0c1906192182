// Which of a commit's added lines came from the commits that it was made of, by the hashes of path and text that every
// commit keeps of its lines. A line that several of them added is the newest one's.
import { fullUpTo, isAddedLine, type MinHash } from './min-hash.ts';

export interface CarriedLines {
  /** Added lines of the commit that could be looked up in all sources. */
  readonly compared: number;
  /** Of those, the lines of each source, in the order of the sources. */
  readonly found: readonly number[];
}

/** `sources` newest first. */
export function matchCarriedLines(commit: MinHash, sources: readonly MinHash[]): CarriedLines {
  const limit = Math.min(fullUpTo(commit), ...sources.map(fullUpTo));
  const sets = sources.map(({ hashes }) => new Set(hashes));
  const found = sources.map(() => 0);
  let compared = 0;
  for (const hash of commit.hashes) {
    if (hash > limit) break;
    if (!isAddedLine(hash)) continue;
    compared += 1;
    const newest = sets.findIndex((set) => set.has(hash));
    if (newest >= 0) found[newest]! += 1;
  }
  return { compared, found };
}
