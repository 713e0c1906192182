// Added lines that were copied within the commit: they lie in a run of lines whose text is added more than once, or
// are too long and unusual to have been written twice. The first occurrence stays added. Copies of code that stood in the
// tree before are found by the duplicate index.
import { COPY_PASTED, GIVEN_IS_DATA, IMPORT_WORDS, NOOP, SIGNIFICANT } from '../contract.ts';
import { setWord, word } from '../words.ts';
import { hashBytes, isKnownWord, isWordAt } from './bytes.ts';
import { endOf, firstOf, given, isUndecided, opOf, setOp, traitsOf } from './commit-lines.ts';
import { added, fileCount, reach, scratch } from './memory.ts';
import { OPEN_PARENTHESIS } from './scan-line.ts';

/** Consecutive significant lines of a run, and how many non-space characters they have together at least. */
const RUN_LINES: i32 = 3;
const RUN_LENGTH: i32 = 70;
/** Non-space characters of a line that is a copy by itself. */
const ALONE_LENGTH: i32 = 60;
/** A call or assertion that a commit adds so often is an idiom. */
const FREQUENT: i32 = 3;
/** The bytes `requ` and `ire(`, the first lowest. */
const REQU: u32 = 0x75716572;
const IRE_OPEN: u32 = 0x28657269;
/** Stands between lines that do not follow one another. */
const BREAK: i32 = -1;

/** The significant added lines in order, with breaks between them. */
let sequence: usize = 0;
let sequenceLength: i32 = 0;
/** Slots of texts: the place of the first with this text, or −1; and how often it occurs. */
let firsts: usize = 0;
let times: usize = 0;
let mask: i32 = 0;

export function markCopies(): void {
  if (added.count < 2) return;
  let slots: i32 = 16;
  while (slots < added.count * 2) slots *= 2;
  mask = slots - 1;
  sequence = scratch;
  // Between two lines there is at most one break.
  firsts = sequence + ((<usize>(added.count * 2)) << 2);
  times = firsts + ((<usize>slots) << 2);
  reach(times + ((<usize>slots) << 2));
  readSequence();
  markRuns();
  markAlone();
}

function readSequence(): void {
  sequenceLength = 0;
  for (let file: i32 = 0; file < fileCount; file++) {
    if (given(file, GIVEN_IS_DATA) !== 0) continue;
    let hunk: i32 = -1;
    let isBroken = true;
    const to = word(added.base, file + 1);
    for (let line = word(added.base, file); line < to; line++) {
      if ((word(added.hashes, line) & SIGNIFICANT) === 0) continue;
      // What was only indented anew is not added text.
      if (opOf(added, line) === NOOP || word(added.hunks, line) !== hunk) isBroken = true;
      hunk = word(added.hunks, line);
      if (opOf(added, line) === NOOP || isImport(line)) continue;
      if (isBroken && sequenceLength > 0) setWord(sequence, sequenceLength++, BREAK);
      isBroken = false;
      setWord(sequence, sequenceLength++, line);
    }
  }
}

/** What a file needs is named alike in many files. */
function isImport(line: i32): bool {
  let from = firstOf(added, line);
  const end = endOf(added, line);
  if (load<u8>(from) === 35 || load<u8>(from) === 64) from++; // #include, @import
  let to = from;
  while (to < end && isWordAt(to)) to++;
  if (to > from && isKnownWord(IMPORT_WORDS, hashBytes(from, to))) return true;
  return (traitsOf(added, line) & OPEN_PARENTHESIS) !== 0 && hasRequire(to, end);
}

/** `require(`, as in `const x = require('y')`. */
function hasRequire(from: usize, end: usize): bool {
  for (let at = from; at + 8 <= end; at++)
    if (load<u32>(at) === REQU && load<u32>(at + 4) === IRE_OPEN && !isWordAt(at - 1)) return true;
  return false;
}

function isSameText(one: i32, other: i32): bool {
  return (
    word(added.hashes, one) === word(added.hashes, other) && word(added.weights, one) === word(added.weights, other)
  );
}

function isSameRun(one: i32, other: i32): bool {
  for (let k: i32 = 0; k < RUN_LINES; k++)
    if (!isSameText(word(sequence, one + k), word(sequence, other + k))) return false;
  return true;
}

function markRuns(): void {
  memory.fill(firsts, 255, (<usize>(mask + 1)) << 2);
  for (let at: i32 = 0; at + RUN_LINES <= sequenceLength; at++) {
    let hash: i32 = 0;
    let length: i32 = 0;
    let k: i32 = 0;
    for (; k < RUN_LINES; k++) {
      const line = word(sequence, at + k);
      if (line === BREAK) break;
      hash = rotl<i32>(hash ^ word(added.hashes, line), 11) * 0x9e3779b1;
      length += word(added.weights, line);
    }
    if (k < RUN_LINES || length < RUN_LENGTH) continue;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (word(firsts, slot) >= 0 && !isSameRun(word(firsts, slot), at)) slot = (slot + 1) & mask;
    const first = word(firsts, slot);
    if (first < 0) setWord(firsts, slot, at);
    else if (first + RUN_LINES <= at) for (let i: i32 = 0; i < RUN_LINES; i++) takeCopy(word(sequence, at + i));
  }
}

function takeCopy(line: i32): void {
  if (isUndecided(added, line)) setOp(added, line, COPY_PASTED);
}

function slotOfText(line: i32): i32 {
  let slot = (word(added.hashes, line) >>> 1) & mask;
  while (word(firsts, slot) >= 0 && !isSameText(word(firsts, slot), line)) slot = (slot + 1) & mask;
  return slot;
}

function markAlone(): void {
  memory.fill(firsts, 255, (<usize>(mask + 1)) << 2);
  let isAny = false;
  for (let at: i32 = 0; at < sequenceLength; at++) {
    const line = word(sequence, at);
    if (line === BREAK || word(added.weights, line) < ALONE_LENGTH) continue;
    const slot = slotOfText(line);
    if (word(firsts, slot) < 0) {
      setWord(firsts, slot, line);
      setWord(times, slot, 1);
    } else {
      setWord(times, slot, word(times, slot) + 1);
      isAny = true;
    }
  }
  if (!isAny) return;
  for (let at: i32 = 0; at < sequenceLength; at++) {
    const line = word(sequence, at);
    if (line === BREAK || word(added.weights, line) < ALONE_LENGTH || !isUndecided(added, line)) continue;
    const slot = slotOfText(line);
    if (word(firsts, slot) === line || !isWhole(line)) continue;
    const isCall = (traitsOf(added, line) & OPEN_PARENTHESIS) !== 0;
    if (!isCall || word(times, slot) < FREQUENT) takeCopy(line);
  }
}

/** Where a parenthesis stays open, the line is the head of a call or of a signature, as a prototype repeats it. */
function isWhole(line: i32): bool {
  let open: i32 = 0;
  const end = endOf(added, line);
  for (let at = firstOf(added, line); at < end; at++) {
    const byte = load<u8>(at);
    if (byte === 40) open++;
    else if (byte === 41) open--;
  }
  return open === 0;
}
