// How many of a commit's added lines repeat a block that stands elsewhere in the tree, and how many of those were copied
// from older code.
import {
  ADDED,
  COPY_PASTED,
  DUPLICATE_COPIED,
  DUPLICATE_LINES,
  DUPLICATE_WORDS,
  OP_MASK,
  OPERATION_CODES,
  TOUCHED_ADDED,
  TOUCHED_ADDED_START,
  TOUCHED_FILE,
  TOUCHED_HUNK_WORDS,
  TOUCHED_HUNKS,
  TOUCHED_IS_INDEXED,
} from '../contract.ts';
import { setWord, word } from '../words.ts';
import {
  AROUND,
  BLOCK_LINES,
  BlockList,
  forgetBlocks,
  readBlocks,
  readRegions,
  region,
  regionCount,
} from './blocks.ts';
import { IndexedFile } from './files.ts';
import { allocate, release } from './memory.ts';
import { foundCount, foundFile, has, isRepeated, readFiles } from './signature-table.ts';

/** Marks of a line: in a duplicate block; the other place is older than the commit. */
const DUPLICATE: u8 = 1;
const COPIED: u8 = 2;
/** Places looked at of one signature in one file: a file that repeats itself a thousand times needs no more. */
const MOST_PLACES: i32 = 16;

/** A file of the commit, as the caller gives it. */
@unmanaged
export class Touched {
  /** 0 when it is not in the index. */
  file: usize;
  hunks: usize;
  hunkWords: i32;
  /** The first of its added lines among the commit's, and how many they are. */
  addedStart: i32;
  addedCount: i32;
  isIndexed: i32;
  // Worked out when first needed: which of its lines the commit added, and all of its blocks, chained in order under
  // slots by signature.
  added: usize;
  blocks: usize;
  firsts: usize;
  firstsMask: i32;
  nexts: usize;
  /** Of each block, whether a line of it is older than the commit. */
  hasOlder: usize;
  /** Whether the commit added all lines that its blocks have. */
  isNew: i32;
}
export const TOUCHED_BYTES: usize = offsetof<Touched>();
if (
  offsetof<Touched>('file') !== TOUCHED_FILE * 4 ||
  offsetof<Touched>('hunks') !== TOUCHED_HUNKS * 4 ||
  offsetof<Touched>('hunkWords') !== TOUCHED_HUNK_WORDS * 4 ||
  offsetof<Touched>('addedStart') !== TOUCHED_ADDED_START * 4 ||
  offsetof<Touched>('addedCount') !== TOUCHED_ADDED * 4 ||
  offsetof<Touched>('isIndexed') !== TOUCHED_IS_INDEXED * 4
)
  ERROR('Touched lies otherwise than the contract says');
if (OPERATION_CODES !== 7) ERROR('countLines chooses among seven operation codes: say whether the new one is counted');

const BLOCK_LIST_BYTES: usize = 16;
const blocks = changetype<BlockList>(memory.data(16));

function touchedAt(rows: usize, index: i32): Touched {
  return changetype<Touched>(rows + <usize>index * TOUCHED_BYTES);
}

/** Counts the judgements: a file that bears the number of the last one held the other place of some block. */
export let judgement: i32 = 0;

/** The commit's lines stand in the index: every block that covers one of them is looked up. */
export function judgeFirstParent(rows: usize, count: i32, ops: usize, counts: usize): void {
  judgement++;
  // The last one counts of files that are given twice under one name.
  for (let index: i32 = 0; index < count; index++) {
    const touched = touchedAt(rows, index);
    if (touched.file !== 0) changetype<IndexedFile>(touched.file).touched = changetype<usize>(touched);
  }
  for (let index: i32 = 0; index < count; index++) {
    const touched = touchedAt(rows, index);
    if (touched.file === 0) continue;
    const file = changetype<IndexedFile>(touched.file);
    if (file.touched === changetype<usize>(touched)) judgeFile(touched, file, ops, countsOf(counts, index));
  }
  for (let index: i32 = 0; index < count; index++) forget(touchedAt(rows, index));
}

/**
 * Signatures that were found to stand in a file which the commit does not touch, each with the judgement that found it:
 * files that are alike repeat them many times, and nothing changes within a judgement.
 */
const ELSEWHERE_SLOTS: i32 = 1 << 12;
const ELSEWHERE = memory.data(32768);

function elsewhereSlot(signature: i32): usize {
  return ELSEWHERE + ((<usize>slotOf(signature, ELSEWHERE_SLOTS - 1)) << 3);
}

function isKnownElsewhere(signature: i32): bool {
  const slot = elsewhereSlot(signature);
  return word(slot, 0) === signature && word(slot, 1) === judgement;
}

function keepElsewhere(signature: i32): void {
  const slot = elsewhereSlot(signature);
  setWord(slot, 0, signature);
  setWord(slot, 1, judgement);
}

function judgeFile(touched: Touched, file: IndexedFile, ops: usize, counts: usize): void {
  if (!isWithin(touched, file.length)) return;
  let marks: usize = 0;
  const length = <usize>file.length;
  readRegions(file.hashes, file.length, touched.hunks, touched.hunkWords);
  for (let i: i32 = 0; i < regionCount; i++) {
    readBlocks(blocks, file.hashes, region(i, 0), region(i, 1));
    for (let block: i32 = 0; block < blocks.count; block++) {
      const signature = word(blocks.signatures, block);
      const isElsewhere = isKnownElsewhere(signature);
      // One entry is this block itself.
      if (!isElsewhere && !has(signature, 2)) continue;
      if (marks === 0) {
        marks = allocate(length);
        memory.fill(marks, 0, length);
      }
      if (isElsewhere) markAsCopied(block, marks);
      else {
        readFiles(signature);
        markBlock(block, marks, file);
      }
    }
  }
  if (marks === 0) return;
  // Lines around the hunks may be marked too; only added ones are counted.
  countLines(touched, ops, marks, counts);
  release(marks, length);
}

/** Otherwise the diff does not fit what is known of the file. */
function isWithin(touched: Touched, lines: i32): bool {
  for (let at: i32 = 0; at + 3 < touched.hunkWords; at += 4)
    if (word(touched.hunks, at + 2) + word(touched.hunks, at + 3) > lines) return false;
  return true;
}

/** Whether all lines of the block at hand are marked as duplicates: then only older places say something new. */
let isMarked: bool = false;

/** Marks the lines of a block for the files that were found to have it too. */
function markBlock(block: i32, marks: usize, file: IndexedFile): void {
  let isElsewhere = false;
  for (let other: i32 = 0; other < foundCount; other++) {
    const found = changetype<IndexedFile>(foundFile(other));
    found.matchedIn = judgement;
    if (found.touched === 0) isElsewhere = true;
  }
  if (isElsewhere) {
    keepElsewhere(word(blocks.signatures, block));
    markAsCopied(block, marks);
    return;
  }
  isMarked = false;
  for (let other: i32 = 0; other < foundCount; other++) {
    const found = foundFile(other);
    const isSameFile = found === changetype<usize>(file);
    if (isSameFile && !isRepeated(other)) continue;
    if (markAlike(block, marks, changetype<Touched>(changetype<IndexedFile>(found).touched), isSameFile)) return;
  }
}

function markAsCopied(block: i32, marks: usize): void {
  for (let k: i32 = 0; k < BLOCK_LINES; k++)
    store<u8>(marks + <usize>word(blocks.lines, block + k), DUPLICATE | COPIED);
}

function slotOf(signature: i32, mask: i32): i32 {
  return (signature ^ (signature >>> 16)) & mask;
}

/**
 * Marks the lines of a block that stands in `other` too, at a place that it does not overlap. True when all of them are
 * marked as copied: then no further place says anything new.
 */
function markAlike(block: i32, marks: usize, other: Touched, isSameFile: bool): bool {
  if (other.blocks === 0) findPlaces(other);
  if (isMarked && other.isNew !== 0) return false;
  const others = changetype<BlockList>(other.blocks);
  const mine = blocks.lines;
  const theirs = others.lines;
  const signature = word(blocks.signatures, block);
  let left = MOST_PLACES;
  let place = word(other.firsts, slotOf(signature, other.firstsMask));
  for (; place >= 0 && left > 0; place = word(other.nexts, place)) {
    if (word(others.signatures, place) !== signature) continue;
    left--;
    const overlaps =
      word(theirs, place) <= word(mine, block + AROUND) && word(mine, block) <= word(theirs, place + AROUND);
    if ((isSameFile && overlaps) || (isMarked && load<u8>(other.hasOlder + <usize>place) === 0)) continue;
    let all: u8 = DUPLICATE | COPIED;
    for (let k: i32 = 0; k < BLOCK_LINES; k++) {
      const isNew = load<u8>(other.added + <usize>word(theirs, place + k)) !== 0;
      const at = marks + <usize>word(mine, block + k);
      const mark: u8 = load<u8>(at) | (isNew ? DUPLICATE : DUPLICATE | COPIED);
      store<u8>(at, mark);
      all &= mark;
    }
    if ((all & COPIED) !== 0) return true;
    isMarked = true;
  }
  return false;
}

function findPlaces(touched: Touched): void {
  const file = changetype<IndexedFile>(touched.file);
  const all = changetype<BlockList>(allocate(BLOCK_LIST_BYTES));
  all.room = 0;
  readBlocks(all, file.hashes, 0, file.length);
  const slots = 1 << (32 - clz(all.count));
  touched.blocks = changetype<usize>(all);
  touched.firsts = allocate((<usize>slots) << 2);
  touched.firstsMask = slots - 1;
  touched.nexts = allocate((<usize>all.count) << 2);
  memory.fill(touched.firsts, 255, (<usize>slots) << 2);
  for (let block = all.count - 1; block >= 0; block--) {
    const slot = slotOf(word(all.signatures, block), touched.firstsMask);
    setWord(touched.nexts, block, word(touched.firsts, slot));
    setWord(touched.firsts, slot, block);
  }
  touched.added = allocate(<usize>file.length);
  memory.fill(touched.added, 0, <usize>file.length);
  for (let at: i32 = 0; at + 3 < touched.hunkWords; at += 4) {
    const from = min(file.length, word(touched.hunks, at + 2));
    const to = min(file.length, from + word(touched.hunks, at + 3));
    memory.fill(touched.added + <usize>from, 1, <usize>(to - from));
  }
  touched.hasOlder = allocate(<usize>all.count);
  let lastOlder: i32 = -1;
  for (let line: i32 = 0; line < all.count + AROUND && all.count > 0; line++) {
    if (load<u8>(touched.added + <usize>word(all.lines, line)) === 0) lastOlder = line;
    const block = line - AROUND;
    if (block >= 0) store<u8>(touched.hasOlder + <usize>block, u8(lastOlder >= block));
  }
  touched.isNew = i32(lastOlder < 0);
}

function forget(touched: Touched): void {
  if (touched.file === 0) return;
  const file = changetype<IndexedFile>(touched.file);
  file.touched = 0;
  if (touched.blocks === 0) return;
  const all = changetype<BlockList>(touched.blocks);
  release(touched.firsts, (<usize>(touched.firstsMask + 1)) << 2);
  release(touched.nexts, (<usize>all.count) << 2);
  release(touched.added, <usize>file.length);
  release(touched.hasOlder, <usize>all.count);
  forgetBlocks(all);
  release(touched.blocks, BLOCK_LIST_BYTES);
}

function countLines(touched: Touched, ops: usize, marks: usize, counts: usize): void {
  let line = touched.addedStart;
  const end = line + touched.addedCount;
  for (let at: i32 = 0; at + 3 < touched.hunkWords; at += 4) {
    const from = marks + <usize>word(touched.hunks, at + 2);
    const added = min(end - line, word(touched.hunks, at + 3));
    for (let k: i32 = 0; k < added; k++) countLine(ops, line++, load<u8>(from + <usize>k), counts);
  }
}

function countsOf(counts: usize, index: i32): usize {
  return counts + <usize>(index * DUPLICATE_WORDS * 4);
}

function addOne(counts: usize, which: i32): void {
  setWord(counts, which, word(counts, which) + 1);
}

function countLine(ops: usize, line: i32, mark: u8, counts: usize): void {
  if (mark === 0) return;
  const op = <i32>load<u8>(ops + <usize>line) & OP_MASK;
  if (op !== ADDED && op !== COPY_PASTED) return;
  addOne(counts, DUPLICATE_LINES);
  if ((mark & COPIED) !== 0 && op === ADDED) addOne(counts, DUPLICATE_COPIED);
}

/** Beside the number in a slot: whether the tree has the signature, once that is known. */
const IN_TREE: i32 = 1 << 30;
const NOT_IN_TREE: i32 = 1 << 29;
const TIMES: i32 = NOT_IN_TREE - 1;

/** How often the commit has each signature: a signature and a number in each slot, 0 where free. */
let own: usize = 0;
let ownMask: i32 = 0;

function ownSlot(signature: i32): usize {
  let slot = slotOf(signature, ownMask);
  let at = own + ((<usize>slot) << 3);
  while (word(at, 1) !== 0 && word(at, 0) !== signature) {
    slot = (slot + 1) & ownMask;
    at = own + ((<usize>slot) << 3);
  }
  return at;
}

/** Only blocks of added lines in a row are known; they are compared with the tree and with each other. */
export function judgeMerged(rows: usize, count: i32, hashes: usize, lines: i32, ops: usize, counts: usize): void {
  judgement++;
  let slots: i32 = 16;
  while (slots < lines * 2) slots *= 2;
  own = allocate((<usize>slots) << 3);
  ownMask = slots - 1;
  memory.fill(own, 0, (<usize>slots) << 3);
  const marks = allocate(<usize>lines);
  memory.fill(marks, 0, <usize>lines);
  for (let index: i32 = 0; index < count; index++) lookAtHunks(touchedAt(rows, index), hashes, 0);
  for (let index: i32 = 0; index < count; index++) lookAtHunks(touchedAt(rows, index), hashes, marks);
  for (let index: i32 = 0; index < count; index++) {
    const touched = touchedAt(rows, index);
    const end = touched.addedStart + touched.addedCount;
    for (let line = touched.addedStart; line < end; line++)
      countLine(ops, line, load<u8>(marks + <usize>line), countsOf(counts, index));
  }
  release(marks, <usize>lines);
  release(own, (<usize>slots) << 3);
}

/** First without marks, to count the blocks; then to mark those that are met elsewhere. */
function lookAtHunks(touched: Touched, hashes: usize, marks: usize): void {
  if (touched.isIndexed === 0) return;
  let from = touched.addedStart;
  const end = from + touched.addedCount;
  for (let at: i32 = 0; at + 3 < touched.hunkWords; at += 4) {
    const to = min(end, from + word(touched.hunks, at + 3));
    readBlocks(blocks, hashes, from, to);
    for (let block: i32 = 0; block < blocks.count; block++) {
      const signature = word(blocks.signatures, block);
      const slot = ownSlot(signature);
      if (marks === 0) {
        setWord(slot, 0, signature);
        setWord(slot, 1, word(slot, 1) + 1);
      } else {
        if ((word(slot, 1) & ~TIMES) === 0) setWord(slot, 1, word(slot, 1) | lookIntoTree(signature));
        markOwn(block, marks, (word(slot, 1) & IN_TREE) !== 0, word(slot, 1) & TIMES);
      }
    }
    from = to;
  }
}

function lookIntoTree(signature: i32): i32 {
  readFiles(signature);
  for (let other: i32 = 0; other < foundCount; other++) changetype<IndexedFile>(foundFile(other)).matchedIn = judgement;
  return foundCount > 0 ? IN_TREE : NOT_IN_TREE;
}

function markOwn(block: i32, marks: usize, isCopied: bool, times: i32): void {
  if (!isCopied && times < 2) return;
  for (let k: i32 = 0; k < BLOCK_LINES; k++) {
    const at = marks + <usize>word(blocks.lines, block + k);
    store<u8>(at, load<u8>(at) | (isCopied ? DUPLICATE | COPIED : DUPLICATE));
  }
}
