// Which lines differ between two versions: Myers' divide-and-conquer search for a shortest edit (1986),
// with three cut-offs that keep it near-linear on large rewrites: lines without a partner are left out
// beforehand, a long enough common run ends a search early, and a search that costs too much takes the
// furthest point it has reached.
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

/** Sets `changed` on both sides. The first `prefix` lines are known to be equal. */
export function markChanges(oldSide: Side, newSide: Side, prefix: number): void {
  let suffix = 0;
  const most = Math.min(oldSide.count, newSide.count) - prefix;
  while (suffix < most && oldSide.ids[oldSide.count - 1 - suffix] === newSide.ids[newSide.count - 1 - suffix]) {
    suffix++;
  }
  const oldKept = keepMatchable(oldSide, newSide, prefix, oldSide.count - suffix);
  const newKept = keepMatchable(newSide, oldSide, prefix, newSide.count - suffix);
  search(oldSide, oldKept, newSide, newKept);
}

/** Lines of `side` worth comparing; the others are marked as changed at once. */
function keepMatchable(side: Side, other: Side, from: number, to: number): Int32Array {
  const occurrences = new Map<number, number>();
  for (let line = 0; line < other.count; line++) {
    const id = other.ids[line]!;
    occurrences.set(id, (occurrences.get(id) ?? 0) + 1);
  }
  const frequent = Math.min(roughRoot(side.count), MAX_FREQUENT);
  const NEVER = 0;
  const YES = 1;
  const FREQUENT = 2;
  const matches = new Uint8Array(side.count);
  for (let line = from; line < to; line++) {
    const found = occurrences.get(side.ids[line]!) ?? 0;
    matches[line] = found === 0 ? NEVER : found >= frequent ? FREQUENT : YES;
  }
  const isLostAmongUnmatched = (line: number): boolean => {
    const low = Math.max(from, line - FREQUENT_SCAN_LINES);
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
  const kept = new Int32Array(to - from);
  let count = 0;
  for (let line = from; line < to; line++) {
    const match = matches[line]!;
    if (match === YES || (match === FREQUENT && !isLostAmongUnmatched(line))) kept[count++] = line;
    else side.changed[line] = 1;
  }
  return kept.subarray(0, count);
}

interface Split {
  a: number;
  b: number;
  exactLow: boolean;
  exactHigh: boolean;
}

function search(oldSide: Side, oldKept: Int32Array, newSide: Side, newKept: Int32Array): void {
  const as = Int32Array.from(oldKept, (line) => oldSide.ids[line]!);
  const bs = Int32Array.from(newKept, (line) => newSide.ids[line]!);
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
        for (; b0 < b1; b0++) newSide.changed[newKept[b0]!] = 1;
        return;
      }
      if (b0 === b1) {
        for (; a0 < a1; a0++) oldSide.changed[oldKept[a0]!] = 1;
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
