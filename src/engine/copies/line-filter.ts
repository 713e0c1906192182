// A set of lines that answers at once for most lines of a history that they are not in it.
import { isAddedLine, type MinHash } from './min-hash.ts';

const FILTER_BITS = 1 << 25;
/** The lowest bit says whether the line was added. */
const placeOf = (hash: number): number => (hash >>> 1) & (FILTER_BITS - 1);

/** The lines that some commits added. Some others seem to be in it too. */
export class LineFilter {
  readonly #bits = new Uint8Array(FILTER_BITS >>> 3);

  constructor(commits: Iterable<{ readonly minHash: MinHash }>) {
    for (const { minHash } of commits) {
      for (const hash of minHash.hashes) {
        if (!isAddedLine(hash)) continue;
        const place = placeOf(hash);
        this.#bits[place >>> 3]! |= 1 << (place & 7);
      }
    }
  }

  has(hash: number): boolean {
    const place = placeOf(hash);
    return isAddedLine(hash) && (this.#bits[place >>> 3]! & (1 << (place & 7))) !== 0;
  }
}
