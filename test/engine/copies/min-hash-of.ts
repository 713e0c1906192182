// The min-hash of any line hashes by its plain definition: the smallest ones, each once, ascending.
import { MIN_HASH_SIZE, type MinHash } from '../../../src/engine/copies/min-hash.ts';

export function minHashOf(hashes: ArrayLike<number>): MinHash {
  const distinct = Uint32Array.from(new Set(Uint32Array.from(hashes))).sort();
  return { hashes: distinct.slice(0, MIN_HASH_SIZE), lineCount: distinct.length };
}
