// Which lines differ between two versions: Myers' divide-and-conquer search for a shortest edit (1986),
// with three cut-offs that keep it near-linear on large rewrites: lines without a partner are left out
// beforehand, a long enough common run ends a search early, and a search that costs too much takes the
// furthest point it has reached.
import { isSameLine, type LineTable } from './line-table.ts';
import type { Side } from './slide-groups.ts';

/** A search this expensive may stop at the furthest point reached; grows with the size of the input. */
const MIN_COST_LIMIT = 256;
/** From this cost on, a common run of RUN_LENGTH lines far enough ahead is good enough to split at. */
const RUN_SEARCH_COST = 256;
const RUN_LENGTH = 20;
const RUN_REACH = 4;
/** A line that occurs this often on the other side (or the root of the file's length) may be left out. */
const MAX_FREQUENT = 1024;
const FREQUENT_SCAN_LINES = 100;
const FREQUENT_RATIO = 4;

const UNREACHED = 0x7fffffff;

/** A power of two near the square root. */
function roughRoot(n: number): number {
  let root = 1;
  for (; n > 0; n = Math.floor(n / 4)) root *= 2;
  return root;
}

/** What lies between the common beginning, which ends at line `from` of both, and the common end. */
export interface Middle {
  readonly from: number;
  readonly oldTo: number;
  readonly newTo: number;
}

/** Sets `changed` on both sides. Lines outside the middle are known to be equal. */
export function markChanges(oldSide: Side, newSide: Side, { from, oldTo, newTo }: Middle): void {
  const lines = numberLines(oldSide, newSide, from, oldTo, newTo);
  const oldKept = keepMatchable(oldSide, lines.oldIds, lines.inNew, from);
  const newKept = keepMatchable(newSide, lines.newIds, lines.inOld, from);
  search(oldSide, oldKept, newSide, newKept, lines, from);
}

interface NumberedLines {
  /** Of the lines in the middle: equal numbers mean equal lines, on both sides. */
  readonly oldIds: Int32Array;
  readonly newIds: Int32Array;
  /** By number: how often the line occurs on each side, not only in the middle. */
  readonly inOld: Int32Array;
  readonly inNew: Int32Array;
}

/** Lines with the same hash are compared byte by byte. */
function numberLines(oldSide: Side, newSide: Side, from: number, oldTo: number, newTo: number): NumberedLines {
  const firstOf = new Map<number, number>();
  const sampleTable: LineTable[] = [];
  const sampleLine: number[] = [];
  const nextWithHash: number[] = [];
  const find = (table: LineTable, line: number): number => {
    let id = firstOf.get(table.hashes[line]!) ?? -1;
    while (id !== -1 && !isSameLine(sampleTable[id]!, sampleLine[id]!, table, line)) id = nextWithHash[id]!;
    return id;
  };
  const number = (table: LineTable, to: number): Int32Array => {
    const ids = new Int32Array(to - from);
    for (let line = from; line < to; line++) {
      let id = find(table, line);
      if (id === -1) {
        id = sampleLine.length;
        const hash = table.hashes[line]!;
        sampleTable.push(table);
        sampleLine.push(line);
        nextWithHash.push(firstOf.get(hash) ?? -1);
        firstOf.set(hash, id);
      }
      ids[line - from] = id;
    }
    return ids;
  };
  const oldIds = number(oldSide.table, oldTo);
  const newIds = number(newSide.table, newTo);
  const inOld = new Int32Array(sampleLine.length);
  for (let line = 0; line < from; line++) count(inOld, find(oldSide.table, line));
  for (let line = oldTo; line < oldSide.count; line++) count(inOld, find(oldSide.table, line));
  // Outside the middle both sides have the same lines.
  const inNew = inOld.slice();
  for (let i = 0; i < oldIds.length; i++) count(inOld, oldIds[i]!);
  for (let i = 0; i < newIds.length; i++) count(inNew, newIds[i]!);
  return { oldIds, newIds, inOld, inNew };
}

function count(occurrences: Int32Array, id: number): void {
  if (id !== -1) occurrences[id]!++;
}

/** Lines of the middle that are worth comparing, counted from its beginning; the others are marked as changed. */
function keepMatchable(side: Side, ids: Int32Array, occurrences: Int32Array, from: number): Int32Array {
  const to = ids.length;
  const frequent = Math.min(roughRoot(side.count), MAX_FREQUENT);
  const NEVER = 0;
  const YES = 1;
  const FREQUENT = 2;
  const matches = new Uint8Array(to);
  for (let line = 0; line < to; line++) {
    const found = occurrences[ids[line]!]!;
    matches[line] = found === 0 ? NEVER : found >= frequent ? FREQUENT : YES;
  }
  const isLostAmongUnmatched = (line: number): boolean => {
    const low = Math.max(0, line - FREQUENT_SCAN_LINES);
    const high = Math.min(to - 1, line + FREQUENT_SCAN_LINES);
    let never = 0;
    // The line itself counts once for each direction.
    let often = 2;
    for (let at = line - 1; at >= low && matches[at] !== YES; at--) matches[at] === NEVER ? never++ : often++;
    if (never === 0) return false;
    const neverBefore = never;
    for (let at = line + 1; at <= high && matches[at] !== YES; at++) matches[at] === NEVER ? never++ : often++;
    if (never === neverBefore) return false;
    return often * FREQUENT_RATIO < often + never;
  };
  const kept = new Int32Array(to);
  let keptCount = 0;
  for (let line = 0; line < to; line++) {
    const match = matches[line]!;
    if (match === YES || (match === FREQUENT && !isLostAmongUnmatched(line))) kept[keptCount++] = line;
    else side.changed[from + line] = 1;
  }
  return kept.subarray(0, keptCount);
}

interface Split {
  a: number;
  b: number;
  exactLow: boolean;
  exactHigh: boolean;
}

function search(
  oldSide: Side,
  oldKept: Int32Array,
  newSide: Side,
  newKept: Int32Array,
  { oldIds, newIds }: NumberedLines,
  from: number,
): void {
  const as = oldKept.map((line) => oldIds[line]!);
  const bs = newKept.map((line) => newIds[line]!);
  const diagonals = as.length + bs.length + 3;
  const forward = new Int32Array(diagonals + 2);
  const backward = new Int32Array(diagonals + 2);
  /** Diagonal a − b is stored at a − b + shift. */
  const shift = bs.length + 1;
  const costLimit = Math.max(MIN_COST_LIMIT, roughRoot(diagonals));

  const compare = (a0: number, a1: number, b0: number, b1: number, exact: boolean): void => {
    for (;;) {
      while (a0 < a1 && b0 < b1 && as[a0] === bs[b0]) {
        a0++;
        b0++;
      }
      while (a0 < a1 && b0 < b1 && as[a1 - 1] === bs[b1 - 1]) {
        a1--;
        b1--;
      }
      if (a0 === a1) {
        for (; b0 < b1; b0++) newSide.changed[from + newKept[b0]!] = 1;
        return;
      }
      if (b0 === b1) {
        for (; a0 < a1; a0++) oldSide.changed[from + oldKept[a0]!] = 1;
        return;
      }
      const split = findSplit(a0, a1, b0, b1, exact);
      compare(a0, split.a, b0, split.b, split.exactLow);
      a0 = split.a;
      b0 = split.b;
      exact = split.exactHigh;
    }
  };

  /** A point on a shortest path through the box, found by walking from both corners until they meet. */
  const findSplit = (a0: number, a1: number, b0: number, b1: number, exact: boolean): Split => {
    const lowest = a0 - b1;
    const highest = a1 - b0;
    const forwardMiddle = a0 - b0;
    const backwardMiddle = a1 - b1;
    const isOdd = ((forwardMiddle - backwardMiddle) & 1) !== 0;
    let fLow = forwardMiddle;
    let fHigh = forwardMiddle;
    let bLow = backwardMiddle;
    let bHigh = backwardMiddle;
    forward[forwardMiddle + shift] = a0;
    backward[backwardMiddle + shift] = a1;
    for (let cost = 1; ; cost++) {
      let sawRun = false;
      if (fLow > lowest) forward[--fLow - 1 + shift] = -1;
      else fLow++;
      if (fHigh < highest) forward[++fHigh + 1 + shift] = -1;
      else fHigh--;
      for (let d = fHigh; d >= fLow; d -= 2) {
        const left = forward[d - 1 + shift]!;
        const right = forward[d + 1 + shift]!;
        let a = left >= right ? left + 1 : right;
        const from = a;
        let b = a - d;
        while (a < a1 && b < b1 && as[a] === bs[b]) {
          a++;
          b++;
        }
        if (a - from > RUN_LENGTH) sawRun = true;
        forward[d + shift] = a;
        if (isOdd && bLow <= d && d <= bHigh && backward[d + shift]! <= a) {
          return { a, b, exactLow: true, exactHigh: true };
        }
      }
      if (bLow > lowest) backward[--bLow - 1 + shift] = UNREACHED;
      else bLow++;
      if (bHigh < highest) backward[++bHigh + 1 + shift] = UNREACHED;
      else bHigh--;
      for (let d = bHigh; d >= bLow; d -= 2) {
        const left = backward[d - 1 + shift]!;
        const right = backward[d + 1 + shift]!;
        let a = left < right ? left : right - 1;
        const from = a;
        let b = a - d;
        while (a > a0 && b > b0 && as[a - 1] === bs[b - 1]) {
          a--;
          b--;
        }
        if (from - a > RUN_LENGTH) sawRun = true;
        backward[d + shift] = a;
        if (!isOdd && fLow <= d && d <= fHigh && a <= forward[d + shift]!) {
          return { a, b, exactLow: true, exactHigh: true };
        }
      }
      if (exact) continue;
      if (sawRun && cost > RUN_SEARCH_COST) {
        const run = findRunAhead(cost) ?? findRunBehind(cost);
        if (run) return run;
      }
      if (cost >= costLimit) return furthest();
    }

    function findRunAhead(cost: number): Split | null {
      let best = 0;
      let split: Split | null = null;
      for (let d = fHigh; d >= fLow; d -= 2) {
        const a = forward[d + shift]!;
        const b = a - d;
        const gain = a - a0 + (b - b0) - Math.abs(d - forwardMiddle);
        if (gain <= RUN_REACH * cost || gain <= best) continue;
        if (a0 + RUN_LENGTH > a || a >= a1 || b0 + RUN_LENGTH > b || b >= b1) continue;
        let run = 1;
        while (as[a - run] === bs[b - run] && run < RUN_LENGTH) run++;
        if (run < RUN_LENGTH || as[a - run] !== bs[b - run]) continue;
        best = gain;
        split = { a, b, exactLow: true, exactHigh: false };
      }
      return split;
    }

    function findRunBehind(cost: number): Split | null {
      let best = 0;
      let split: Split | null = null;
      for (let d = bHigh; d >= bLow; d -= 2) {
        const a = backward[d + shift]!;
        const b = a - d;
        const gain = a1 - a + (b1 - b) - Math.abs(d - backwardMiddle);
        if (gain <= RUN_REACH * cost || gain <= best) continue;
        if (a0 >= a || a > a1 - RUN_LENGTH || b0 >= b || b > b1 - RUN_LENGTH) continue;
        let run = 0;
        while (run < RUN_LENGTH - 1 && as[a + run] === bs[b + run]) run++;
        if (run < RUN_LENGTH - 1 || as[a + run] !== bs[b + run]) continue;
        best = gain;
        split = { a, b, exactLow: false, exactHigh: true };
      }
      return split;
    }

    function furthest(): Split {
      let fBest = -1;
      let fA = a0;
      for (let d = fHigh; d >= fLow; d -= 2) {
        let a = Math.min(forward[d + shift]!, a1);
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
        let a = Math.max(a0, backward[d + shift]!);
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
      if (a1 + b1 - bBest < fBest - (a0 + b0)) return { a: fA, b: fBest - fA, exactLow: true, exactHigh: false };
      return { a: bA, b: bBest - bA, exactLow: false, exactHigh: true };
    }
  };

  compare(0, as.length, 0, bs.length, false);
}
