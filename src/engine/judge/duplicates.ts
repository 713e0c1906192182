// Which added lines repeat a block of code that stands elsewhere in the tree. The lines of all files and their blocks are
// in a kernel of their own (kernel/duplicates); here is known which file has which path.
import { CATEGORIES, type CategoryKey } from '../../domain/commits/line-model.ts';
import type { FileJudge } from '../categories/judge-file.ts';
import * as contract from '../kernel-contract.ts';
import { releaseKernels, startKernel } from '../load-kernel.ts';
import {
  type DuplicateCounts,
  type DuplicateIndex,
  type FileShape,
  fileColumn,
  type PathAttributes,
  type TreeLines,
} from '../model/classified.ts';
import { locateHunks } from './locate-hunks.ts';

export interface DuplicateIndexOptions {
  readonly maxBytes: number;
  /** Which files are looked at; see createIndexFilter. */
  readonly isIndexed?: (path: string) => boolean;
}

const INDEXED: ReadonlySet<CategoryKey> = new Set(CATEGORIES.filter((row) => row.has_duplicates).map(({ key }) => key));

const PATHS_KEPT = 20_000;

/** The usual `isIndexed`: by the category that the path alone gives a file. */
export function createIndexFilter(judge: FileJudge, attributes: PathAttributes | null): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    let isIndexed = known.get(path);
    if (isIndexed === undefined) {
      isIndexed = INDEXED.has(judge.judge(path, attributes).category);
      if (known.size >= PATHS_KEPT) known.clear();
      known.set(path, isIndexed);
    }
    return isIndexed;
  };
}

interface DuplicatesExports {
  readonly TOUCHED_BYTES: WebAssembly.Global;
  readonly MATCHED_IN: WebAssembly.Global;
  /** The number of the last judgement. */
  readonly judgement: WebAssembly.Global;
  open(): void;
  roomFor(bytes: number): number;
  bytesUsed(): number;
  bytesOf(hashes: number, length: number): number;
  insert(hashes: number, length: number): number;
  hashesOf(file: number): number;
  lengthOf(file: number): number;
  replace(file: number, hashes: number, length: number): void;
  drop(file: number): void;
  undo(file: number, removed: number, removedCount: number, hunks: number, hunkWords: number): number;
  judgeFirstParent(rows: number, count: number, ops: number, counts: number): void;
  judgeMerged(rows: number, count: number, hashes: number, lines: number, ops: number, counts: number): void;
}

/** What a file costs beside its hashes and blocks. */
const FILE_BYTES = 200;
/** A memory that is larger, and more than so many times what is in use, is left for a new one. */
const SPARSE = { bytes: 32 << 20, times: 2.5 } as const;
interface DuplicatesKernel {
  readonly memory: WebAssembly.Memory;
  readonly calls: DuplicatesExports;
}

function openKernel(): DuplicatesKernel {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const calls = startKernel('duplicates', memory) as DuplicatesExports;
  calls.open();
  return { memory, calls };
}

/** Where a commit lies in the kernel: its own arrays, the hunks of each file, and room for rows and counts. */
interface Placed {
  readonly commit: TreeLines;
  readonly shapes: readonly FileShape[];
  readonly addedHashes: number;
  readonly removedHashes: number;
  readonly addedOps: number;
  readonly hunks: readonly number[];
  readonly rows: number;
  readonly counts: number;
}

export function createDuplicateIndex({ maxBytes, isIndexed = () => true }: DuplicateIndexOptions): DuplicateIndex {
  let { memory, calls } = openKernel();
  const rowWords = calls.TOUCHED_BYTES.value >> 2;
  /** By path, what the kernel knows a file by. */
  const files = new Map<string, number>();
  let isFull = false;
  /** What the memory took when all files had just moved into it. */
  let freshBytes = 0;
  let placed: Placed | null = null;

  const bytesUsed = () => calls.bytesUsed() + files.size * FILE_BYTES;

  /** For hashes that lie in the kernel's memory. */
  function hasRoom(at: number, length: number): boolean {
    if (bytesUsed() + calls.bytesOf(at, length) <= maxBytes) return true;
    isFull = true;
    return false;
  }

  function insert(path: string, at: number, length: number): boolean {
    if (!hasRoom(at, length)) return false;
    files.set(path, calls.insert(at, length));
    return true;
  }

  function drop(path: string): void {
    const file = files.get(path);
    if (file === undefined) return;
    calls.drop(file);
    files.delete(path);
  }

  /** Whether there is still room for a file that has just changed; it is given up otherwise. */
  function keepWithin(path: string): boolean {
    if (bytesUsed() <= maxBytes) return true;
    isFull = true;
    drop(path);
    return false;
  }

  /** Of pieces that were given back, only others of the same size can be made: over a history much of the memory idles. */
  function leaveSparseMemory(): void {
    if (memory.buffer.byteLength <= Math.max(SPARSE.bytes, SPARSE.times * bytesUsed(), 2 * freshBytes)) return;
    moveToFreshMemory();
    releaseKernels();
  }

  function moveToFreshMemory(): void {
    const old = { memory, calls };
    ({ memory, calls } = openKernel());
    placed = null;
    for (const [path, file] of files) {
      const length = old.calls.lengthOf(file);
      const at = calls.roomFor(length * 4);
      const hashes = new Uint32Array(old.memory.buffer, old.calls.hashesOf(file), length);
      new Uint32Array(memory.buffer).set(hashes, at >> 2);
      files.set(path, calls.insert(at, length));
    }
    freshBytes = memory.buffer.byteLength;
  }

  /** A commit is mostly judged and then undone with the same hunks: it is written once. */
  function place(commit: TreeLines, shapes: readonly FileShape[]): Placed {
    const isPlaced =
      placed?.commit === commit &&
      placed.shapes.length === shapes.length &&
      placed.shapes.every(({ hunks }, i) => hunks === shapes[i]!.hunks);
    if (placed !== null && isPlaced) return placed;
    const hashBytes = commit.addedHashes.byteLength + commit.removedHashes.byteLength;
    const rowBytes = shapes.length * (rowWords + contract.DUPLICATE_WORDS) * 4;
    const hunkBytes = shapes.reduce((sum, { hunks }) => sum + hunks.byteLength, 0);
    const addedHashes = calls.roomFor(hashBytes + rowBytes + hunkBytes + commit.addedOps.length);
    const removedHashes = addedHashes + commit.addedHashes.byteLength;
    const rows = removedHashes + commit.removedHashes.byteLength;
    const counts = rows + shapes.length * rowWords * 4;
    let at = counts + shapes.length * contract.DUPLICATE_WORDS * 4;
    const words = new Int32Array(memory.buffer);
    words.set(commit.addedHashes, addedHashes >> 2);
    words.set(commit.removedHashes, removedHashes >> 2);
    const hunks = shapes.map((shape) => {
      words.set(shape.hunks, at >> 2);
      at += shape.hunks.byteLength;
      return at - shape.hunks.byteLength;
    });
    new Uint8Array(memory.buffer).set(commit.addedOps, at);
    placed = { commit, shapes, addedHashes, removedHashes, addedOps: at, hunks, rows, counts };
    return placed;
  }

  function undoFileOf(commit: TreeLines, index: number, shape: FileShape, { removedHashes, hunks }: Placed): void {
    const { oldPath, newPath } = shape;
    const removedAt = removedHashes + fileColumn(commit, index, 'removedStart') * 4;
    const removed = fileColumn(commit, index, 'removed');
    if (newPath === null) {
      if (oldPath !== null && isIndexed(oldPath)) {
        drop(oldPath);
        insert(oldPath, removedAt, removed);
      }
      return;
    }
    const file = oldPath === null ? undefined : files.get(newPath);
    // If there is no room, or the diff does not fit what is known of the file: better no file than a wrong one.
    if (
      oldPath === null ||
      file === undefined ||
      !hasRoom(removedAt, removed) ||
      !calls.undo(file, removedAt, removed, hunks[index]!, shape.hunks.length)
    ) {
      drop(newPath);
      return;
    }
    if (oldPath !== newPath) {
      files.delete(newPath);
      // A file that a rename of the same commit overwrote is in the way only if the diff is odd.
      drop(oldPath);
      files.set(oldPath, file);
    }
    keepWithin(oldPath);
  }

  /** A view that holds until the kernel is called again. */
  const hashesOf = (file: number): Uint32Array =>
    new Uint32Array(memory.buffer, calls.hashesOf(file), calls.lengthOf(file));

  return {
    get isFull() {
      return isFull;
    },
    get bytesUsed() {
      return bytesUsed();
    },
    get memoryBytes() {
      return memory.buffer.byteLength;
    },
    load(path, hashes) {
      if (!isIndexed(path)) return false;
      placed = null;
      leaveSparseMemory();
      const at = calls.roomFor(hashes.byteLength);
      new Uint32Array(memory.buffer).set(hashes, at >> 2);
      const file = files.get(path);
      if (file === undefined) return insert(path, at, hashes.length);
      calls.replace(file, at, hashes.length);
      return keepWithin(path);
    },
    undoFile(path, removedHashes, hunks) {
      const file = files.get(path);
      if (file === undefined) return false;
      placed = null;
      const at = calls.roomFor(removedHashes.byteLength + hunks.byteLength);
      const hunksAt = at + removedHashes.byteLength;
      const words = new Int32Array(memory.buffer);
      words.set(removedHashes, at >> 2);
      words.set(hunks, hunksAt >> 2);
      if (!calls.undo(file, at, removedHashes.length, hunksAt, hunks.length)) return false;
      keepWithin(path);
      return true;
    },
    drop,
    linesOf(path) {
      const file = files.get(path);
      return file === undefined ? null : hashesOf(file).slice();
    },
    matched() {
      const paths: string[] = [];
      const words = new Int32Array(memory.buffer);
      const [place, last] = [calls.MATCHED_IN.value >> 2, calls.judgement.value];
      for (const [path, file] of files) if (words[(file >> 2) + place] === last) paths.push(path);
      return paths;
    },
    locate(commit, fileIndex, shape) {
      if (shape.newPath === null || !isIndexed(shape.newPath)) return shape;
      const file = files.get(shape.newPath);
      if (file === undefined) return null;
      const from = fileColumn(commit, fileIndex, 'addedStart');
      const added = commit.addedHashes.subarray(from, from + fileColumn(commit, fileIndex, 'added'));
      const hunks = locateHunks(hashesOf(file), added, shape.hunks);
      return hunks === null ? null : { ...shape, hunks };
    },
    undo(commit, shapes) {
      const known = place(commit, shapes);
      // Renames may swap names: all files first leave their new names, then take their old ones.
      const parked = new Map<number, string>();
      shapes.forEach(({ oldPath, newPath }, index) => {
        if (oldPath === null || newPath === null || oldPath === newPath) return;
        const file = files.get(newPath);
        if (file === undefined) return;
        const name = `${newPath}\0${index}`;
        files.delete(newPath);
        files.set(name, file);
        parked.set(index, name);
      });
      shapes.forEach((shape, index) => {
        if (shape.oldPath === null) undoFileOf(commit, index, shape, known);
      });
      shapes.forEach((shape, index) => {
        if (shape.oldPath === null) return;
        const name = parked.get(index);
        const isRename = shape.newPath !== null && shape.newPath !== shape.oldPath;
        if (isRename && name === undefined) return;
        undoFileOf(commit, index, name === undefined ? shape : { ...shape, newPath: name }, known);
      });
      placed = null;
      leaveSparseMemory();
    },
    duplicatesOf(commit, shapes, isFirstParent): DuplicateCounts {
      const { addedHashes, addedOps, hunks, rows, counts } = place(commit, shapes);
      const words = new Int32Array(memory.buffer);
      words.fill(0, rows >> 2, (counts >> 2) + shapes.length * contract.DUPLICATE_WORDS);
      shapes.forEach((shape, index) => {
        const { newPath } = shape;
        const row = (rows >> 2) + index * rowWords;
        words[row + contract.TOUCHED_FILE] = newPath === null ? 0 : (files.get(newPath) ?? 0);
        words[row + contract.TOUCHED_HUNKS] = hunks[index]!;
        words[row + contract.TOUCHED_HUNK_WORDS] = shape.hunks.length;
        words[row + contract.TOUCHED_ADDED_START] = fileColumn(commit, index, 'addedStart');
        words[row + contract.TOUCHED_ADDED] = fileColumn(commit, index, 'added');
        words[row + contract.TOUCHED_IS_INDEXED] = newPath !== null && isIndexed(newPath) ? 1 : 0;
      });
      if (isFirstParent) calls.judgeFirstParent(rows, shapes.length, addedOps, counts);
      else calls.judgeMerged(rows, shapes.length, addedHashes, commit.addedHashes.length, addedOps, counts);
      return new Uint32Array(memory.buffer, counts, shapes.length * contract.DUPLICATE_WORDS).slice();
    },
  };
}
