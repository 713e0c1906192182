// The rules that need only line hashes: no-ops within a hunk, moves and re-indented blocks between hunks. Work is linear in the number of
// lines: candidates per line and the look ahead that chooses between them are capped.
import { MOVED, NOOP, SIGNIFICANT } from '../contract.ts';
import { setWord, word } from '../words.ts';
import { isUndecided, opOf, setOp, takeBoth } from './commit-lines.ts';
import { added, hunkCount, hunkFiles, Lines, reach, removed, scratch, sources, unchangedBefore } from './memory.ts';

/** A single line moves when it has this many non-space characters; shorter ones only in company. */
const MOVE_ALONE_LENGTH: i32 = 20;
const MOVE_BLOCK_LINES: i32 = 2;
/** Places tried for an added line, and lines compared to choose between them. */
const MOVE_CANDIDATES: i32 = 32;
const MOVE_PROBES: i32 = 128;
const MOVE_LOOK_AHEAD: i32 = 128;
const FEW_PAIRS: i64 = 64;

/** A hash table of lines: the first of each slot, and for each line the next in its slot. */
let heads: usize = 0;
let nexts: usize = 0;
let mask: i32 = 0;

function prepareTable(count: i32): void {
  let size: i32 = 16;
  while (size < count * 2) size *= 2;
  heads = scratch;
  nexts = heads + ((<usize>size) << 2);
  reach(nexts + ((<usize>count) << 2));
  memory.fill(heads, 255, (<usize>size) << 2);
  mask = size - 1;
}

function slotOf(hash: i32): i32 {
  return (hash >>> 1) & mask;
}

function areEqual(a: i32, r: i32): bool {
  return word(removed.hashes, r) === word(added.hashes, a) && word(removed.weights, r) === word(added.weights, a);
}

/** Blank lines, and lines of one hunk that differ in whitespace or line number only. */
export function markNoops(): void {
  markBlanks(removed);
  markBlanks(added);
  for (let hunk: i32 = 0; hunk < hunkCount; hunk++) {
    const rows = <i64>(word(removed.to, hunk) - word(removed.from, hunk));
    const columns = <i64>(word(added.to, hunk) - word(added.from, hunk));
    if (rows === 0 || columns === 0) continue;
    if (rows * columns <= FEW_PAIRS) matchSmallHunk(hunk);
    else matchLargeHunk(hunk);
  }
}

function markBlanks(lines: Lines): void {
  for (let line: i32 = 0; line < lines.count; line++)
    if (word(lines.weights, line) === 0 && isUndecided(lines, line)) setOp(lines, line, NOOP);
}

function matchSmallHunk(hunk: i32): void {
  const from = word(removed.from, hunk);
  const to = word(removed.to, hunk);
  const addedTo = word(added.to, hunk);
  for (let a = word(added.from, hunk); a < addedTo; a++) {
    if (!isUndecided(added, a)) continue;
    for (let r = from; r < to; r++) {
      if (!isUndecided(removed, r) || !areEqual(a, r)) continue;
      takeBoth(r, a, NOOP);
      break;
    }
  }
}

function matchLargeHunk(hunk: i32): void {
  const from = word(removed.from, hunk);
  const count = word(removed.to, hunk) - from;
  prepareTable(count);
  // Filled from the end, so that chains run forwards and the first equal line is taken first.
  for (let i = count - 1; i >= 0; i--) {
    if (!isUndecided(removed, from + i)) continue;
    const slot = slotOf(word(removed.hashes, from + i));
    setWord(nexts, i, word(heads, slot));
    setWord(heads, slot, i);
  }
  const addedTo = word(added.to, hunk);
  for (let a = word(added.from, hunk); a < addedTo; a++) {
    if (!isUndecided(added, a)) continue;
    const slot = slotOf(word(added.hashes, a));
    let previous: i32 = -1;
    for (let i = word(heads, slot); i >= 0; i = word(nexts, i)) {
      if (areEqual(a, from + i)) {
        takeBoth(from + i, a, NOOP);
        leaveChain(slot, previous, i);
        break;
      }
      previous = i;
    }
  }
}

function leaveChain(slot: i32, previous: i32, line: i32): void {
  if (previous < 0) setWord(heads, slot, word(nexts, line));
  else setWord(nexts, previous, word(nexts, line));
}

/** The next line of the same hunk that is not a no-op, or −1. */
function nextInHunk(lines: Lines, line: i32, to: i32): i32 {
  let next = line + 1;
  while (next < to && opOf(lines, next) === NOOP) next++;
  return next < to ? next : -1;
}

/** How many lines match from (a, r) on, up to `limit`. */
function matchLength(fromAdded: i32, fromRemoved: i32, limit: i32): i32 {
  let a = fromAdded;
  let r = fromRemoved;
  const addedTo = word(added.to, word(added.hunks, a));
  const removedTo = word(removed.to, word(removed.hunks, r));
  let length: i32 = 0;
  while (length < limit && isUndecided(added, a) && isUndecided(removed, r)) {
    if (!areEqual(a, r)) break;
    length++;
    a = nextInHunk(added, a, addedTo);
    r = nextInHunk(removed, r, removedTo);
    if (a < 0 || r < 0) break;
  }
  return length;
}

export function markMoves(): void {
  if (hunkCount < 2 || removed.count === 0 || added.count === 0) return;
  prepareTable(removed.count);
  for (let r = removed.count - 1; r >= 0; r--) {
    if (!isUndecided(removed, r)) continue;
    const slot = slotOf(word(removed.hashes, r));
    setWord(nexts, r, word(heads, slot));
    setWord(heads, slot, r);
  }
  for (let a: i32 = 0; a < added.count; a++) {
    if (!isUndecided(added, a)) continue;
    const best = bestPlace(a);
    if (best >= 0) takeMove(a, best);
  }
  markIndentedInPlace();
}

/**
 * Lines that went from one hunk of a file to another stand where they stood when they are more than the unchanged lines
 * that they went past: it is those few that a comparison without whitespace would show as changed. A block indented anew is
 * torn from its place like this when lines between its parts (a bracket, a blank line) happen to be equal.
 */
function markIndentedInPlace(): void {
  const sums = scratch;
  reach(sums + ((<usize>hunkCount) << 2));
  memory.fill(sums, 0, (<usize>hunkCount) << 2);
  for (let hunk: i32 = 0; hunk < hunkCount; hunk++) {
    const from = word(added.from, hunk);
    const to = word(added.to, hunk);
    for (let a = from; a < to; a++) if (isMovedWithinFile(a)) setWord(sums, origin(a), word(sums, origin(a)) + 1);
    for (let a = from; a < to; a++) {
      if (!isMovedWithinFile(a)) continue;
      const past = abs(word(unchangedBefore, hunk) - word(unchangedBefore, origin(a)));
      if (past < word(sums, origin(a))) takeBoth(word(sources, a), a, NOOP);
    }
    // No-ops of this hunk have their sources too, some of them from just now.
    for (let a = from; a < to; a++) if (word(sources, a) >= 0) setWord(sums, origin(a), 0);
  }
}

/** The hunk that an added line was removed from. */
function origin(a: i32): i32 {
  return word(removed.hunks, word(sources, a));
}

function isMovedWithinFile(a: i32): bool {
  return opOf(added, a) === MOVED && word(hunkFiles, origin(a)) === word(hunkFiles, word(added.hunks, a));
}

function bestPlace(a: i32): i32 {
  const hash = word(added.hashes, a);
  const slot = slotOf(hash);
  let best: i32 = -1;
  let bestLength: i32 = 0;
  let candidates: i32 = 0;
  let previous: i32 = -1;
  let probes: i32 = 0;
  for (let r = word(heads, slot); r >= 0 && probes < MOVE_PROBES; r = word(nexts, r)) {
    if (!isUndecided(removed, r)) {
      // Taken by a move meanwhile: leaves the chain for good.
      leaveChain(slot, previous, r);
      continue;
    }
    probes++;
    previous = r;
    if (word(removed.hashes, r) !== hash || word(removed.hunks, r) === word(added.hunks, a)) continue;
    const length = matchLength(a, r, MOVE_LOOK_AHEAD);
    if (length > bestLength) {
      bestLength = length;
      best = r;
    }
    if (++candidates >= MOVE_CANDIDATES) break;
  }
  return best;
}

function takeMove(fromAdded: i32, fromRemoved: i32): void {
  let a = fromAdded;
  let r = fromRemoved;
  const length = matchLength(a, r, i32.MAX_VALUE);
  const addedTo = word(added.to, word(added.hunks, a));
  const removedTo = word(removed.to, word(removed.hunks, r));
  if (!isWorthMoving(a, length, addedTo)) return;
  for (let i: i32 = 0; i < length; i++) {
    const nextAdded = nextInHunk(added, a, addedTo);
    const nextRemoved = nextInHunk(removed, r, removedTo);
    takeBoth(r, a, MOVED);
    a = nextAdded;
    r = nextRemoved;
  }
}

/** Two closing brackets are no block: something in it must mean something. */
function isWorthMoving(a: i32, length: i32, addedTo: i32): bool {
  if (length === 1) return word(added.weights, a) >= MOVE_ALONE_LENGTH;
  if (length < MOVE_BLOCK_LINES) return false;
  let at = a;
  for (let i: i32 = 0; i < length; i++) {
    if ((word(added.hashes, at) & SIGNIFICANT) !== 0 || word(added.weights, at) >= MOVE_ALONE_LENGTH) return true;
    at = nextInHunk(added, at, addedTo);
  }
  return false;
}
