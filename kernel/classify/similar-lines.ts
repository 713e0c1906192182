// Pairs of a removed and an added line of one hunk that say nearly the same: candidates for Updated, and
// for Find/Replaced when the same text was swapped for the same other text on several of them.
import { setWord, word } from '../words.ts';
import { endOf, firstOf, isUndecided, traitsOf } from './commit-lines.ts';
import {
  areAlike,
  canBeAlike,
  isContained,
  isRunOf,
  MIN_CONTAINED,
  SIMILAR,
  similarity,
  tokenize,
} from './line-tokens.ts';
import {
  ALIKE,
  added,
  BEST,
  COLUMN_ENDS,
  COLUMN_LINES,
  COLUMN_SETS,
  COLUMN_TOKENS,
  FOUND,
  hunkCount,
  LEFT,
  Lines,
  PIECE,
  pairAdded,
  pairCount,
  pairRemoved,
  ROW_ENDS,
  ROW_LINES,
  ROW_SETS,
  ROW_TOKENS,
  removed,
  SLOT_BITS,
  SLOT_OF_NUMBER,
  setPairCount,
  TOKEN_OF_NUMBER,
  TOKEN_SLOTS,
} from './memory.ts';
import { BARE_KEYWORD, WORD_TRAIT } from './scan-line.ts';

/** Pairs the undecided lines of every hunk, in order, so that the similarities add up to the most. */
export function pairSimilarLines(): void {
  setPairCount(0);
  for (let hunk: i32 = 0; hunk < hunkCount; hunk++) {
    const height = word(removed.to, hunk) - word(removed.from, hunk);
    const width = word(added.to, hunk) - word(added.from, hunk);
    if (height > 0 && width > 0) pairHunk(hunk, height, width);
  }
}

function pushPair(removedLine: i32, addedLine: i32): void {
  setWord(pairRemoved, pairCount, removedLine);
  setWord(pairAdded, pairCount, addedLine);
  setPairCount(pairCount + 1);
}

function pairHunk(hunk: i32, height: i32, width: i32): void {
  const pieces = (max(height, width) + PIECE - 1) / PIECE;
  for (let piece: i32 = 0; piece < pieces; piece++) {
    // Both sides are cut in the same number of pieces, at the same share of their height.
    const rowCount = collect(removed, hunk, height, piece, pieces, ROW_LINES);
    if (rowCount === 0) continue;
    const columnCount = collect(added, hunk, width, piece, pieces, COLUMN_LINES);
    if (columnCount === 0) continue;
    if (rowCount === 1 && columnCount === 1) {
      const one = word(ROW_LINES, 0);
      const other = word(COLUMN_LINES, 0);
      const oneFirst = firstOf(removed, one);
      const otherFirst = firstOf(added, other);
      if (
        areAlike(oneFirst, endOf(removed, one), otherFirst, endOf(added, other)) ||
        (canContain(one, other) && isContained(oneFirst, endOf(removed, one), otherFirst, endOf(added, other)))
      )
        pushPair(one, other);
      continue;
    }
    readTokens(removed, rowCount, ROW_LINES, ROW_TOKENS, ROW_ENDS, ROW_SETS);
    readTokens(added, columnCount, COLUMN_LINES, COLUMN_TOKENS, COLUMN_ENDS, COLUMN_SETS);
    align(rowCount, columnCount);
    forgetTokens();
  }
}

function collect(lines: Lines, hunk: i32, size: i32, piece: i32, pieces: i32, out: usize): i32 {
  const base = word(lines.from, hunk);
  const from = base + <i32>((<i64>size * piece) / pieces);
  const to = base + <i32>((<i64>size * (piece + 1)) / pieces);
  let count: i32 = 0;
  for (let line = from; line < to; line++)
    if (isUndecided(lines, line) && (traitsOf(lines, line) & (WORD_TRAIT | BARE_KEYWORD)) === WORD_TRAIT)
      setWord(out, count++, line);
  return count;
}

let numberCount: i32 = 0;

function readTokens(lines: Lines, count: i32, from: usize, tokens: usize, ends: usize, sets: usize): void {
  let at: i32 = 0;
  setWord(ends, 0, 0);
  for (let i: i32 = 0; i < count; i++) {
    const line = word(from, i);
    const to = at + tokenize(firstOf(lines, line), endOf(lines, line), tokens, at);
    let set: u64 = 0;
    for (; at < to; at++) {
      const number = numberToken(word(tokens, at));
      setWord(tokens, at, number);
      set |= (<u64>1) << (number & 63);
    }
    setWord(ends, i + 1, to);
    store<u64>(sets + ((<usize>i) << 3), set);
  }
}

function numberToken(token: i32): i32 {
  let slot = (token * 0x9e3779b1) >>> (32 - SLOT_BITS);
  for (;;) {
    const number = word(TOKEN_SLOTS, slot);
    if (number === 0) break;
    if (word(TOKEN_OF_NUMBER, number - 1) === token) return number - 1;
    slot = (slot + 1) & ((1 << SLOT_BITS) - 1);
  }
  setWord(SLOT_OF_NUMBER, numberCount, slot);
  setWord(TOKEN_OF_NUMBER, numberCount, token);
  setWord(TOKEN_SLOTS, slot, ++numberCount);
  return numberCount - 1;
}

function forgetTokens(): void {
  for (let i: i32 = 0; i < numberCount; i++) setWord(TOKEN_SLOTS, word(SLOT_OF_NUMBER, i), 0);
  numberCount = 0;
}

/** Whether the shorter of two lines has enough text to be known again in the longer. */
function canContain(removedLine: i32, addedLine: i32): bool {
  return min(word(removed.weights, removedLine), word(added.weights, addedLine)) >= MIN_CONTAINED;
}

/** SIMILAR when the row has the column's text whole, or the other way round; else 0. */
function containment(row: i32, column: i32): f64 {
  const rowSet = load<u64>(ROW_SETS + ((<usize>row) << 3));
  const columnSet = load<u64>(COLUMN_SETS + ((<usize>column) << 3));
  const rowFrom = word(ROW_ENDS, row);
  const rowCount = word(ROW_ENDS, row + 1) - rowFrom;
  const columnFrom = word(COLUMN_ENDS, column);
  const columnCount = word(COLUMN_ENDS, column + 1) - columnFrom;
  // Nearly all pairs end here: a token that only the shorter line has.
  if ((rowCount <= columnCount ? rowSet & ~columnSet : columnSet & ~rowSet) !== 0) return 0;
  if (!canContain(word(ROW_LINES, row), word(COLUMN_LINES, column))) return 0;
  const rows = ROW_TOKENS + ((<usize>rowFrom) << 2);
  const columns = COLUMN_TOKENS + ((<usize>columnFrom) << 2);
  const isWhole =
    rowCount <= columnCount
      ? isRunOf(rows, rowCount, columns, columnCount)
      : isRunOf(columns, columnCount, rows, rowCount);
  return isWhole ? SIMILAR : 0;
}

/** The similarity of the row counted in LEFT and a column. */
function similarityOf(row: i32, rowTokens: i32, column: i32): f64 {
  const from = word(COLUMN_ENDS, column);
  const to = word(COLUMN_ENDS, column + 1);
  if (!canBeAlike(rowTokens, to - from)) return containment(row, column);
  let common: i32 = 0;
  for (let i = from; i < to; i++) {
    const token = word(COLUMN_TOKENS, i);
    const count = word(LEFT, token);
    // One when there is any left: without a branch, for whether there is one is anybody's guess.
    const isCommon = -count >>> 31;
    setWord(LEFT, token, count - isCommon);
    setWord(FOUND, common, token);
    common += isCommon;
  }
  for (let i: i32 = 0; i < common; i++) {
    const token = word(FOUND, i);
    setWord(LEFT, token, word(LEFT, token) + 1);
  }
  const like = similarity(rowTokens, to - from, common, common > 0 && word(TOKEN_OF_NUMBER, word(FOUND, 0)) < 0);
  return like > 0 ? like : containment(row, column);
}

function best(at: i32): f64 {
  return load<f64>(BEST + ((<usize>at) << 3));
}

function setBest(at: i32, sum: f64): void {
  store<f64>(BEST + ((<usize>at) << 3), sum);
}

/** The longest common subsequence, weighted by similarity; best[r][c] is the sum for what lies behind. */
function align(rowCount: i32, columnCount: i32): void {
  const width = columnCount + 1;
  for (let c: i32 = 0; c < width; c++) setBest(rowCount * width + c, 0);
  for (let r = rowCount - 1; r >= 0; r--) {
    const from = word(ROW_ENDS, r);
    const to = word(ROW_ENDS, r + 1);
    for (let i = from; i < to; i++) {
      const token = word(ROW_TOKENS, i);
      setWord(LEFT, token, word(LEFT, token) + 1);
    }
    setBest(r * width + columnCount, 0);
    for (let c = columnCount - 1; c >= 0; c--) {
      const like = similarityOf(r, to - from, c);
      store<f64>(ALIKE + ((<usize>(r * columnCount + c)) << 3), like);
      let sum = max(best((r + 1) * width + c), best(r * width + c + 1));
      if (like > 0) sum = max(sum, like + best((r + 1) * width + c + 1));
      setBest(r * width + c, sum);
    }
    for (let i = from; i < to; i++) setWord(LEFT, word(ROW_TOKENS, i), 0);
  }
  let r: i32 = 0;
  let c: i32 = 0;
  while (r < rowCount && c < columnCount) {
    const sum = best(r * width + c);
    if (sum === 0) return;
    const like = load<f64>(ALIKE + ((<usize>(r * columnCount + c)) << 3));
    if (like > 0 && sum === like + best((r + 1) * width + c + 1)) {
      pushPair(word(ROW_LINES, r), word(COLUMN_LINES, c));
      r++;
      c++;
    } else if (sum === best((r + 1) * width + c)) r++;
    else c++;
  }
}
