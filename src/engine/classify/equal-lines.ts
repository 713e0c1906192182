// The rules that need only line hashes: no-ops within a hunk, moves between hunks, copies within the
// commit. Work is linear in the number of lines: candidates per line and the look ahead that chooses
// between them are capped.
import { LINE_OP } from '../classified.ts';
import { type CommitLines, UNDECIDED } from './commit-lines.ts';
import { SIGNIFICANT, TRAIT } from './scan-line.ts';

export const EQUAL_LINE_RULES = {
  /** A single line moves when it has this many non-space characters; shorter ones only in company. */
  moveAloneLength: 20,
  moveBlockLines: 2,
  copyLength: 10,
  /** Places tried for an added line, and lines compared to choose between them. */
  moveCandidates: 8,
  moveProbes: 48,
  moveLookAhead: 64,
} as const;

let heads = new Int32Array(1024);
let nexts = new Int32Array(1024);

/** A cleared table for `count` entries: its mask. */
function prepareTable(count: number): number {
  let size = 16;
  while (size < count * 2) size *= 2;
  if (heads.length < size) heads = new Int32Array(size);
  heads.fill(-1, 0, size);
  return size - 1;
}

function prepareChains(count: number): void {
  if (nexts.length < count) nexts = new Int32Array(count * 2);
}

/** Blank lines, and lines of one hunk that differ in whitespace or line number only. */
export function markNoops(lines: CommitLines): void {
  const { removed, added } = lines;
  for (let i = 0; i < removed.count; i++)
    if (removed.weights[i] === 0 && removed.ops[i] === UNDECIDED) removed.ops[i] = LINE_OP.noop;
  for (let i = 0; i < added.count; i++)
    if (added.weights[i] === 0 && added.ops[i] === UNDECIDED) added.ops[i] = LINE_OP.noop;
  for (let hunk = 0; hunk < lines.hunkCount; hunk++) {
    const rows = lines.removedTo[hunk]! - lines.removedFrom[hunk]!;
    const columns = lines.addedTo[hunk]! - lines.addedFrom[hunk]!;
    if (rows === 0 || columns === 0) continue;
    if (rows * columns <= 64) matchSmallHunk(lines, hunk);
    else matchLargeHunk(lines, hunk);
  }
}

function matchSmallHunk(lines: CommitLines, hunk: number): void {
  const { removed, added } = lines;
  const to = lines.removedTo[hunk]!;
  for (let a = lines.addedFrom[hunk]!; a < lines.addedTo[hunk]!; a++) {
    if (added.ops[a] !== UNDECIDED) continue;
    for (let r = lines.removedFrom[hunk]!; r < to; r++) {
      if (removed.ops[r] !== UNDECIDED || removed.hashes[r] !== added.hashes[a]) continue;
      if (removed.weights[r] !== added.weights[a]) continue;
      removed.ops[r] = LINE_OP.noop;
      added.ops[a] = LINE_OP.noop;
      break;
    }
  }
}

function matchLargeHunk(lines: CommitLines, hunk: number): void {
  const { removed, added } = lines;
  const from = lines.removedFrom[hunk]!;
  const count = lines.removedTo[hunk]! - from;
  const mask = prepareTable(count);
  prepareChains(count);
  // Filled from the end, so that chains run forwards and the first equal line is taken first.
  for (let i = count - 1; i >= 0; i--) {
    if (removed.ops[from + i] !== UNDECIDED) continue;
    const slot = (removed.hashes[from + i]! >>> 1) & mask;
    nexts[i] = heads[slot]!;
    heads[slot] = i;
  }
  for (let a = lines.addedFrom[hunk]!; a < lines.addedTo[hunk]!; a++) {
    if (added.ops[a] !== UNDECIDED) continue;
    const hash = added.hashes[a]!;
    const slot = (hash >>> 1) & mask;
    let previous = -1;
    for (let i = heads[slot]!; i >= 0; i = nexts[i]!) {
      if (removed.hashes[from + i] === hash && removed.weights[from + i] === added.weights[a]) {
        removed.ops[from + i] = LINE_OP.noop;
        added.ops[a] = LINE_OP.noop;
        if (previous < 0) heads[slot] = nexts[i]!;
        else nexts[previous] = nexts[i]!;
        break;
      }
      previous = i;
    }
  }
}

/** The next line of the same hunk that is not a no-op, or −1. */
function nextInHunk(ops: Uint8Array, line: number, to: number): number {
  let next = line + 1;
  while (next < to && ops[next] === LINE_OP.noop) next++;
  return next < to ? next : -1;
}

/** How many lines match from (a, r) on, up to `limit`. */
function matchLength(lines: CommitLines, a: number, r: number, limit: number): number {
  const { removed, added } = lines;
  const addedTo = lines.addedTo[added.hunks[a]!]!;
  const removedTo = lines.removedTo[removed.hunks[r]!]!;
  let length = 0;
  while (length < limit && added.ops[a] === UNDECIDED && removed.ops[r] === UNDECIDED) {
    if (added.hashes[a] !== removed.hashes[r] || added.weights[a] !== removed.weights[r]) break;
    length++;
    a = nextInHunk(added.ops, a, addedTo);
    r = nextInHunk(removed.ops, r, removedTo);
    if (a < 0 || r < 0) break;
  }
  return length;
}

export function markMoves(lines: CommitLines): void {
  const { removed, added } = lines;
  if (lines.hunkCount < 2 || removed.count === 0 || added.count === 0) return;
  const mask = prepareTable(removed.count);
  prepareChains(removed.count);
  for (let r = removed.count - 1; r >= 0; r--) {
    if (removed.ops[r] !== UNDECIDED) continue;
    const slot = (removed.hashes[r]! >>> 1) & mask;
    nexts[r] = heads[slot]!;
    heads[slot] = r;
  }
  for (let a = 0; a < added.count; a++) {
    if (added.ops[a] !== UNDECIDED) continue;
    const best = bestPlace(lines, a, mask);
    if (best >= 0) takeMove(lines, a, best);
  }
}

function bestPlace(lines: CommitLines, a: number, mask: number): number {
  const { removed, added } = lines;
  const hash = added.hashes[a]!;
  const slot = (hash >>> 1) & mask;
  let best = -1;
  let bestLength = 0;
  let candidates = 0;
  let previous = -1;
  let probes = 0;
  for (let r = heads[slot]!; r >= 0 && probes < EQUAL_LINE_RULES.moveProbes; r = nexts[r]!, probes++) {
    if (removed.ops[r] !== UNDECIDED) {
      // Taken by a move meanwhile: leave the chain for good.
      if (previous < 0) heads[slot] = nexts[r]!;
      else nexts[previous] = nexts[r]!;
      probes--;
      continue;
    }
    previous = r;
    if (removed.hashes[r] !== hash || removed.hunks[r] === added.hunks[a]) continue;
    const length = matchLength(lines, a, r, EQUAL_LINE_RULES.moveLookAhead);
    if (length > bestLength) {
      bestLength = length;
      best = r;
    }
    if (++candidates >= EQUAL_LINE_RULES.moveCandidates) break;
  }
  return best;
}

function takeMove(lines: CommitLines, a: number, r: number): void {
  const { removed, added } = lines;
  const length = matchLength(lines, a, r, Number.POSITIVE_INFINITY);
  const addedTo = lines.addedTo[added.hunks[a]!]!;
  const removedTo = lines.removedTo[removed.hunks[r]!]!;
  let qualifies = length === 1 && added.weights[a]! >= EQUAL_LINE_RULES.moveAloneLength;
  if (length >= EQUAL_LINE_RULES.moveBlockLines) {
    // Two closing brackets are no block: something in it must mean something.
    for (let at = a, i = 0; i < length && !qualifies; i++, at = nextInHunk(added.ops, at, addedTo))
      qualifies = (added.hashes[at]! & SIGNIFICANT) !== 0 || added.weights[at]! >= EQUAL_LINE_RULES.moveAloneLength;
  }
  if (!qualifies) return;
  for (let i = 0; i < length; i++) {
    const nextAdded = nextInHunk(added.ops, a, addedTo);
    const nextRemoved = nextInHunk(removed.ops, r, removedTo);
    added.ops[a] = LINE_OP.moved;
    removed.ops[r] = LINE_OP.moved;
    a = nextAdded;
    r = nextRemoved;
  }
}

/** Added lines whose text was already added further up in the commit. */
export function markCopies(lines: CommitLines): void {
  const { added } = lines;
  if (added.count < 2) return;
  const mask = prepareTable(added.count);
  for (let a = 0; a < added.count; a++) {
    if (added.ops[a] === LINE_OP.noop || added.weights[a]! < EQUAL_LINE_RULES.copyLength) continue;
    if ((added.traits[a]! & (TRAIT.word | TRAIT.bareKeyword)) !== TRAIT.word) continue;
    const hash = added.hashes[a]!;
    let slot = (hash >>> 1) & mask;
    while (heads[slot]! >= 0 && !isSameText(lines, heads[slot]!, a)) slot = (slot + 1) & mask;
    if (heads[slot]! < 0) heads[slot] = a;
    else if (added.ops[a] === UNDECIDED) added.ops[a] = LINE_OP.copy_pasted;
  }
}

function isSameText(lines: CommitLines, one: number, other: number): boolean {
  const { hashes, weights } = lines.added;
  return hashes[one] === hashes[other] && weights[one] === weights[other];
}
