// Which added lines repeat a block that stands elsewhere in the tree. A block is five significant lines in a row, equal
// but for whitespace and for insignificant lines between them; a line is a duplicate when some block that covers it also
// stands at another place, in another file or far enough away in its own not to overlap. (Blocks grown outward from there
// are unions of such blocks.) Compiled to WebAssembly by the build.
//
// The index holds each file's line hashes, and for each block of each file one entry under the block's signature. Entries
// name the file, not the position: positions shift with every undo. Undoing a commit touches only the blocks around its
// hunks. Which path a file has is for the caller to know.
import { BLOCK_LINES, isSignificant } from './blocks.ts';
import { dropFile, hashBytes, IndexedFile, insertFile, replaceLines, undoFile } from './files.ts';
import { judgeFirstParent, judgeMerged, judgement, TOUCHED_BYTES } from './judge-commit.ts';
import { allocate, release } from './memory.ts';
import { growthFor, openTable, SLOT_BYTES, slots } from './signature-table.ts';

export { BLOCK_LINES, judgeFirstParent, judgeMerged, judgement, TOUCHED_BYTES };

/** In a file, the number of the last judgement that found a block of its lines at another place, too. */
export const MATCHED_IN: usize = offsetof<IndexedFile>('matchedIn');

let given: usize = 0;
let givenBytes: usize = 0;

/** Once. */
export function open(): void {
  openTable();
}

/** Room for what the caller gives: valid until more is requested. */
export function roomFor(bytes: i32): usize {
  if (<usize>bytes <= givenBytes) return given;
  if (givenBytes > 0) release(given, givenBytes);
  givenBytes = <usize>bytes;
  given = allocate(givenBytes);
  return given;
}

/** Of hashes and blocks. */
export function bytesUsed(): i32 {
  return hashBytes + slots * SLOT_BYTES;
}

/** What these lines would add at most. */
export function bytesOf(hashes: usize, length: i32): i32 {
  let significant: i32 = 0;
  for (let line: i32 = 0; line < length; line++) significant += i32(isSignificant(hashes, line));
  return (length << 2) + growthFor(significant);
}

export function insert(hashes: usize, length: i32): usize {
  return changetype<usize>(insertFile(hashes, length));
}

export function hashesOf(file: usize): usize {
  return changetype<IndexedFile>(file).hashes;
}

export function lengthOf(file: usize): i32 {
  return changetype<IndexedFile>(file).length;
}

export function replace(file: usize, hashes: usize, length: i32): void {
  replaceLines(changetype<IndexedFile>(file), hashes, length);
}

export function drop(file: usize): void {
  dropFile(changetype<IndexedFile>(file));
}

/** False when the hunks do not fit what is known of the file. */
export function undo(file: usize, removed: usize, removedCount: i32, hunks: usize, hunkWords: i32): bool {
  return undoFile(changetype<IndexedFile>(file), removed, removedCount, hunks, hunkWords);
}
