// The significant changed lines of a commit as a small set of hashes: the smallest ones of all its lines.
// Since every commit keeps the smallest, two sketches can be compared where both are complete, and the
// share of one commit's lines found in another is estimated without bias, in bounded memory.
import {
  type ClassifiedCommit,
  type FileShape,
  fileColumn,
  LINE_OP,
  LINE_OP_MASK,
  UNSCORED_BIT,
} from '../classified.ts';

export interface LineSketch {
  /** Ascending, distinct: the smallest hashes of the commit's significant lines. */
  readonly hashes: Uint32Array;
  /** Distinct significant lines in the commit; more than `hashes` holds when the sketch is cut. */
  readonly lineCount: number;
}

/** Hashes kept while linking, and in the form that is stored. */
export const SKETCH_SIZE = { linking: 1024, stored: 128 } as const;

const ADDED_SALT = 0x9e3779b9;
const REMOVED_SALT = 0x85ebca6b;
const isSignificant = (op: number): boolean => {
  const kind = op & LINE_OP_MASK;
  return (op & UNSCORED_BIT) === 0 && kind !== LINE_OP.noop && kind !== LINE_OP.moved;
};

/** Lines count with their path and side; blank lines, brackets, comments and moved lines do not count. */
export function sketchCommit(commit: ClassifiedCommit, files: readonly FileShape[]): LineSketch {
  const hashes = new Uint32Array(commit.addedOps.length + commit.removedOps.length);
  let used = 0;
  for (let index = 0; index < commit.fileCount; index += 1) {
    const shape = files[index];
    if (shape === undefined) break;
    const path = hashText(shape.newPath ?? shape.oldPath ?? '');
    const addedSalt = mix(path ^ ADDED_SALT);
    const removedSalt = mix(path ^ REMOVED_SALT);
    const addedStart = fileColumn(commit, index, 'addedStart');
    const addedEnd = addedStart + fileColumn(commit, index, 'added');
    for (let line = addedStart; line < addedEnd; line += 1) {
      if (isSignificant(commit.addedOps[line]!)) hashes[used++] = mix(commit.addedHashes[line]! ^ addedSalt);
    }
    const removedStart = fileColumn(commit, index, 'removedStart');
    const removedEnd = removedStart + fileColumn(commit, index, 'removed');
    for (let line = removedStart; line < removedEnd; line += 1) {
      if (isSignificant(commit.removedOps[line]!)) hashes[used++] = mix(commit.removedHashes[line]! ^ removedSalt);
    }
  }
  return sketchSorted(hashes.subarray(0, used).sort(), SKETCH_SIZE.linking);
}

/** The sketch of any line hashes; `size` hashes are kept. */
export function sketchHashes(hashes: ArrayLike<number>, size: number = SKETCH_SIZE.linking): LineSketch {
  return sketchSorted(Uint32Array.from(hashes).sort(), size);
}

/** Reuses the room of `sorted`. */
function sketchSorted(sorted: Uint32Array, size: number): LineSketch {
  let distinct = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    if (index === 0 || sorted[index] !== sorted[distinct - 1]) {
      sorted[distinct] = sorted[index]!;
      distinct += 1;
    }
  }
  return { hashes: sorted.slice(0, Math.min(distinct, size)), lineCount: distinct };
}

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
  return mix(hash);
}

function mix(value: number): number {
  value ^= value >>> 16;
  value = Math.imul(value, 0x7feb352d);
  value ^= value >>> 15;
  value = Math.imul(value, 0x846ca68b);
  return (value ^ (value >>> 16)) >>> 0;
}
