// Git's rules for choosing the former file of a renamed one, apart from where contents come from: how alike two files
// must be, and which few candidates are kept in mind.
import { EQUAL_SCORE } from './span-counts.ts';

/** Half of the larger file; three quarters where the name tells which files to compare. */
export const LEAST_SCORE = EQUAL_SCORE / 2;
export const SAME_NAME_SCORE = (EQUAL_SCORE * 3) / 4;
/** Among more equal files git does not look for one of the same name. */
export const IDENTICAL_LOOKED_AT = 100;
/** So many sources are kept in mind for each file. */
const CANDIDATES = 4;

export interface RenameCandidate {
  readonly score: number;
  readonly isSameName: boolean;
}

/** The better one first. */
export function compareCandidates(a: RenameCandidate, b: RenameCandidate): number {
  return b.score - a.score || Number(b.isSameName) - Number(a.isSameName);
}

/** Of equally good ones that place decides which a bad one has held before. */
export function keepIfBetter<T extends RenameCandidate>(best: T[], candidate: T): void {
  if (best.length < CANDIDATES) {
    best.push(candidate);
    return;
  }
  let worst = 0;
  for (let i = 1; i < CANDIDATES; i++) if (compareCandidates(best[i]!, best[worst]!) > 0) worst = i;
  if (compareCandidates(best[worst]!, candidate) > 0) best[worst] = candidate;
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
