// The sketch of any line hashes by its plain definition: the smallest ones, each once, ascending.
import { type LineSketch, SKETCH_SIZE } from '../../../src/engine/copies/line-sketch.ts';

export function sketchHashes(hashes: ArrayLike<number>): LineSketch {
  const distinct = Uint32Array.from(new Set(Uint32Array.from(hashes))).sort();
  return { hashes: distinct.slice(0, SKETCH_SIZE), lineCount: distinct.length };
}
