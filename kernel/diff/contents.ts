// Numbers lines by content: lines with the same bytes get the same number, whichever version they are of.
import { setWord, word } from '../words.ts';
import { areSame, commonPrefix, endMark, hashBytes } from './lines.ts';
import { CONTENTS, SLOTS } from './memory.ts';
import { after, before, lineAt, lineLength, lineStart, Version } from './version.ts';
import { differing } from './window.ts';

@unmanaged
class Content {
  at: usize;
  length: i32;
  hash: u32;
  /** How many lines of each version have it. */
  inOld: i32;
  inNew: i32;
  /** The last line of the older version that has it. */
  oldLine: i32;
}

let contents: i32 = 0;
let slotMask: u32 = 0;

/** A bit for each mark that some line of the window has: most lines outside share none and need not be hashed. */
const MARK_BITS: i32 = 1 << 13;
const MARKS = memory.data(1024);

function noteMark(at: usize, length: i32): void {
  const mark = endMark(at, length) & (MARK_BITS - 1);
  setWord(MARKS, mark >> 5, word(MARKS, mark >> 5) | (1 << (mark & 31)));
}

function isMarked(at: usize, length: i32): bool {
  const mark = endMark(at, length) & (MARK_BITS - 1);
  return ((word(MARKS, mark >> 5) >>> (mark & 31)) & 1) !== 0;
}

function content(number: i32): Content {
  return changetype<Content>(CONTENTS + <usize>number * offsetof<Content>());
}

/** How many lines of the other version have the content. */
export function partners(number: i32, isOld: bool): i32 {
  return isOld ? content(number).inNew : content(number).inOld;
}

/** Numbers the lines of the window. False when the versions have none in common there. */
export function numberLines(): bool {
  contents = 0;
  const lines = differing.oldTo + differing.newTo - 2 * differing.head;
  const slots: u32 = 1 << (33 - <u32>clz(lines | 7));
  slotMask = slots - 1;
  memory.fill(SLOTS, 0, (<usize>slots) << 2);
  for (let line = differing.head; line < differing.oldTo; line++) {
    const number = numberOf(before, line, true);
    setWord(before.numbers, line, number);
    const known = content(number);
    known.inOld++;
    known.oldLine = line;
  }
  return numberNewer();
}

/**
 * Lines mostly stand in both versions in the same order: behind one that both have, the next ones are compared with each
 * other, which takes less than looking their contents up.
 */
function numberNewer(): bool {
  let hasCommon: bool = false;
  let next = differing.head;
  for (let line = differing.head; line < differing.newTo; ) {
    const same = numberLike(next, line);
    if (same > 0) {
      hasCommon = true;
      next += same;
      line += same;
      if (line === differing.newTo) break;
    }
    const number = numberOf(after, line, true);
    setWord(after.numbers, line++, number);
    const known = content(number);
    known.inNew++;
    if (known.inOld === 0) continue;
    hasCommon = true;
    // One of many says little about where the others are.
    if (known.inOld === 1) next = known.oldLine + 1;
  }
  return hasCommon;
}

/** Numbers lines of the newer version that are the same as those from `oldLine` on; answers how many there are. */
function numberLike(oldLine: i32, newLine: i32): i32 {
  const most = min(differing.oldTo - oldLine, differing.newTo - newLine);
  if (most <= 0) return 0;
  const oldFrom = lineStart(before, oldLine);
  const newFrom = lineStart(after, newLine);
  const bytes = min(lineStart(before, oldLine + most) - oldFrom, lineStart(after, newLine + most) - newFrom);
  const same = commonPrefix(before.at + <usize>oldFrom, after.at + <usize>newFrom, bytes);
  let count: i32 = 0;
  for (; count < most; count++) {
    const end = lineStart(after, newLine + count + 1) - newFrom;
    // The last line may have no line feed, where the other one goes on.
    if (end > same || end !== lineStart(before, oldLine + count + 1) - oldFrom) break;
    const number = word(before.numbers, oldLine + count);
    setWord(after.numbers, newLine + count, number);
    content(number).inNew++;
  }
  return count;
}

/** Counts the lines outside the window, which are equal in both versions, as far as contents inside it occur there. */
export function countOutside(): void {
  memory.fill(MARKS, 0, <usize>(MARK_BITS >> 3));
  for (let number: i32 = 0; number < contents; number++) noteMark(content(number).at, content(number).length);
  for (let line: i32 = 0; line < differing.head; line++) countEqual(line);
  for (let line = differing.oldTo; line < before.reach; line++) countEqual(line);
}

function countEqual(line: i32): void {
  if (!isMarked(lineAt(before, line), lineLength(before, line))) return;
  const number = numberOf(before, line, false);
  if (number < 0) return;
  content(number).inOld++;
  content(number).inNew++;
}

/** The number of a line's content, a new one when it has none yet and `isNumbered`; else -1. */
function numberOf(version: Version, line: i32, isNumbered: bool): i32 {
  const at = lineAt(version, line);
  const length = lineLength(version, line);
  const hash = hashBytes(at, length);
  let slot = hash & slotMask;
  for (; ; slot = (slot + 1) & slotMask) {
    const number = word(SLOTS, slot) - 1;
    if (number < 0) break;
    const known = content(number);
    if (known.hash === hash && known.length === length && areSame(known.at, at, length)) return number;
  }
  if (!isNumbered) return -1;
  const added = content(contents);
  added.at = at;
  added.length = length;
  added.hash = hash;
  added.inOld = 0;
  added.inNew = 0;
  setWord(SLOTS, slot, contents + 1);
  return contents++;
}
