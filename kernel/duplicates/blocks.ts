// The blocks within a stretch of lines, and the stretches that hold all blocks a set of hunks can change.
import { SIGNIFICANT } from '../contract.ts';
import { setWord, word } from '../words.ts';
import { allocate, release } from './memory.ts';

/** Significant lines of a block. */
export const BLOCK_LINES: i32 = 5;
export const AROUND: i32 = BLOCK_LINES - 1;

export function isSignificant(hashes: usize, line: i32): bool {
  return (word(hashes, line) & SIGNIFICANT) !== 0;
}

@unmanaged
export class BlockList {
  count: i32;
  /** Lines there is room for. */
  room: i32;
  signatures: usize;
  /** Of the significant lines, where they stand; block `b` is the five from `lines[b]` on. */
  lines: usize;
}

function makeRoom(blocks: BlockList, lines: i32): void {
  if (lines <= blocks.room) return;
  forgetBlocks(blocks);
  const bytes = (<usize>lines) << 2;
  blocks.signatures = allocate(bytes);
  blocks.lines = allocate(bytes);
  blocks.room = lines;
}

export function forgetBlocks(blocks: BlockList): void {
  if (blocks.room > 0) {
    release(blocks.signatures, (<usize>blocks.room) << 2);
    release(blocks.lines, (<usize>blocks.room) << 2);
  }
  blocks.room = 0;
  blocks.count = 0;
}

export function readBlocks(blocks: BlockList, hashes: usize, from: i32, to: i32): void {
  makeRoom(blocks, to - from);
  const lines = blocks.lines;
  let used: i32 = 0;
  for (let line = from; line < to; line++) if (isSignificant(hashes, line)) setWord(lines, used++, line);
  blocks.count = max(0, used - AROUND);
  for (let block: i32 = 0; block < blocks.count; block++) {
    let signature: i32 = 0x9e3779b9;
    for (let k: i32 = 0; k < BLOCK_LINES; k++) {
      signature = (signature ^ word(hashes, word(lines, block + k))) * 0x85ebca6b;
      signature ^= signature >>> 13;
    }
    setWord(blocks.signatures, block, signature);
  }
}

/** A region is: new from, new to, old from, old to. */
export let regions: usize = 0;
export let regionCount: i32 = 0;
let regionRoom: i32 = 0;

export function region(number: i32, which: i32): i32 {
  return word(regions, number * 4 + which);
}

/** Each hunk with the significant lines around it that share a block with it, merged where they meet. */
export function readRegions(hashes: usize, lineCount: i32, hunks: usize, hunkWords: i32): void {
  if (hunkWords > regionRoom) {
    if (regionRoom > 0) release(regions, (<usize>regionRoom) << 2);
    regions = allocate((<usize>hunkWords) << 2);
    regionRoom = hunkWords;
  }
  let used: i32 = 0;
  for (let at: i32 = 0; at + 3 < hunkWords; at += 4) {
    const oldIndex = word(hunks, at);
    const newIndex = word(hunks, at + 2);
    let newFrom = newIndex;
    for (let left = AROUND; newFrom > 0 && left > 0; newFrom--) if (isSignificant(hashes, newFrom - 1)) left--;
    const end = newIndex + word(hunks, at + 3);
    let newTo = end;
    for (let left = AROUND; newTo < lineCount && left > 0; newTo++) if (isSignificant(hashes, newTo)) left--;
    const oldTo = oldIndex + word(hunks, at + 1) + (newTo - end);
    if (used > 0 && newFrom <= word(regions, used - 3)) {
      setWord(regions, used - 3, newTo);
      setWord(regions, used - 1, oldTo);
      continue;
    }
    setWord(regions, used, newFrom);
    setWord(regions, used + 1, newTo);
    setWord(regions, used + 2, oldIndex - (newIndex - newFrom));
    setWord(regions, used + 3, oldTo);
    used += 4;
  }
  regionCount = used >> 2;
}
