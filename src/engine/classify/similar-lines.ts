// Pairs of a removed and an added line of one hunk that say nearly the same: candidates for Updated, and
// for Find/Replaced when the same text was swapped for the same other text on several of them.
import type { CommitDiff } from '../diff.ts';
import { type CommitLines, UNDECIDED } from './commit-lines.ts';
import { MAX_TOKENS, similarity, sortTokens, tokenize } from './line-tokens.ts';
import { hashBytes, TRAIT, WORD_BYTE } from './scan-line.ts';

/** A hunk is aligned piece by piece, each at most this many lines high: work stays linear. */
const PIECE = 32;
/** Text this long may be swapped inside a word and still count as the same replacement. */
const MIN_INNER_LENGTH = 3;
/** Longer texts are compared by their ends. */
const MAX_COMPARED_BYTES = 4096;
export const FIND_REPLACE_LINES = 3;

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

// Room for one piece: its lines, their sorted tokens, the similarity of all pairs and the best sums.
const rowLines = new Int32Array(PIECE);
const columnLines = new Int32Array(PIECE);
const rowTokens = new Int32Array(PIECE * MAX_TOKENS);
const columnTokens = new Int32Array(PIECE * MAX_TOKENS);
const rowEnds = new Int32Array(PIECE + 1);
const columnEnds = new Int32Array(PIECE + 1);
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
  const rows = lines.removedTo[hunk]! - lines.removedFrom[hunk]!;
  const columns = lines.addedTo[hunk]! - lines.addedFrom[hunk]!;
  const pieces = Math.ceil(Math.max(rows, columns) / PIECE);
  for (let piece = 0; piece < pieces; piece++) {
    // Both sides are cut in the same number of pieces, at the same share of their height.
    const rowCount = collect(
      lines,
      'removed',
      lines.removedFrom[hunk]! + Math.floor((rows * piece) / pieces),
      lines.removedFrom[hunk]! + Math.floor((rows * (piece + 1)) / pieces),
      rowLines,
    );
    if (rowCount === 0) continue;
    const columnCount = collect(
      lines,
      'added',
      lines.addedFrom[hunk]! + Math.floor((columns * piece) / pieces),
      lines.addedFrom[hunk]! + Math.floor((columns * (piece + 1)) / pieces),
      columnLines,
    );
    if (columnCount === 0) continue;
    const fileIndex = lines.hunkFile[hunk]!;
    tokenizeAll(lines, commit, fileIndex, 'removed', rowLines, rowCount, rowTokens, rowEnds);
    tokenizeAll(lines, commit, fileIndex, 'added', columnLines, columnCount, columnTokens, columnEnds);
    align(rowCount, columnCount, pairs);
  }
}

function collect(lines: CommitLines, side: 'removed' | 'added', from: number, to: number, out: Int32Array): number {
  const { ops, traits } = lines[side];
  let count = 0;
  for (let line = from; line < to; line++)
    if (ops[line] === UNDECIDED && (traits[line]! & (TRAIT.word | TRAIT.bareKeyword)) === TRAIT.word)
      out[count++] = line;
  return count;
}

function tokenizeAll(
  lines: CommitLines,
  commit: CommitDiff,
  fileIndex: number,
  side: 'removed' | 'added',
  which: Int32Array,
  count: number,
  tokens: Int32Array,
  tokenEnds: Int32Array,
): void {
  const block = commit.files[fileIndex]![side];
  const base = (side === 'removed' ? lines.removedBase : lines.addedBase)[fileIndex]!;
  const firsts = lines[side].firsts;
  let at = 0;
  tokenEnds[0] = 0;
  for (let i = 0; i < count; i++) {
    const line = which[i]!;
    const written = tokenize(block.bytes, firsts[line]!, block.ends[line - base]!, tokens, at);
    sortTokens(tokens, at, at + written);
    at += written;
    tokenEnds[i + 1] = at;
  }
}

function align(rows: number, columns: number, pairs: LinePairs): void {
  if (rows === 1 && columns === 1) {
    if (similarity(rowTokens, 0, rowEnds[1]!, columnTokens, 0, columnEnds[1]!) > 0)
      pushPair(pairs, rowLines[0]!, columnLines[0]!);
    return;
  }
  // The longest common subsequence, weighted by likeness; best[r][c] is the sum for what lies behind.
  const width = columns + 1;
  best.fill(0, rows * width, (rows + 1) * width);
  for (let r = rows - 1; r >= 0; r--) {
    best[r * width + columns] = 0;
    for (let c = columns - 1; c >= 0; c--) {
      const like = similarity(
        rowTokens,
        rowEnds[r]!,
        rowEnds[r + 1]!,
        columnTokens,
        columnEnds[c]!,
        columnEnds[c + 1]!,
      );
      alike[r * columns + c] = like;
      let sum = Math.max(best[(r + 1) * width + c]!, best[r * width + c + 1]!);
      if (like > 0) sum = Math.max(sum, like + best[(r + 1) * width + c + 1]!);
      best[r * width + c] = sum;
    }
  }
  let r = 0;
  let c = 0;
  while (r < rows && c < columns) {
    const sum = best[r * width + c]!;
    if (sum === 0) return;
    const like = alike[r * columns + c]!;
    if (like > 0 && sum === like + best[(r + 1) * width + c + 1]!) {
      pushPair(pairs, rowLines[r]!, columnLines[c]!);
      r++;
      c++;
    } else if (sum === best[(r + 1) * width + c]!) r++;
    else c++;
  }
}

/** Per pair, whether the same replacement was made on FIND_REPLACE_LINES lines of the commit or more. */
export function findReplacements(lines: CommitLines, commit: CommitDiff, pairs: LinePairs): Uint8Array | null {
  if (pairs.count < FIND_REPLACE_LINES) return null;
  const keys = new Int32Array(pairs.count * KEYS);
  const counts = new Map<number, number>();
  for (let pair = 0; pair < pairs.count; pair++) {
    replacementKeys(lines, commit, pairs.removed[pair]!, pairs.added[pair]!, keys, pair * KEYS);
    for (let k = 0; k < KEYS; k++) {
      const key = keys[pair * KEYS + k]!;
      // A line counts once for a key, however it came by it.
      if (key === 0 || (k > 0 && key === keys[pair * KEYS]) || (k > 1 && key === keys[pair * KEYS + 1])) continue;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  let result: Uint8Array | null = null;
  for (let pair = 0; pair < pairs.count; pair++) {
    for (let k = 0; k < KEYS; k++) {
      const key = keys[pair * KEYS + k]!;
      if (key === 0 || counts.get(key)! < FIND_REPLACE_LINES) continue;
      result ??= new Uint8Array(pairs.count);
      result[pair] = 1;
    }
  }
  return result;
}

/** What was swapped: the exact difference, the same widened to whole words, one word throughout. */
const KEYS = 3;
const oneTokens = new Int32Array(MAX_TOKENS);
const otherTokens = new Int32Array(MAX_TOKENS);

function replacementKeys(
  lines: CommitLines,
  commit: CommitDiff,
  removed: number,
  added: number,
  keys: Int32Array,
  at: number,
): void {
  const fileIndex = lines.hunkFile[lines.removed.hunks[removed]!]!;
  const file = commit.files[fileIndex]!;
  const one = file.removed.bytes;
  const other = file.added.bytes;
  const oneStart = lines.removed.firsts[removed]!;
  const otherStart = lines.added.firsts[added]!;
  const oneEnd = trimmedEnd(one, oneStart, file.removed.ends[removed - lines.removedBase[fileIndex]!]!);
  const otherEnd = trimmedEnd(other, otherStart, file.added.ends[added - lines.addedBase[fileIndex]!]!);

  let prefix = 0;
  const shorter = Math.min(oneEnd - oneStart, otherEnd - otherStart);
  while (prefix < shorter && one[oneStart + prefix] === other[otherStart + prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && one[oneEnd - 1 - suffix] === other[otherEnd - 1 - suffix]) suffix++;
  let from = prefix;
  let oneTo = oneEnd - suffix;
  let otherTo = otherEnd - suffix;
  if (oneTo - oneStart - from >= MIN_INNER_LENGTH)
    keys[at] = keyOf(one, oneStart + from, oneTo, other, otherStart + from, otherTo);
  // Widen to whole words where the difference begins or ends inside one.
  const isWord = (bytes: Uint8Array, i: number, end: number) => i < end && WORD_BYTE[bytes[i]!] === 1;
  if (isWord(one, oneStart + from, oneTo) || isWord(other, otherStart + from, otherTo))
    while (from > 0 && WORD_BYTE[one[oneStart + from - 1]!] === 1) from--;
  const endsInWord =
    (oneTo > oneStart + from && WORD_BYTE[one[oneTo - 1]!] === 1) ||
    (otherTo > otherStart + from && WORD_BYTE[other[otherTo - 1]!] === 1);
  if (endsInWord)
    while (isWord(one, oneTo, oneEnd)) {
      oneTo++;
      otherTo++;
    }
  // Something must have been there before: an insertion replaces nothing.
  if (oneTo > oneStart + from) keys[at + 1] = keyOf(one, oneStart + from, oneTo, other, otherStart + from, otherTo);
  keys[at + 2] = tokenKey(one, oneStart, oneEnd, other, otherStart, otherEnd);
}

function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let last = Math.min(end, start + MAX_COMPARED_BYTES);
  while (last > start && bytes[last - 1]! <= 32) last--;
  return last;
}

/** Never 0, which stands for "no key"; small enough to be a plain integer for the engine. */
function combine(one: number, other: number): number {
  return (Math.imul(one ^ (one >>> 15), 0x2c1b3c6d) ^ Math.imul(other, 0x297a2d39)) & 0x3fffffff || 1;
}

function keyOf(
  one: Uint8Array,
  oneFrom: number,
  oneTo: number,
  other: Uint8Array,
  otherFrom: number,
  otherTo: number,
): number {
  return combine(hashBytes(one, oneFrom, oneTo) | 0x80000000, hashBytes(other, otherFrom, otherTo) | 0x80000000);
}

/** The key when the lines differ in one word only, on one place or several; else 0. */
function tokenKey(
  one: Uint8Array,
  oneStart: number,
  oneEnd: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): number {
  const count = tokenize(one, oneStart, oneEnd, oneTokens, 0);
  if (count === MAX_TOKENS || tokenize(other, otherStart, otherEnd, otherTokens, 0) !== count) return 0;
  let from = 0;
  let to = 0;
  for (let i = 0; i < count; i++) {
    if (oneTokens[i] === otherTokens[i]) continue;
    if (from !== 0 && (from !== oneTokens[i] || to !== otherTokens[i])) return 0;
    from = oneTokens[i]!;
    to = otherTokens[i]!;
  }
  return from < 0 ? combine(from, to) : 0;
}
