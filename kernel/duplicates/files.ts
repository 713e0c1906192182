// The files of the tree: their line hashes, and how they are taken back over a commit's hunks.
import { setWord, word } from '../words.ts';
import { BlockList, readBlocks, readRegions, region, regionCount } from './blocks.ts';
import { allocate, release } from './memory.ts';
import { add, Found, remove } from './signature-table.ts';

/** Lines; a smaller file gives no room back. */
const SMALL_FILE: i32 = 64;

@unmanaged
export class IndexedFile extends Found {
  /** With room behind the file's lines: a file changes often, and mostly by little. */
  hashes: usize;
  length: i32;
  room: i32;
  /** What is known of it in the commit at hand; 0 when that does not touch it. */
  touched: usize;
  /** The last judgement that found a block of its lines at another place too. */
  matchedIn: i32;
}

const FILE_BYTES: usize = offsetof<IndexedFile>();

/** Of all files, with their room. */
export let hashBytes: i32 = 0;

const blocks = changetype<BlockList>(memory.data(16));
/** From the first line in which two versions differ to the last. */
const WHOLE_HUNK = memory.data(16);

function addBlocks(file: IndexedFile, from: i32, to: i32): void {
  readBlocks(blocks, file.hashes, from, to);
  for (let block: i32 = 0; block < blocks.count; block++) add(word(blocks.signatures, block), changetype<usize>(file));
}

function removeBlocks(file: IndexedFile, from: i32, to: i32): void {
  readBlocks(blocks, file.hashes, from, to);
  for (let block: i32 = 0; block < blocks.count; block++)
    remove(word(blocks.signatures, block), changetype<usize>(file));
}

export function insertFile(hashes: usize, length: i32): IndexedFile {
  const file = changetype<IndexedFile>(allocate(FILE_BYTES));
  const bytes = (<usize>length) << 2;
  file.hashes = allocate(bytes);
  file.length = length;
  file.room = length;
  file.reading = 0;
  file.place = 0;
  file.touched = 0;
  file.matchedIn = 0;
  memory.copy(file.hashes, hashes, bytes);
  hashBytes += length << 2;
  addBlocks(file, 0, length);
  return file;
}

export function dropFile(file: IndexedFile): void {
  removeBlocks(file, 0, file.length);
  hashBytes -= file.room << 2;
  release(file.hashes, (<usize>file.room) << 2);
  release(changetype<usize>(file), FILE_BYTES);
}

/** Takes the file to what it was before the hunks; false, and nothing happens, when they do not fit it. */
export function undoFile(file: IndexedFile, removed: usize, removedCount: i32, hunks: usize, hunkWords: i32): bool {
  if (!fits(file.length, removedCount, hunks, hunkWords)) return false;
  if (hunkWords === 0) return true;
  readRegions(file.hashes, file.length, hunks, hunkWords);
  for (let i: i32 = 0; i < regionCount; i++) removeBlocks(file, region(i, 0), region(i, 1));
  undoHunks(file, removed, hunks, hunkWords);
  for (let i: i32 = 0; i < regionCount; i++) addBlocks(file, region(i, 2), region(i, 3));
  return true;
}

/** Gives the file other lines; blocks that both versions begin or end with stay as they are. */
export function replaceLines(file: IndexedFile, hashes: usize, length: i32): void {
  const least = min(file.length, length);
  let same: i32 = 0;
  while (same < least && word(file.hashes, same) === word(hashes, same)) same++;
  let sameEnd: i32 = 0;
  while (sameEnd < least - same && word(file.hashes, file.length - 1 - sameEnd) === word(hashes, length - 1 - sameEnd))
    sameEnd++;
  const before = length - same - sameEnd;
  const after = file.length - same - sameEnd;
  if (before === 0 && after === 0) return;
  setWord(WHOLE_HUNK, 0, same);
  setWord(WHOLE_HUNK, 1, before);
  setWord(WHOLE_HUNK, 2, same);
  setWord(WHOLE_HUNK, 3, after);
  undoFile(file, hashes + ((<usize>same) << 2), before, WHOLE_HUNK, 4);
}

/** Whether the hunks can have led to a file of so many lines. */
function fits(lineCount: i32, removedCount: i32, hunks: usize, hunkWords: i32): bool {
  let size = lineCount;
  for (let at: i32 = 0; at + 3 < hunkWords; at += 4) size += word(hunks, at + 1) - word(hunks, at + 3);
  if (size < 0) return false;
  let from: i32 = 0;
  let to: i32 = 0;
  let taken: i32 = 0;
  for (let at: i32 = 0; at + 3 < hunkWords; at += 4) {
    const keep = word(hunks, at + 2) - from;
    taken += word(hunks, at + 1);
    if (keep < 0 || word(hunks, at + 2) + word(hunks, at + 3) > lineCount || to + keep !== word(hunks, at))
      return false;
    to += keep + word(hunks, at + 1);
    if (to > size || taken > removedCount) return false;
    from += keep + word(hunks, at + 3);
  }
  return size - to === lineCount - from;
}

/** Only what lies behind the first hunk is moved. */
function undoHunks(file: IndexedFile, removed: usize, hunks: usize, hunkWords: i32): void {
  const last = hunkWords - 4;
  const start = word(hunks, 2);
  const afterEnd = word(hunks, last + 2) + word(hunks, last + 3);
  const beforeEnd = word(hunks, last) + word(hunks, last + 1);
  const size = beforeEnd + file.length - afterEnd;
  // From the first hunk to the last one by itself, because some of it moves up and some down.
  const changedBytes = (<usize>(beforeEnd - start)) << 2;
  const changed = allocate(changedBytes);
  let used: i32 = 0;
  let taken: i32 = 0;
  let from = start;
  for (let at: i32 = 0; at <= last; at += 4) {
    for (; from < word(hunks, at + 2); from++) setWord(changed, used++, word(file.hashes, from));
    for (let left = word(hunks, at + 1); left > 0; left--) setWord(changed, used++, word(removed, taken++));
    from += word(hunks, at + 3);
  }
  const before = file.hashes;
  const behind = before + ((<usize>afterEnd) << 2);
  const behindBytes = (<usize>(file.length - afterEnd)) << 2;
  const room = file.room;
  if (size > room || (size * 4 < room && room > SMALL_FILE)) {
    file.room = size > room ? size + (size >> 3) : size;
    file.hashes = allocate((<usize>file.room) << 2);
    hashBytes += (file.room - room) << 2;
    memory.copy(file.hashes, before, (<usize>start) << 2);
    memory.copy(file.hashes + ((<usize>beforeEnd) << 2), behind, behindBytes);
    release(before, (<usize>room) << 2);
  } else memory.copy(before + ((<usize>beforeEnd) << 2), behind, behindBytes);
  memory.copy(file.hashes + ((<usize>start) << 2), changed, changedBytes);
  release(changed, changedBytes);
  file.length = size;
}
