// The significant changed lines of a commit as a small set of hashes: the smallest ones of all its lines.
// Since every commit keeps the smallest, two sketches can be compared where both are complete, and the
// share of one commit's lines found in another is estimated without bias, in bounded memory.
export interface LineSketch {
  /** Ascending, distinct: the smallest hashes of the commit's significant lines. */
  readonly hashes: Uint32Array;
  /** Distinct significant lines in the commit; more than `hashes` holds when the sketch is cut. */
  readonly lineCount: number;
}

/** Hashes kept while linking, and in the form that is stored. */
export const SKETCH_SIZE = { linking: 1024, stored: 128 } as const;

/** For storage: four bytes of line count, then the smallest hashes, big-endian. */
export function sketchToBytes(sketch: LineSketch, size: number = SKETCH_SIZE.stored): Uint8Array {
  const kept = Math.min(sketch.hashes.length, size);
  const bytes = new Uint8Array(4 + 4 * kept);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, sketch.lineCount);
  for (let index = 0; index < kept; index += 1) view.setUint32(4 + 4 * index, sketch.hashes[index]!);
  return bytes;
}

export class SketchError extends Error {
  override readonly name = 'SketchError';
}

export function bytesToSketch(bytes: Uint8Array): LineSketch {
  if (bytes.length < 4 || bytes.length % 4 !== 0) throw new SketchError(`a line sketch of ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hashes = new Uint32Array(bytes.length / 4 - 1);
  for (let index = 0; index < hashes.length; index += 1) hashes[index] = view.getUint32(4 + 4 * index);
  for (let index = 1; index < hashes.length; index += 1) {
    if (hashes[index]! <= hashes[index - 1]!) throw new SketchError('a line sketch whose hashes do not ascend');
  }
  const lineCount = view.getUint32(0);
  if (lineCount < hashes.length) throw new SketchError('a line sketch that holds more hashes than lines');
  return { hashes, lineCount };
}

export interface Overlap {
  /** Lines of `part` that could be looked up in `whole`. */
  readonly compared: number;
  readonly found: number;
}

/** How much of `part` stands in `whole`, over the range of hashes that both sketches hold in full. */
export function overlap(part: LineSketch, whole: LineSketch): Overlap {
  const limit = Math.min(fullUpTo(part), fullUpTo(whole));
  let compared = 0;
  let found = 0;
  let at = 0;
  for (const hash of part.hashes) {
    if (hash > limit) break;
    compared += 1;
    while (at < whole.hashes.length && whole.hashes[at]! < hash) at += 1;
    if (whole.hashes[at] === hash) found += 1;
  }
  return { compared, found };
}

/** The largest hash up to which the sketch is complete. */
function fullUpTo(sketch: LineSketch): number {
  return sketch.hashes.length === sketch.lineCount ? 0xffffffff : (sketch.hashes.at(-1) ?? -1);
}

export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixHash(hash);
}

/** Spreads what differs in any bits over all of them, as the kernel does for the lines of a sketch. */
export function mixHash(value: number): number {
  value ^= value >>> 16;
  value = Math.imul(value, 0x7feb352d);
  value ^= value >>> 15;
  value = Math.imul(value, 0x846ca68b);
  return (value ^ (value >>> 16)) >>> 0;
}
