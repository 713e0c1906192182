// Which added lines repeat a block that stands elsewhere in the tree. A block is DUPLICATE_LINES
// significant lines in a row, equal but for whitespace and for insignificant lines between them; a line
// is a duplicate when some block that covers it also stands at another place, in another file or far
// enough away in its own not to overlap. (Blocks grown outward from there are unions of such blocks.)
//
// The index holds each file's line hashes, and for each block of each file one entry under the block's
// signature. Entries name the file, not the position: positions shift with every undo. Undoing a commit
// touches only the blocks around its hunks.
import {
  type ClassifiedCommit,
  type DuplicateCounts,
  type DuplicateIndex,
  type FileShape,
  fileColumn,
  LINE_OP,
  LINE_OP_MASK,
} from '../classified.ts';
import { SIGNIFICANT } from './scan-line.ts';
import { createSignatureTable } from './signature-table.ts';

export const DUPLICATE_LINES = 5;
const AROUND = DUPLICATE_LINES - 1;

export interface DuplicateIndexOptions {
  readonly maxBytes: number;
  /** Files to leave out: what nobody wrote, or what repeats itself by nature. */
  readonly isIndexed?: (path: string) => boolean;
}

interface IndexedFile {
  readonly id: number;
  hashes: Uint32Array;
}

/** Marks of a line: in a duplicate block; the other place is older than the commit. */
const DUPLICATE = 1;
const COPIED = 2;

/** What a file costs beside its hashes and blocks. */
const FILE_BYTES = 200;

export function createDuplicateIndex({ maxBytes, isIndexed = () => true }: DuplicateIndexOptions): DuplicateIndex {
  const files = new Map<string, IndexedFile>();
  const pathOfId = new Map<number, string>();
  const table = createSignatureTable();
  let nextId = 1;
  let isFull = false;
  let hashBytes = 0;
  /** Per line of the file at hand; reused. */
  let marks = new Uint8Array(4096);

  const bytesUsed = () => hashBytes + files.size * FILE_BYTES + table.bytesUsed;

  function insert(path: string, hashes: Uint32Array): boolean {
    const blocks = significantCount(hashes);
    if (bytesUsed() + hashes.byteLength + blocks * table.bytesPerEntry > maxBytes) {
      isFull = true;
      return false;
    }
    const id = nextId++;
    files.set(path, { id, hashes });
    pathOfId.set(id, path);
    hashBytes += hashes.byteLength;
    forEachBlock(hashes, 0, hashes.length, (signature) => table.add(signature, id));
    return true;
  }

  function drop(path: string): void {
    const file = files.get(path);
    if (file === undefined) return;
    forEachBlock(file.hashes, 0, file.hashes.length, (signature) => table.remove(signature, file.id));
    files.delete(path);
    pathOfId.delete(file.id);
    hashBytes -= file.hashes.byteLength;
  }

  function undoFile(commit: ClassifiedCommit, fileIndex: number, shape: FileShape): void {
    const { oldPath, newPath, hunks } = shape;
    const start = fileColumn(commit, fileIndex, 'removedStart');
    const removed = commit.removedHashes.subarray(start, start + fileColumn(commit, fileIndex, 'removed'));
    if (newPath === null) {
      if (oldPath !== null && isIndexed(oldPath)) {
        drop(oldPath);
        insert(oldPath, removed.slice());
      }
      return;
    }
    if (oldPath === null) {
      drop(newPath);
      return;
    }
    const file = files.get(newPath);
    if (file === undefined) return;
    const before = hunks.length === 0 ? file.hashes : undoHunks(file.hashes, removed, hunks);
    if (before === null) {
      // The diff does not fit what is known of the file: better no file than a wrong one.
      drop(newPath);
      return;
    }
    if (hunks.length > 0) {
      for (const { newFrom, newTo } of regions(file.hashes, hunks))
        forEachBlock(file.hashes, newFrom, newTo, (signature) => table.remove(signature, file.id));
      for (const { oldFrom, oldTo } of regions(file.hashes, hunks))
        forEachBlock(before, oldFrom, oldTo, (signature) => table.add(signature, file.id));
      hashBytes += before.byteLength - file.hashes.byteLength;
      file.hashes = before;
    }
    if (oldPath !== newPath) {
      files.delete(newPath);
      // A file that a rename of the same commit overwrote is in the way only if the diff is odd.
      drop(oldPath);
      files.set(oldPath, file);
      pathOfId.set(file.id, oldPath);
    }
    if (bytesUsed() > maxBytes) {
      isFull = true;
      drop(oldPath);
    }
  }

  return {
    get isFull() {
      return isFull;
    },
    get bytesUsed() {
      return bytesUsed();
    },
    load(path, hashes) {
      if (!isIndexed(path)) return false;
      drop(path);
      return insert(path, hashes);
    },
    undo(commit, shapes) {
      // Renames may swap names: all files first leave their new names, then take their old ones.
      const moved: { readonly from: string; readonly parked: string; readonly index: number }[] = [];
      shapes.forEach((shape, index) => {
        if (shape.oldPath === null || shape.newPath === null || shape.oldPath === shape.newPath) return;
        const file = files.get(shape.newPath);
        if (file === undefined) return;
        const parked = `${shape.newPath}\0${index}`;
        files.delete(shape.newPath);
        files.set(parked, file);
        pathOfId.set(file.id, parked);
        moved.push({ from: shape.newPath, parked, index });
      });
      const parkedName = new Map(moved.map(({ index, parked }) => [index, parked]));
      shapes.forEach((shape, index) => {
        if (shape.oldPath === null) undoFile(commit, index, shape);
      });
      shapes.forEach((shape, index) => {
        if (shape.oldPath === null) return;
        const parked = parkedName.get(index);
        const isRename = shape.newPath !== null && shape.newPath !== shape.oldPath;
        if (isRename && parked === undefined) return;
        undoFile(commit, index, parked === undefined ? shape : { ...shape, newPath: parked });
      });
    },
    duplicatesOf(commit, shapes, isOnChain) {
      return isOnChain ? onChain(commit, shapes) : offChain(commit, shapes);
    },
  };

  /** The commit's lines stand in the index: every block that covers one of them is looked up. */
  function onChain(commit: ClassifiedCommit, shapes: readonly FileShape[]): DuplicateCounts {
    const counts = new Uint32Array(shapes.length * 2);
    const touched = new Map<number, Touched>();
    shapes.forEach((shape, index) => {
      const file = shape.newPath === null ? undefined : files.get(shape.newPath);
      if (file !== undefined) touched.set(file.id, { file, shape, index, added: null, places: null });
    });
    for (const { file, shape, index } of touched.values()) {
      const { hashes } = file;
      if (marks.length < hashes.length) marks = new Uint8Array(hashes.length * 2);
      let isMarked = false;
      for (const { newFrom, newTo } of regions(hashes, shape.hunks)) {
        forEachBlock(hashes, newFrom, newTo, (signature, positions) => {
          // One entry is this block itself.
          if (table.count(signature, 2) < 2) return;
          if (!isMarked) marks.fill(0, 0, hashes.length);
          isMarked = true;
          table.forEachFile(signature, (id) => {
            const other = touched.get(id);
            if (other === undefined) {
              for (const position of positions) marks[position] = DUPLICATE | COPIED;
              return;
            }
            for (const candidate of placesOf(other).get(signature) ?? []) {
              if (id === file.id && overlaps(candidate, positions)) continue;
              const otherAdded = addedMask(other);
              for (let k = 0; k < DUPLICATE_LINES; k++)
                marks[positions[k]!]! |= otherAdded[candidate[k]!] === 0 ? DUPLICATE | COPIED : DUPLICATE;
            }
          });
        });
      }
      // Lines around the hunks may be marked too; only added ones are counted.
      if (isMarked) countLines(commit, index, shape, marks, counts);
    }
    return counts;
  }

  /** Only blocks of added lines in a row are known; they are compared with the tree and with each other. */
  function offChain(commit: ClassifiedCommit, shapes: readonly FileShape[]): DuplicateCounts {
    const counts = new Uint32Array(shapes.length * 2);
    const own = new Map<number, number>();
    const walk = (visit: (index: number, signature: number, positions: readonly number[]) => void) =>
      shapes.forEach((shape, index) => {
        if (shape.newPath === null || !isIndexed(shape.newPath)) return;
        const start = fileColumn(commit, index, 'addedStart');
        let from = start;
        for (let at = 0; at + 3 < shape.hunks.length; at += 4) {
          const to = from + shape.hunks[at + 3]!;
          forEachBlock(commit.addedHashes, from, to, (signature, positions) => visit(index, signature, positions));
          from = to;
        }
      });
    walk((_, signature) => own.set(signature, (own.get(signature) ?? 0) + 1));
    if (own.size === 0) return counts;
    const found = new Uint8Array(commit.addedHashes.length);
    walk((_, signature, positions) => {
      const isCopied = table.count(signature, 1) > 0;
      if (!isCopied && own.get(signature)! < 2) return;
      for (const position of positions) found[position]! |= isCopied ? DUPLICATE | COPIED : DUPLICATE;
    });
    shapes.forEach((_, index) => {
      const start = fileColumn(commit, index, 'addedStart');
      const end = start + fileColumn(commit, index, 'added');
      for (let line = start; line < end; line++) countLine(commit, line, index, found[line]!, counts);
    });
    return counts;
  }
}

/** A file of the commit at hand, with what is worked out about it when first needed. */
interface Touched {
  readonly file: IndexedFile;
  readonly shape: FileShape;
  readonly index: number;
  added: Uint8Array | null;
  places: Map<number, number[][]> | null;
}

/** Per line of the file: 1 if the commit added it. */
function addedMask(touched: Touched): Uint8Array {
  if (touched.added === null) {
    const mask = new Uint8Array(touched.file.hashes.length);
    const { hunks } = touched.shape;
    for (let at = 0; at + 3 < hunks.length; at += 4) mask.fill(1, hunks[at + 2]!, hunks[at + 2]! + hunks[at + 3]!);
    touched.added = mask;
  }
  return touched.added;
}

/** Places kept of one signature in one file: a file that repeats itself a thousand times needs no more. */
const MAX_PLACES = 16;

function placesOf(touched: Touched): Map<number, number[][]> {
  if (touched.places === null) {
    const places = new Map<number, number[][]>();
    forEachBlock(touched.file.hashes, 0, touched.file.hashes.length, (signature, positions) => {
      const known = places.get(signature);
      if (known === undefined) places.set(signature, [[...positions]]);
      else if (known.length < MAX_PLACES) known.push([...positions]);
    });
    touched.places = places;
  }
  return touched.places;
}

function overlaps(one: readonly number[], other: readonly number[]): boolean {
  return one[0]! <= other[AROUND]! && other[0]! <= one[AROUND]!;
}

function countLines(
  commit: ClassifiedCommit,
  index: number,
  shape: FileShape,
  marks: Uint8Array,
  counts: Uint32Array,
): void {
  let line = fileColumn(commit, index, 'addedStart');
  for (let at = 0; at + 3 < shape.hunks.length; at += 4) {
    const from = shape.hunks[at + 2]!;
    for (let k = 0; k < shape.hunks[at + 3]!; k++, line++) countLine(commit, line, index, marks[from + k]!, counts);
  }
}

function countLine(commit: ClassifiedCommit, line: number, index: number, mark: number, counts: Uint32Array): void {
  if (mark === 0) return;
  const op = commit.addedOps[line]! & LINE_OP_MASK;
  if (op !== LINE_OP.added && op !== LINE_OP.copy_pasted) return;
  counts[index * 2]!++;
  if ((mark & COPIED) !== 0 && op === LINE_OP.added) counts[index * 2 + 1]!++;
}

function significantCount(hashes: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < hashes.length; i++) count += hashes[i]! & SIGNIFICANT;
  return count;
}

/** Calls back for every block within [from, to): signature and its lines' positions, to be copied if kept. */
function forEachBlock(
  hashes: Uint32Array,
  from: number,
  to: number,
  visit: (signature: number, positions: readonly number[]) => void,
): void {
  const window: number[] = [];
  for (let line = from; line < to; line++) {
    if ((hashes[line]! & SIGNIFICANT) === 0) continue;
    if (window.length === DUPLICATE_LINES) window.shift();
    window.push(line);
    if (window.length < DUPLICATE_LINES) continue;
    let signature = 0x9e3779b9 | 0;
    for (let k = 0; k < DUPLICATE_LINES; k++) {
      signature = Math.imul(signature ^ hashes[window[k]!]!, 0x85ebca6b);
      signature ^= signature >>> 13;
    }
    visit(signature, window);
  }
}

interface Region {
  readonly newFrom: number;
  readonly newTo: number;
  readonly oldFrom: number;
  readonly oldTo: number;
}

/**
 * The stretches that hold all blocks a set of hunks can change: each hunk with the significant lines
 * around it that share a block with it, merged where they meet, in new and in old line positions.
 */
function regions(hashes: Uint32Array, hunks: Int32Array): Region[] {
  const result: { newFrom: number; newTo: number; oldFrom: number; oldTo: number }[] = [];
  for (let at = 0; at + 3 < hunks.length; at += 4) {
    const oldIndex = hunks[at]!;
    const newIndex = hunks[at + 2]!;
    let newFrom = newIndex;
    for (let left = AROUND; newFrom > 0 && left > 0; newFrom--) if ((hashes[newFrom - 1]! & SIGNIFICANT) !== 0) left--;
    let newTo = newIndex + hunks[at + 3]!;
    const end = newTo;
    for (let left = AROUND; newTo < hashes.length && left > 0; newTo++)
      if ((hashes[newTo]! & SIGNIFICANT) !== 0) left--;
    const oldFrom = oldIndex - (newIndex - newFrom);
    const oldTo = oldIndex + hunks[at + 1]! + (newTo - end);
    const last = result.at(-1);
    if (last !== undefined && newFrom <= last.newTo) {
      last.newTo = newTo;
      last.oldTo = oldTo;
    } else result.push({ newFrom, newTo, oldFrom, oldTo });
  }
  return result;
}

/** The file before the hunks were applied, or null when they do not fit. */
function undoHunks(after: Uint32Array, removed: Uint32Array, hunks: Int32Array): Uint32Array | null {
  let size = after.length;
  for (let at = 0; at + 3 < hunks.length; at += 4) size += hunks[at + 1]! - hunks[at + 3]!;
  if (size < 0) return null;
  const before = new Uint32Array(size);
  let from = 0;
  let to = 0;
  let taken = 0;
  for (let at = 0; at + 3 < hunks.length; at += 4) {
    const oldCount = hunks[at + 1]!;
    const keep = hunks[at + 2]! - from;
    if (keep < 0 || hunks[at + 2]! + hunks[at + 3]! > after.length || to + keep !== hunks[at]!) return null;
    if (to + keep + oldCount > size || taken + oldCount > removed.length) return null;
    before.set(after.subarray(from, from + keep), to);
    before.set(removed.subarray(taken, taken + oldCount), to + keep);
    to += keep + oldCount;
    taken += oldCount;
    from += keep + hunks[at + 3]!;
  }
  if (size - to !== after.length - from) return null;
  before.set(after.subarray(from), to);
  return before;
}
