// The significant changed lines of a commit as a small set of hashes: the smallest ones of all its lines.
// Since every commit keeps the smallest, two sketches can be compared where both are complete, and the
// share of one commit's lines found in another is estimated without bias, in bounded memory.
import {
  type ClassifiedCommit,
  COLUMN,
  FILE_COLUMNS,
  type FileShape,
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
/** By operation and bits of a line, whether it counts. */
const IS_SIGNIFICANT = Uint8Array.from({ length: 256 }, (_, op) => {
  const kind = op & LINE_OP_MASK;
  return (op & UNSCORED_BIT) === 0 && kind !== LINE_OP.noop && kind !== LINE_OP.moved ? 1 : 0;
});

/** Reused from commit to commit; larger ones are given back. */
let room = new Uint32Array(1 << 14);
const KEPT_ROOM = 1 << 18;
const FEW = 48;
const MANY = 2048;

/** Lines count with their path and side; blank lines, brackets, comments and moved lines do not count. */
export function sketchCommit(commit: ClassifiedCommit, files: readonly FileShape[]): LineSketch {
  const lineCount = commit.addedOps.length + commit.removedOps.length;
  if (room.length < lineCount || (room.length > KEPT_ROOM && lineCount <= KEPT_ROOM)) room = new Uint32Array(lineCount);
  const numbers = commit.files;
  let used = 0;
  for (let index = 0; index < commit.fileCount; index += 1) {
    const shape = files[index];
    if (shape === undefined) break;
    const path = hashText(shape.newPath ?? shape.oldPath ?? '');
    const row = index * FILE_COLUMNS.length;
    const added = numbers[row + COLUMN.addedStart]!;
    const addedTo = added + numbers[row + COLUMN.added]!;
    used = takeLines(commit.addedOps, commit.addedHashes, added, addedTo, mix(path ^ ADDED_SALT), used);
    const removed = numbers[row + COLUMN.removedStart]!;
    const removedTo = removed + numbers[row + COLUMN.removed]!;
    used = takeLines(commit.removedOps, commit.removedHashes, removed, removedTo, mix(path ^ REMOVED_SALT), used);
  }
  if (used <= FEW) sortFew(room, used);
  else if (used < MANY) room.subarray(0, used).sort();
  else sortMany(room, used);
  return sketchSorted(room, used, SKETCH_SIZE.linking);
}

function takeLines(ops: Uint8Array, hashes: Uint32Array, from: number, to: number, salt: number, used: number): number {
  for (let line = from; line < to; line += 1)
    if (IS_SIGNIFICANT[ops[line]!] === 1) room[used++] = mix(hashes[line]! ^ salt);
  return used;
}

/** Insertion sort: most commits change a few lines, and a call of sort costs more than that. */
function sortFew(values: Uint32Array, count: number): void {
  for (let i = 1; i < count; i += 1) {
    const value = values[i]!;
    let j = i - 1;
    while (j >= 0 && values[j]! > value) {
      values[j + 1] = values[j]!;
      j -= 1;
    }
    values[j + 1] = value;
  }
}

const RADIX_BITS = 11;
const RADIX_MASK = (1 << RADIX_BITS) - 1;
const places = new Uint32Array(1 << RADIX_BITS);

/** By eleven bits at a time, from the lowest: linear, where sort compares. */
function sortMany(values: Uint32Array, count: number): void {
  let from = values;
  let to: Uint32Array = new Uint32Array(count);
  for (let shift = 0; shift < 32; shift += RADIX_BITS) {
    places.fill(0);
    for (let i = 0; i < count; i += 1) places[(from[i]! >>> shift) & RADIX_MASK]! += 1;
    for (let digit = 0, at = 0; digit <= RADIX_MASK; digit += 1) {
      const many = places[digit]!;
      places[digit] = at;
      at += many;
    }
    for (let i = 0; i < count; i += 1) to[places[(from[i]! >>> shift) & RADIX_MASK]!++] = from[i]!;
    [from, to] = [to, from];
  }
  values.set(from);
}

/** The sketch of any line hashes; `size` hashes are kept. */
export function sketchHashes(hashes: ArrayLike<number>, size: number = SKETCH_SIZE.linking): LineSketch {
  return sketchSorted(Uint32Array.from(hashes).sort(), hashes.length, size);
}

/** Of the first `count`, and in the same room. */
function sketchSorted(sorted: Uint32Array, count: number, size: number): LineSketch {
  let distinct = 0;
  for (let index = 0; index < count; index += 1) {
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
