// Pairs of a removed and an added line of one hunk that say nearly the same: candidates for Updated, and
// for Find/Replaced when the same text was swapped for the same other text on several of them.
import type { CommitDiff, LineBlock } from '../diff.ts';
import { type CommitLines, type Side, UNDECIDED } from './commit-lines.ts';
import { areAlike, canBeAlike, likeness, MAX_TOKENS, tokenize } from './line-tokens.ts';
import { TRAIT } from './scan-line.ts';

/** A hunk is aligned piece by piece, each at most this many lines high: work stays linear. */
const PIECE = 32;

/** Reused from commit to commit. */
export interface LinePairs {
  count: number;
  removed: Int32Array;
  added: Int32Array;
}

export function createLinePairs(): LinePairs {
  return { count: 0, removed: new Int32Array(1024), added: new Int32Array(1024) };
}

function pushPair(pairs: LinePairs, removed: number, added: number): void {
  if (pairs.count === pairs.removed.length) {
    for (const key of ['removed', 'added'] as const) {
      const larger = new Int32Array(pairs.count * 2);
      larger.set(pairs[key]);
      pairs[key] = larger;
    }
  }
  pairs.removed[pairs.count] = removed;
  pairs.added[pairs.count++] = added;
}

/** Room for one side of a piece: its lines, and their tokens as numbers given out while reading the piece. */
interface PieceSide {
  readonly lines: Int32Array;
  readonly tokens: Int32Array;
  /** Line i has the tokens [ends[i], ends[i + 1]). */
  readonly ends: Int32Array;
}

const createPieceSide = (): PieceSide => ({
  lines: new Int32Array(PIECE),
  tokens: new Int32Array(PIECE * MAX_TOKENS),
  ends: new Int32Array(PIECE + 1),
});
const rows = createPieceSide();
const columns = createPieceSide();
/** The likeness of all pairs, and the best sums for what lies behind them. */
const alike = new Float64Array(PIECE * PIECE);
const best = new Float64Array((PIECE + 1) * (PIECE + 1));

/** Pairs the undecided lines of every hunk, in order, so that the similarities add up to the most. */
export function pairSimilarLines(lines: CommitLines, commit: CommitDiff, pairs: LinePairs): void {
  pairs.count = 0;
  for (let hunk = 0; hunk < lines.hunkCount; hunk++) {
    if (lines.removedTo[hunk] === lines.removedFrom[hunk] || lines.addedTo[hunk] === lines.addedFrom[hunk]) continue;
    pairHunk(lines, commit, hunk, pairs);
  }
}

function pairHunk(lines: CommitLines, commit: CommitDiff, hunk: number, pairs: LinePairs): void {
  const { removed, added } = lines;
  const removedFrom = lines.removedFrom[hunk]!;
  const addedFrom = lines.addedFrom[hunk]!;
  const height = lines.removedTo[hunk]! - removedFrom;
  const width = lines.addedTo[hunk]! - addedFrom;
  const pieces = Math.ceil(Math.max(height, width) / PIECE);
  for (let piece = 0; piece < pieces; piece++) {
    // Both sides are cut in the same number of pieces, at the same share of their height.
    const rowCount = collect(
      removed,
      removedFrom + Math.floor((height * piece) / pieces),
      removedFrom + Math.floor((height * (piece + 1)) / pieces),
      rows.lines,
    );
    if (rowCount === 0) continue;
    const columnCount = collect(
      added,
      addedFrom + Math.floor((width * piece) / pieces),
      addedFrom + Math.floor((width * (piece + 1)) / pieces),
      columns.lines,
    );
    if (columnCount === 0) continue;
    const fileIndex = lines.hunkFile[hunk]!;
    const file = commit.files[fileIndex]!;
    const removedBase = lines.removedBase[fileIndex]!;
    const addedBase = lines.addedBase[fileIndex]!;
    if (rowCount === 1 && columnCount === 1) {
      const one = rows.lines[0]!;
      const other = columns.lines[0]!;
      const oneEnd = file.removed.ends[one - removedBase]!;
      const otherEnd = file.added.ends[other - addedBase]!;
      if (areAlike(file.removed.bytes, removed.firsts[one]!, oneEnd, file.added.bytes, added.firsts[other]!, otherEnd))
        pushPair(pairs, one, other);
      continue;
    }
    readTokens(rows, rowCount, removed, file.removed, removedBase);
    readTokens(columns, columnCount, added, file.added, addedBase);
    align(rowCount, columnCount, pairs);
    forgetTokens();
  }
}

function collect({ ops, traits }: Side, from: number, to: number, out: Int32Array): number {
  let count = 0;
  for (let line = from; line < to; line++)
    if (ops[line] === UNDECIDED && (traits[line]! & (TRAIT.word | TRAIT.bareKeyword)) === TRAIT.word)
      out[count++] = line;
  return count;
}

// The tokens of a piece are numbered from 0 on: `slots` leads from a token's hash to its number, plus one.
const TOKENS = 2 * PIECE * MAX_TOKENS;
const SLOT_BITS = 14;
const slots = new Int32Array(1 << SLOT_BITS);
const slotOfNumber = new Int32Array(TOKENS);
const tokenOfNumber = new Int32Array(TOKENS);
let numberCount = 0;

function readTokens(piece: PieceSide, count: number, side: Side, block: LineBlock, base: number): void {
  const { lines, tokens, ends } = piece;
  let at = 0;
  ends[0] = 0;
  for (let i = 0; i < count; i++) {
    const line = lines[i]!;
    const to = at + tokenize(block.bytes, side.firsts[line]!, block.ends[line - base]!, tokens, at);
    for (; at < to; at++) tokens[at] = numberToken(tokens[at]!);
    ends[i + 1] = to;
  }
}

function numberToken(token: number): number {
  let slot = Math.imul(token, 0x9e3779b1) >>> (32 - SLOT_BITS);
  while (slots[slot] !== 0 && tokenOfNumber[slots[slot]! - 1] !== token) slot = (slot + 1) & (slots.length - 1);
  if (slots[slot] === 0) {
    slotOfNumber[numberCount] = slot;
    tokenOfNumber[numberCount++] = token;
    slots[slot] = numberCount;
  }
  return slots[slot]! - 1;
}

function forgetTokens(): void {
  for (let i = 0; i < numberCount; i++) slots[slotOfNumber[i]!] = 0;
  numberCount = 0;
}

/** How often the row at hand has each token, and those found in a column. */
const left = new Int32Array(TOKENS);
const found = new Int32Array(MAX_TOKENS + 1);

/** The likeness of the row counted in `left` and a column. */
function likenessOf(rowTokens: number, column: number): number {
  const from = columns.ends[column]!;
  const to = columns.ends[column + 1]!;
  if (!canBeAlike(rowTokens, to - from)) return 0;
  const { tokens } = columns;
  let common = 0;
  for (let i = from; i < to; i++) {
    const token = tokens[i]!;
    const count = left[token]!;
    // One when there is any left: without a branch, for whether there is one is anybody's guess.
    const isCommon = -count >>> 31;
    left[token] = count - isCommon;
    found[common] = token;
    common += isCommon;
  }
  for (let i = 0; i < common; i++) left[found[i]!]!++;
  return likeness(rowTokens, to - from, common, common > 0 && tokenOfNumber[found[0]!]! < 0);
}

/** The longest common subsequence, weighted by likeness; best[r][c] is the sum for what lies behind. */
function align(rowCount: number, columnCount: number, pairs: LinePairs): void {
  const width = columnCount + 1;
  best.fill(0, rowCount * width, (rowCount + 1) * width);
  for (let r = rowCount - 1; r >= 0; r--) {
    const from = rows.ends[r]!;
    const to = rows.ends[r + 1]!;
    for (let i = from; i < to; i++) left[rows.tokens[i]!]!++;
    best[r * width + columnCount] = 0;
    for (let c = columnCount - 1; c >= 0; c--) {
      const like = likenessOf(to - from, c);
      alike[r * columnCount + c] = like;
      let sum = Math.max(best[(r + 1) * width + c]!, best[r * width + c + 1]!);
      if (like > 0) sum = Math.max(sum, like + best[(r + 1) * width + c + 1]!);
      best[r * width + c] = sum;
    }
    for (let i = from; i < to; i++) left[rows.tokens[i]!] = 0;
  }
  let r = 0;
  let c = 0;
  while (r < rowCount && c < columnCount) {
    const sum = best[r * width + c]!;
    if (sum === 0) return;
    const like = alike[r * columnCount + c]!;
    if (like > 0 && sum === like + best[(r + 1) * width + c + 1]!) {
      pushPair(pairs, rows.lines[r]!, columns.lines[c]!);
      r++;
      c++;
    } else if (sum === best[(r + 1) * width + c]!) r++;
    else c++;
  }
}
