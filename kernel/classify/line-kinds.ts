// What a changed line is: code, blank, brackets, a bare keyword, a comment, a doc comment. A diff without
// context shows only pieces of block comments, so each run of lines (one side of a hunk) is judged by
// itself with these guesses, tried in order:
// - a line inside a block opened earlier in the run belongs to it;
// - a leading star in a C-like language continues a block that was opened above the run: a doc comment,
//   unless it stands in the first lines of the file, where licences are;
// - a closing mark without an opening one makes all lines since the run's start, or since the last block
//   that was closed, part of the comment;
// - a comment directly above a line that begins a definition is a doc comment.
// Text inside a docstring or star-less block whose edges are not in the run is taken for code.
import {
  DEFINITION_WORDS,
  GIVEN_HUNK_WORDS,
  GIVEN_STYLE,
  STYLE_BYTES,
  STYLE_CLOSE,
  STYLE_DOC_LINE,
  STYLE_DOC_OPEN,
  STYLE_DOCSTRINGS,
  STYLE_HEADS,
  STYLE_LINE,
  STYLE_OPEN,
  STYLE_STARS,
} from '../contract.ts';
import { word } from '../words.ts';
import { hashBytes, isKnownWord, isWordAt } from './bytes.ts';
import { endOf, firstOf, given, traitsOf } from './commit-lines.ts';
import { added, givenHunks, hunkCount, hunkFiles, Lines, removed, STYLES } from './memory.ts';
import { BARE_KEYWORD, QUOTE, WORD_TRAIT } from './scan-line.ts';

export const CODE: i32 = 0;
const BLANK: i32 = 1;
const BRACKETS: i32 = 2;
const KEYWORD: i32 = 3;
const COMMENT: i32 = 4;
export const DOC: i32 = 5;

/** Up to this line of a file a block comment is its licence or its title. */
const FILE_HEADER_LINES: i32 = 20;
/** So far a line of three quotes looks for the one that closes its string. */
const FENCE_LOOK_AHEAD: i32 = 200;

/** The run at hand: lines [runFrom, runTo) of a side, the first of which stands at `runLineIndex` of its file. */
let runFrom: i32 = 0;
let runTo: i32 = 0;
let runLineIndex: i32 = 0;
/** The first line that a closing mark without an opening one reaches back to. */
let since: i32 = 0;
/** Where the comment style at hand lies. */
let style: usize = 0;

export function judgeKinds(): void {
  let lastFile: i32 = -1;
  let at = givenHunks;
  let hunksTo = givenHunks;
  for (let hunk: i32 = 0; hunk < hunkCount; hunk++) {
    const file = word(hunkFiles, hunk);
    while (lastFile < file) {
      at = hunksTo;
      hunksTo = at + ((<usize>given(++lastFile, GIVEN_HUNK_WORDS)) << 2);
    }
    style = STYLES + <usize>(given(file, GIVEN_STYLE) * STYLE_BYTES);
    // Lines that no hunk covers may stand anywhere.
    const isEmitted = at + 16 <= hunksTo;
    judgeRun(removed, hunk, isEmitted ? word(at, 0) : 0);
    judgeRun(added, hunk, isEmitted ? word(at, 2) : 0);
    if (isEmitted) at += 16;
  }
}

export function kindOfLine(lines: Lines, line: i32): i32 {
  return <i32>load<u8>(lines.kinds + <usize>line);
}

function setKind(lines: Lines, line: i32, kind: i32): void {
  store<u8>(lines.kinds + <usize>line, kind);
}

function beginsWith(at: usize, end: usize, mark: usize, length: usize): bool {
  if (at + length > end) return false;
  for (let i: usize = 0; i < length; i++) if (load<u8>(at + i) !== load<u8>(mark + i)) return false;
  return true;
}

function beginsWithAny(at: usize, end: usize, marks: usize): bool {
  let length = <usize>load<u8>(marks);
  for (let mark = marks; length > 0; length = <usize>load<u8>(mark)) {
    if (beginsWith(at, end, mark + 1, length)) return true;
    mark += length + 1;
  }
  return false;
}

/** 0 when it is not there. */
function findMark(from: usize, end: usize, mark: usize, length: usize): usize {
  const head = load<u8>(mark);
  for (let at = from; at + length <= end; at++)
    if (load<u8>(at) === head && beginsWith(at, end, mark, length)) return at;
  return 0;
}

/** Set beside the kind of a line after which its block stays open. */
const STAYS_OPEN: i32 = 8;
const NOT_A_COMMENT: i32 = -1;

function judgeRun(lines: Lines, hunk: i32, lineIndex: i32): void {
  runFrom = word(lines.from, hunk);
  runTo = word(lines.to, hunk);
  runLineIndex = lineIndex;
  since = runFrom;
  const hasDocstrings = load<u8>(style + STYLE_DOCSTRINGS) !== 0;
  const canClose = load<u8>(style + STYLE_OPEN) !== 0 && load<u8>(style + STYLE_CLOSE) !== 0;
  let blockKind: i32 = 0; // the kind of the open block, or 0
  let fence: i32 = 0; // of an open triple-quoted string: the quote that closes it, and its kind above
  for (let line = runFrom; line < runTo; line++) {
    if (word(lines.weights, line) === 0) {
      setKind(lines, line, BLANK);
      continue;
    }
    if (blockKind !== 0) {
      setKind(lines, line, blockKind);
      if (closesBlock(lines, line)) blockKind = 0;
      continue;
    }
    if (hasDocstrings) {
      if ((traitsOf(lines, line) & QUOTE) !== 0) {
        const next = judgeQuotes(lines, line, fence);
        if (next !== NO_FENCE_SEEN) {
          fence = (next & FENCE_QUOTE) === 0 ? 0 : next;
          setKind(lines, line, next >> FENCE_KIND_SHIFT);
          if (fence === 0) since = line + 1;
          continue;
        }
      }
      if (fence !== 0) {
        setKind(lines, line, fence >> FENCE_KIND_SHIFT);
        continue;
      }
    }
    if (load<u8>(style + STYLE_HEADS + <usize>load<u8>(firstOf(lines, line))) !== 0) {
      const kind = judgeComment(lines, line);
      if (kind !== NOT_A_COMMENT) {
        setKind(lines, line, kind & ~STAYS_OPEN);
        if ((kind & STAYS_OPEN) !== 0) blockKind = kind & ~STAYS_OPEN;
        continue;
      }
    }
    if (canClose && closesUnopened(lines, line)) continue;
    const traits = traitsOf(lines, line) & (WORD_TRAIT | BARE_KEYWORD);
    const kind = traits === WORD_TRAIT ? CODE : traits === (WORD_TRAIT | BARE_KEYWORD) ? KEYWORD : BRACKETS;
    setKind(lines, line, kind);
    if (kind === CODE && line > runFrom && kindOfLine(lines, line - 1) === COMMENT) documentAbove(lines, line);
  }
}

function closesBlock(lines: Lines, line: i32): bool {
  const close = style + STYLE_CLOSE;
  if (findMark(firstOf(lines, line), endOf(lines, line), close + 1, <usize>load<u8>(close)) === 0) return false;
  since = line + 1;
  return true;
}

/** The kind of a line that begins with a comment's first byte, with STAYS_OPEN where a block is opened. */
function judgeComment(lines: Lines, line: i32): i32 {
  const first = firstOf(lines, line);
  const end = endOf(lines, line);
  const position = runLineIndex + (line - runFrom);
  const open = style + STYLE_OPEN;
  const openLength = <usize>load<u8>(open);
  const close = style + STYLE_CLOSE;
  const closeLength = <usize>load<u8>(close);
  if (openLength > 0 && closeLength > 0 && beginsWith(first, end, open + 1, openLength)) {
    const isDoc = position !== 0 && beginsWithAny(first, end, style + STYLE_DOC_OPEN);
    const kind = isDoc ? DOC : COMMENT;
    const closed = findMark(first + openLength, end, close + 1, closeLength);
    if (closed === 0) return kind | STAYS_OPEN;
    return hasWord(closed + closeLength, end) ? CODE : kind;
  }
  if (beginsWithAny(first, end, style + STYLE_DOC_LINE)) return DOC;
  if (beginsWithAny(first, end, style + STYLE_LINE)) return COMMENT;
  if (load<u8>(style + STYLE_STARS) !== 0 && load<u8>(first) === 42) {
    const next: u8 = first + 1 < end ? load<u8>(first + 1) : 32;
    if (next <= 32 || next === 47 || next === 42) {
      if (next === 47) since = line + 1;
      return position < FILE_HEADER_LINES ? COMMENT : DOC;
    }
  }
  return NOT_A_COMMENT;
}

/** A line that ends in a closing mark and has no opening one makes all before it a comment. */
function closesUnopened(lines: Lines, line: i32): bool {
  const first = firstOf(lines, line);
  let last = endOf(lines, line);
  while (last > first && load<u8>(last - 1) <= 32) last--;
  const close = style + STYLE_CLOSE;
  const closeLength = <usize>load<u8>(close);
  if (load<u8>(last - 1) !== load<u8>(close + closeLength)) return false;
  if (last - first < closeLength || !beginsWith(last - closeLength, last, close + 1, closeLength)) return false;
  const open = style + STYLE_OPEN;
  if (findMark(first, last, open + 1, <usize>load<u8>(open)) !== 0) return false;
  setKind(lines, line, COMMENT);
  emitSince(lines, line, COMMENT);
  since = line + 1;
  return true;
}

/** All lines before that no known block has closed off. */
function emitSince(lines: Lines, line: i32, kind: i32): void {
  for (let back = since; back < line; back++) if (kindOfLine(lines, back) !== BLANK) setKind(lines, back, kind);
}

/** The comment above a line that begins a definition documents it. */
function documentAbove(lines: Lines, line: i32): void {
  if (!beginsDefinition(firstOf(lines, line), endOf(lines, line))) return;
  for (let back = line - 1; back >= runFrom && kindOfLine(lines, back) === COMMENT; back--) setKind(lines, back, DOC);
}

function hasWord(from: usize, end: usize): bool {
  for (let at = from; at < end; at++) if (isWordAt(at)) return true;
  return false;
}

function beginsDefinition(first: usize, end: usize): bool {
  if (load<u8>(first) === 64) return true; // a decorator or annotation
  let at = first;
  while (at < end && isWordAt(at)) at++;
  return at > first && isKnownWord(DEFINITION_WORDS, hashBytes(first, at));
}

/** A line's say about triple-quoted strings: the quote of the one left open or 0, and the line's kind above. */
const FENCE_QUOTE: i32 = 255;
const FENCE_KIND_SHIFT: i32 = 8;
const NO_FENCE_SEEN: i32 = -1;

/** How the line changes the state `fence`; NO_FENCE_SEEN when it has no triple quotes. */
function judgeQuotes(lines: Lines, line: i32, fence: i32): i32 {
  const first = firstOf(lines, line);
  const end = endOf(lines, line);
  let open = <u8>(fence & FENCE_QUOTE);
  // A line of code after which a string stays open keeps its kind; the string's lines are code too.
  let kind: i32 = fence === 0 ? CODE : fence >> FENCE_KIND_SHIFT;
  let seen: i32 = 0;
  for (let at = first; at + 2 < end; at++) {
    const byte = load<u8>(at + 2);
    if (byte !== 34 && byte !== 39) {
      at += 2; // no three quotes can stand here or at the next two places
      continue;
    }
    if (load<u8>(at) !== byte || load<u8>(at + 1) !== byte) continue;
    if (open !== 0 && open !== byte) continue;
    if (seen === 0 && open === 0) {
      // Behind nothing but a prefix such as r or u, the string stands alone: documentation.
      const isAlone = at - first <= 2 && !hasOther(first, at);
      if (isAlone && word(lines.weights, line) === 3 && isClosing(lines, line, byte)) {
        emitSince(lines, line, DOC);
        return DOC << FENCE_KIND_SHIFT;
      }
      kind = isAlone ? DOC : CODE;
    }
    seen++;
    open = open === 0 ? byte : 0;
    at += 2;
  }
  return seen === 0 ? NO_FENCE_SEEN : <i32>open | (kind << FENCE_KIND_SHIFT);
}

function hasOther(first: usize, to: usize): bool {
  for (let at = first; at < to; at++) if (!isWordAt(at)) return true;
  return false;
}

/**
 * A line of three quotes, with no string known to be open, closes one that was opened above the run,
 * unless the line before ends in a colon or another such mark follows in the run.
 */
function isClosing(lines: Lines, line: i32, quote: u8): bool {
  if (line > runFrom) {
    const first = firstOf(lines, line - 1);
    let last = endOf(lines, line - 1);
    while (last > first && load<u8>(last - 1) <= 32) last--;
    // Before a blank line may lie the text of another file.
    if (last > first && load<u8>(last - 1) === 58) return false;
  }
  const lookAhead = min(runTo, line + FENCE_LOOK_AHEAD);
  for (let next = line + 1; next < lookAhead; next++)
    if ((traitsOf(lines, next) & QUOTE) !== 0 && hasThree(firstOf(lines, next), endOf(lines, next), quote))
      return false;
  return true;
}

function hasThree(from: usize, end: usize, quote: u8): bool {
  for (let at = from; at + 3 <= end; at++)
    if (load<u8>(at) === quote && load<u8>(at + 1) === quote && load<u8>(at + 2) === quote) return true;
  return false;
}
