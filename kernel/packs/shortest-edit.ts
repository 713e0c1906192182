// Which lines differ between two versions: Myers' divide-and-conquer search for a shortest edit (1986),
// with three cut-offs that keep it near-linear on large rewrites: lines without a partner are left out
// beforehand, a long enough common run ends a search early, and a search that costs too much takes the
// furthest point it has reached.
import { setWord, word } from '../words.ts';
import { areSame, hashBytes } from './lines.ts';
import {
  BACKWARD,
  FORWARD,
  IN_NEW,
  IN_OLD,
  MATCHES,
  NEW_IDS,
  NEW_KEPT,
  NEW_SEQUENCE,
  OLD_IDS,
  OLD_KEPT,
  OLD_SEQUENCE,
  SAMPLE_AT,
  SAMPLE_HASH,
  SAMPLE_LENGTH,
  SLOTS,
} from './memory.ts';
import { lineAt, lineLength, Side, setChanged } from './side.ts';

/** A search this expensive may stop at the furthest point reached; grows with the size of the input. */
const MIN_COST_LIMIT: i32 = 256;
/** From this cost on, a common run of RUN_LENGTH lines far enough ahead is good enough to split at. */
const RUN_SEARCH_COST: i32 = 256;
const RUN_LENGTH: i32 = 20;
const RUN_REACH: i32 = 4;
/** A line that occurs this often on the other side (or the root of the file's length) may be left out. */
const MAX_FREQUENT: i32 = 1024;
const FREQUENT_SCAN_LINES: i32 = 100;
const FREQUENT_RATIO: i32 = 4;

const UNREACHED: i32 = 0x7fffffff;

const NEVER: u8 = 0;
const YES: u8 = 1;
const FREQUENT: u8 = 2;

/** A power of two near the square root. */
function roughRoot(n: i32): i32 {
  let root: i32 = 1;
  for (; n > 0; n /= 4) root *= 2;
  return root;
}

let slotMask: u32 = 0;
let samples: i32 = 0;
let oldSide: Side = changetype<Side>(0);
let newSide: Side = changetype<Side>(0);
let from: i32 = 0;
let shift: i32 = 0;
let costLimit: i32 = 0;
let splitA: i32 = 0;
let splitB: i32 = 0;
let splitExactLow: bool = false;
let splitExactHigh: bool = false;

/** Sets `changed` on both sides. Lines outside of [first, oldTo) and [first, newTo) are known to be equal. */
export function markChanges(before: Side, after: Side, first: i32, oldTo: i32, newTo: i32): void {
  oldSide = before;
  newSide = after;
  from = first;
  numberLines(oldTo, newTo);
  const oldKept = keepMatchable(before, OLD_IDS, IN_NEW, oldTo - first, OLD_KEPT);
  const newKept = keepMatchable(after, NEW_IDS, IN_OLD, newTo - first, NEW_KEPT);
  for (let i: i32 = 0; i < oldKept; i++) setWord(OLD_SEQUENCE, i, word(OLD_IDS, word(OLD_KEPT, i)));
  for (let i: i32 = 0; i < newKept; i++) setWord(NEW_SEQUENCE, i, word(NEW_IDS, word(NEW_KEPT, i)));
  const diagonals = oldKept + newKept + 3;
  // Diagonal a − b is stored at a − b + shift.
  shift = newKept + 1;
  costLimit = max(MIN_COST_LIMIT, roughRoot(diagonals));
  compare(0, oldKept, 0, newKept, false);
}

/** Gives equal lines of the middle equal numbers, and counts how often each occurs on each side, in all of it. */
function numberLines(oldTo: i32, newTo: i32): void {
  const lines = oldTo - from + (newTo - from);
  let slots: u32 = 16;
  while (slots < <u32>lines * 2) slots <<= 1;
  slotMask = slots - 1;
  memory.fill(SLOTS, 0, (<usize>slots) << 2);
  samples = 0;
  for (let line = from; line < oldTo; line++) setWord(OLD_IDS, line - from, numberOf(oldSide, line));
  for (let line = from; line < newTo; line++) setWord(NEW_IDS, line - from, numberOf(newSide, line));
  memory.fill(IN_OLD, 0, (<usize>samples) << 2);
  for (let line: i32 = 0; line < from; line++) countKnown(line);
  for (let line = oldTo; line < oldSide.count; line++) countKnown(line);
  // Outside of the middle both sides have the same lines.
  memory.copy(IN_NEW, IN_OLD, (<usize>samples) << 2);
  for (let i: i32 = 0; i < oldTo - from; i++) count(IN_OLD, word(OLD_IDS, i));
  for (let i: i32 = 0; i < newTo - from; i++) count(IN_NEW, word(NEW_IDS, i));
}

function numberOf(side: Side, line: i32): i32 {
  const at = lineAt(side, line);
  const length = lineLength(side, line);
  const hash = hashBytes(at, length);
  let slot = hash & slotMask;
  for (;;) {
    const id = word(SLOTS, slot) - 1;
    if (id < 0) break;
    if (isSample(id, hash, at, length)) return id;
    slot = (slot + 1) & slotMask;
  }
  const id = samples++;
  setWord(SLOTS, slot, id + 1);
  setWord(SAMPLE_AT, id, <i32>at);
  setWord(SAMPLE_LENGTH, id, length);
  setWord(SAMPLE_HASH, id, hash);
  return id;
}

function isSample(id: i32, hash: u32, at: usize, length: i32): bool {
  return (
    <u32>word(SAMPLE_HASH, id) === hash &&
    word(SAMPLE_LENGTH, id) === length &&
    areSame(<usize>word(SAMPLE_AT, id), at, length)
  );
}

function countKnown(line: i32): void {
  const at = lineAt(oldSide, line);
  const length = lineLength(oldSide, line);
  const hash = hashBytes(at, length);
  let slot = hash & slotMask;
  for (;;) {
    const id = word(SLOTS, slot) - 1;
    if (id < 0) return;
    if (isSample(id, hash, at, length)) {
      count(IN_OLD, id);
      return;
    }
    slot = (slot + 1) & slotMask;
  }
}

function count(occurrences: usize, id: i32): void {
  setWord(occurrences, id, word(occurrences, id) + 1);
}

function match(line: i32): u8 {
  return load<u8>(MATCHES + line);
}

/** Lines of the middle that are worth comparing, counted from its beginning; the others are marked as changed. */
function keepMatchable(side: Side, ids: usize, occurrences: usize, to: i32, kept: usize): i32 {
  const frequent = min(roughRoot(side.count), MAX_FREQUENT);
  for (let line: i32 = 0; line < to; line++) {
    const found = word(occurrences, word(ids, line));
    store<u8>(MATCHES + line, found === 0 ? NEVER : found >= frequent ? FREQUENT : YES);
  }
  let keptCount: i32 = 0;
  for (let line: i32 = 0; line < to; line++) {
    const found = match(line);
    if (found === YES || (found === FREQUENT && !isLostAmongUnmatched(line, to))) setWord(kept, keptCount++, line);
    else setChanged(side, from + line, 1);
  }
  return keptCount;
}

function isLostAmongUnmatched(line: i32, to: i32): bool {
  const low = max(0, line - FREQUENT_SCAN_LINES);
  const high = min(to - 1, line + FREQUENT_SCAN_LINES);
  let never: i32 = 0;
  // The line itself counts once for each direction.
  let often: i32 = 2;
  for (let at = line - 1; at >= low && match(at) !== YES; at--) {
    if (match(at) === NEVER) never++;
    else often++;
  }
  if (never === 0) return false;
  const neverBefore = never;
  for (let at = line + 1; at <= high && match(at) !== YES; at++) {
    if (match(at) === NEVER) never++;
    else often++;
  }
  if (never === neverBefore) return false;
  return often * FREQUENT_RATIO < often + never;
}

function isEqual(a: i32, b: i32): bool {
  return word(OLD_SEQUENCE, a) === word(NEW_SEQUENCE, b);
}

function compare(a0: i32, a1: i32, b0: i32, b1: i32, exact: bool): void {
  for (;;) {
    while (a0 < a1 && b0 < b1 && isEqual(a0, b0)) {
      a0++;
      b0++;
    }
    while (a0 < a1 && b0 < b1 && isEqual(a1 - 1, b1 - 1)) {
      a1--;
      b1--;
    }
    if (a0 === a1) {
      for (; b0 < b1; b0++) setChanged(newSide, from + word(NEW_KEPT, b0), 1);
      return;
    }
    if (b0 === b1) {
      for (; a0 < a1; a0++) setChanged(oldSide, from + word(OLD_KEPT, a0), 1);
      return;
    }
    findSplit(a0, a1, b0, b1, exact);
    const a = splitA;
    const b = splitB;
    const isHighExact = splitExactHigh;
    compare(a0, a, b0, b, splitExactLow);
    a0 = a;
    b0 = b;
    exact = isHighExact;
  }
}

function split(a: i32, b: i32, exactLow: bool, exactHigh: bool): void {
  splitA = a;
  splitB = b;
  splitExactLow = exactLow;
  splitExactHigh = exactHigh;
}

/** A point on a shortest path through the box, found by walking from both corners until they meet. */
function findSplit(a0: i32, a1: i32, b0: i32, b1: i32, exact: bool): void {
  const lowest = a0 - b1;
  const highest = a1 - b0;
  const forwardMiddle = a0 - b0;
  const backwardMiddle = a1 - b1;
  const isOdd = ((forwardMiddle - backwardMiddle) & 1) !== 0;
  const forward = FORWARD + ((<usize>shift) << 2);
  const backward = BACKWARD + ((<usize>shift) << 2);
  let fLow = forwardMiddle;
  let fHigh = forwardMiddle;
  let bLow = backwardMiddle;
  let bHigh = backwardMiddle;
  setWord(forward, forwardMiddle, a0);
  setWord(backward, backwardMiddle, a1);
  for (let cost: i32 = 1; ; cost++) {
    let sawRun = false;
    if (fLow > lowest) setWord(forward, --fLow - 1, -1);
    else fLow++;
    if (fHigh < highest) setWord(forward, ++fHigh + 1, -1);
    else fHigh--;
    for (let d = fHigh; d >= fLow; d -= 2) {
      const left = word(forward, d - 1);
      const right = word(forward, d + 1);
      let a = left >= right ? left + 1 : right;
      const begun = a;
      let b = a - d;
      while (a < a1 && b < b1 && isEqual(a, b)) {
        a++;
        b++;
      }
      if (a - begun > RUN_LENGTH) sawRun = true;
      setWord(forward, d, a);
      if (isOdd && bLow <= d && d <= bHigh && word(backward, d) <= a) {
        split(a, b, true, true);
        return;
      }
    }
    if (bLow > lowest) setWord(backward, --bLow - 1, UNREACHED);
    else bLow++;
    if (bHigh < highest) setWord(backward, ++bHigh + 1, UNREACHED);
    else bHigh--;
    for (let d = bHigh; d >= bLow; d -= 2) {
      const left = word(backward, d - 1);
      const right = word(backward, d + 1);
      let a = left < right ? left : right - 1;
      const begun = a;
      let b = a - d;
      while (a > a0 && b > b0 && isEqual(a - 1, b - 1)) {
        a--;
        b--;
      }
      if (begun - a > RUN_LENGTH) sawRun = true;
      setWord(backward, d, a);
      if (!isOdd && fLow <= d && d <= fHigh && a <= word(forward, d)) {
        split(a, b, true, true);
        return;
      }
    }
    if (exact) continue;
    if (sawRun && cost > RUN_SEARCH_COST) {
      if (findRunAhead(forward, fLow, fHigh, a0, a1, b0, b1, cost)) return;
      if (findRunBehind(backward, bLow, bHigh, a0, a1, b0, b1, cost)) return;
    }
    if (cost >= costLimit) {
      takeFurthest(forward, fLow, fHigh, backward, bLow, bHigh, a0, a1, b0, b1);
      return;
    }
  }
}

function findRunAhead(forward: usize, fLow: i32, fHigh: i32, a0: i32, a1: i32, b0: i32, b1: i32, cost: i32): bool {
  let best: i32 = 0;
  for (let d = fHigh; d >= fLow; d -= 2) {
    const a = word(forward, d);
    const b = a - d;
    const gain = a - a0 + (b - b0) - abs(d - (a0 - b0));
    if (gain <= RUN_REACH * cost || gain <= best) continue;
    if (a0 + RUN_LENGTH > a || a >= a1 || b0 + RUN_LENGTH > b || b >= b1) continue;
    let run: i32 = 1;
    while (isEqual(a - run, b - run) && run < RUN_LENGTH) run++;
    if (run < RUN_LENGTH || !isEqual(a - run, b - run)) continue;
    best = gain;
    split(a, b, true, false);
  }
  return best > 0;
}

function findRunBehind(backward: usize, bLow: i32, bHigh: i32, a0: i32, a1: i32, b0: i32, b1: i32, cost: i32): bool {
  let best: i32 = 0;
  for (let d = bHigh; d >= bLow; d -= 2) {
    const a = word(backward, d);
    const b = a - d;
    const gain = a1 - a + (b1 - b) - abs(d - (a1 - b1));
    if (gain <= RUN_REACH * cost || gain <= best) continue;
    if (a0 >= a || a > a1 - RUN_LENGTH || b0 >= b || b > b1 - RUN_LENGTH) continue;
    let run: i32 = 0;
    while (run < RUN_LENGTH - 1 && isEqual(a + run, b + run)) run++;
    if (run < RUN_LENGTH - 1 || !isEqual(a + run, b + run)) continue;
    best = gain;
    split(a, b, false, true);
  }
  return best > 0;
}

function takeFurthest(
  forward: usize,
  fLow: i32,
  fHigh: i32,
  backward: usize,
  bLow: i32,
  bHigh: i32,
  a0: i32,
  a1: i32,
  b0: i32,
  b1: i32,
): void {
  let fBest: i32 = -1;
  let fA = a0;
  for (let d = fHigh; d >= fLow; d -= 2) {
    let a = min(word(forward, d), a1);
    let b = a - d;
    if (b > b1) {
      a = b1 + d;
      b = b1;
    }
    if (a + b > fBest) {
      fBest = a + b;
      fA = a;
    }
  }
  let bBest = UNREACHED;
  let bA = a1;
  for (let d = bHigh; d >= bLow; d -= 2) {
    let a = max(a0, word(backward, d));
    let b = a - d;
    if (b < b0) {
      a = b0 + d;
      b = b0;
    }
    if (a + b < bBest) {
      bBest = a + b;
      bA = a;
    }
  }
  if (a1 + b1 - bBest < fBest - (a0 + b0)) split(fA, fBest - fA, true, false);
  else split(bA, bBest - bA, false, true);
}
