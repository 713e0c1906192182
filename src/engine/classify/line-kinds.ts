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
import type { CommentMarks } from './comment-marks.ts';
import type { Side } from './commit-lines.ts';
import { hasHash, hashBytes, TRAIT, WORD_BYTE, wordHashes } from './scan-line.ts';

export const LINE_KIND = { code: 0, blank: 1, brackets: 2, keyword: 3, comment: 4, doc: 5 } as const;

/** Up to this line of a file a block comment is its licence or its title. */
const FILE_HEADER_LINES = 20;

const DEFINITION_WORDS = wordHashes(`
  def class func function fn pub public private protected internal static export async interface struct type impl trait
  enum module sub abstract final override template defp defmodule defmacro object data record namespace package procedure
  fun suspend open sealed unsafe extern inline virtual`);

function beginsWith(bytes: Uint8Array, at: number, end: number, mark: Uint8Array): boolean {
  if (end - at < mark.length) return false;
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}

function beginsWithAny(bytes: Uint8Array, at: number, end: number, marks: readonly Uint8Array[]): boolean {
  for (let i = 0; i < marks.length; i++) if (beginsWith(bytes, at, end, marks[i]!)) return true;
  return false;
}

function indexOfMark(bytes: Uint8Array, from: number, end: number, mark: Uint8Array): number {
  const head = mark[0]!;
  for (let at = from; at <= end - mark.length; at++)
    if (bytes[at] === head && beginsWith(bytes, at, end, mark)) return at;
  return -1;
}

/** One run of lines, already scanned. One object serves run after run. */
export interface LineRun {
  bytes: Uint8Array;
  ends: Uint32Array;
  from: number;
  to: number;
  /** The position of the run's first line in the file. */
  lineIndex: number;
  /** Offset of the run's side in the commit-wide arrays of `side`, of which `kinds` is filled. */
  base: number;
  side: Side;
  /** The first line that a closing mark without an opening one reaches back to. */
  since: number;
}

// The loop below is kept small, and what rare lines need stands in functions of its own: a function is
// compiled the later the longer it is, and anew each time it meets a case that it had never met before.

/** Set beside the kind of a line after which its block stays open. */
const STAYS_OPEN = 8;
const NOT_A_COMMENT = -1;

export function judgeRun(run: LineRun, marks: CommentMarks): void {
  const { bytes, from, to, base } = run;
  const { traits, firsts, weights, kinds } = run.side;
  const { heads, closeTail, hasDocstrings } = marks;
  let blockKind = 0; // the kind of the open block, or 0
  let fence = 0; // of an open triple-quoted string: the quote that closes it, and its kind above
  for (let line = from; line < to; line++) {
    const at = base + line;
    if (weights[at] === 0) {
      kinds[at] = LINE_KIND.blank;
      continue;
    }
    if (blockKind !== 0) {
      kinds[at] = blockKind;
      if (closesBlock(run, marks, line)) blockKind = 0;
      continue;
    }
    if (hasDocstrings) {
      if ((traits[at]! & TRAIT.quote) !== 0) {
        const next = judgeQuotes(run, line, fence);
        if (next !== NO_FENCE_SEEN) {
          fence = (next & FENCE_QUOTE) === 0 ? 0 : next;
          kinds[at] = next >> FENCE_KIND_SHIFT;
          if (fence === 0) run.since = line + 1;
          continue;
        }
      }
      if (fence !== 0) {
        kinds[at] = fence >> FENCE_KIND_SHIFT;
        continue;
      }
    }
    if (heads[bytes[firsts[at]!]!] === 1) {
      const kind = judgeComment(run, marks, line);
      if (kind !== NOT_A_COMMENT) {
        kinds[at] = kind & ~STAYS_OPEN;
        if ((kind & STAYS_OPEN) !== 0) blockKind = kind & ~STAYS_OPEN;
        continue;
      }
    }
    if (closeTail >= 0 && closesUnopened(run, marks, line)) continue;
    const kind = KIND_OF_TRAITS[traits[at]! & (TRAIT.word | TRAIT.bareKeyword)]!;
    kinds[at] = kind;
    if (kind === LINE_KIND.code && line > from && kinds[at - 1] === LINE_KIND.comment) documentAbove(run, line);
  }
}

const KIND_OF_TRAITS = new Uint8Array(16).fill(LINE_KIND.brackets);
KIND_OF_TRAITS[TRAIT.word] = LINE_KIND.code;
KIND_OF_TRAITS[TRAIT.word | TRAIT.bareKeyword] = LINE_KIND.keyword;

function closesBlock(run: LineRun, marks: CommentMarks, line: number): boolean {
  if (indexOfMark(run.bytes, run.side.firsts[run.base + line]!, run.ends[line]!, marks.close!) < 0) return false;
  run.since = line + 1;
  return true;
}

/** The kind of a line that begins with a comment's first byte, with STAYS_OPEN where a block is opened. */
function judgeComment(run: LineRun, marks: CommentMarks, line: number): number {
  const { bytes } = run;
  const first = run.side.firsts[run.base + line]!;
  const end = run.ends[line]!;
  const position = run.lineIndex + (line - run.from);
  if (marks.open !== null && marks.close !== null && beginsWith(bytes, first, end, marks.open)) {
    const isDoc = position !== 0 && beginsWithAny(bytes, first, end, marks.docOpen);
    const kind = isDoc ? LINE_KIND.doc : LINE_KIND.comment;
    const closed = indexOfMark(bytes, first + marks.open.length, end, marks.close);
    if (closed < 0) return kind | STAYS_OPEN;
    return hasWord(bytes, closed + marks.close.length, end) ? LINE_KIND.code : kind;
  }
  if (beginsWithAny(bytes, first, end, marks.docLine)) return LINE_KIND.doc;
  if (beginsWithAny(bytes, first, end, marks.line)) return LINE_KIND.comment;
  if (marks.hasStars && bytes[first] === 42) {
    const next = first + 1 < end ? bytes[first + 1]! : 32;
    if (next <= 32 || next === 47 || next === 42) {
      if (next === 47) run.since = line + 1;
      return position < FILE_HEADER_LINES ? LINE_KIND.comment : LINE_KIND.doc;
    }
  }
  return NOT_A_COMMENT;
}

/** A line that ends in a closing mark and has no opening one makes all before it a comment. */
function closesUnopened(run: LineRun, marks: CommentMarks, line: number): boolean {
  const { bytes, base } = run;
  const { firsts, kinds } = run.side;
  const first = firsts[base + line]!;
  let last = run.ends[line]!;
  while (last > first && bytes[last - 1]! <= 32) last--;
  if (bytes[last - 1] !== marks.closeTail) return false;
  const close = marks.close!;
  if (last - first < close.length || !beginsWith(bytes, last - close.length, last, close)) return false;
  if (indexOfMark(bytes, first, last, marks.open!) >= 0) return false;
  kinds[base + line] = LINE_KIND.comment;
  for (let back = run.since; back < line; back++)
    if (kinds[base + back] !== LINE_KIND.blank) kinds[base + back] = LINE_KIND.comment;
  run.since = line + 1;
  return true;
}

/** The comment above a line that begins a definition documents it. */
function documentAbove(run: LineRun, line: number): void {
  const { base, from } = run;
  const { kinds } = run.side;
  if (!beginsDefinition(run.bytes, run.side.firsts[base + line]!, run.ends[line]!)) return;
  for (let back = line - 1; back >= from && kinds[base + back] === LINE_KIND.comment; back--)
    kinds[base + back] = LINE_KIND.doc;
}

function hasWord(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (WORD_BYTE[bytes[at]!] === 1) return true;
  return false;
}

function beginsDefinition(bytes: Uint8Array, first: number, end: number): boolean {
  if (bytes[first] === 64) return true; // a decorator or annotation
  let at = first;
  while (at < end && WORD_BYTE[bytes[at]!] === 1) at++;
  return at > first && hasHash(DEFINITION_WORDS, hashBytes(bytes, first, at));
}

/** A line's say about triple-quoted strings: the quote of the one left open or 0, and the line's kind above. */
const FENCE_QUOTE = 255;
const FENCE_KIND_SHIFT = 8;
const NO_FENCE_SEEN = -1;

/** How the line changes the state `fence`; NO_FENCE_SEEN when it has no triple quotes. */
function judgeQuotes(run: LineRun, line: number, fence: number): number {
  const { bytes, base } = run;
  const first = run.side.firsts[base + line]!;
  const end = run.ends[line]!;
  let open = fence & FENCE_QUOTE;
  // A line of code after which a string stays open keeps its kind; the string's lines are code too.
  let kind: number = fence === 0 ? LINE_KIND.code : fence >> FENCE_KIND_SHIFT;
  let seen = 0;
  for (let at = first; at + 2 < end; at++) {
    const byte = bytes[at + 2]!;
    if (byte !== 34 && byte !== 39) {
      at += 2; // no three quotes can stand here or at the next two places
      continue;
    }
    if (bytes[at] !== byte || bytes[at + 1] !== byte) continue;
    if (open !== 0 && open !== byte) continue;
    if (seen === 0 && open === 0) {
      // Behind nothing but a prefix such as r or u, the string stands alone: documentation.
      const isAlone = at - first <= 2 && !hasOther(bytes, first, at);
      if (isAlone && run.side.weights[base + line] === 3 && isClosing(run, line, byte)) {
        documentSince(run, line);
        return LINE_KIND.doc << FENCE_KIND_SHIFT;
      }
      kind = isAlone ? LINE_KIND.doc : LINE_KIND.code;
    }
    seen++;
    open = open === 0 ? byte : 0;
    at += 2;
  }
  return seen === 0 ? NO_FENCE_SEEN : open | (kind << FENCE_KIND_SHIFT);
}

function documentSince(run: LineRun, line: number): void {
  const { base } = run;
  const { kinds } = run.side;
  for (let back = run.since; back < line; back++)
    if (kinds[base + back] !== LINE_KIND.blank) kinds[base + back] = LINE_KIND.doc;
}

function hasOther(bytes: Uint8Array, first: number, at: number): boolean {
  for (let i = first; i < at; i++) if (WORD_BYTE[bytes[i]!] !== 1) return true;
  return false;
}

/**
 * A line of three quotes, with no string known to be open, closes one that was opened above the run,
 * unless the line before ends in a colon or another such mark follows in the run.
 */
function isClosing(run: LineRun, line: number, quote: number): boolean {
  const { bytes, ends, base } = run;
  const { firsts, traits } = run.side;
  if (line > run.from) {
    let last = ends[line - 1]!;
    while (last > firsts[base + line - 1]! && bytes[last - 1]! <= 32) last--;
    if (bytes[last - 1] === 58) return false;
  }
  const mark = quote === 34 ? DOUBLE_QUOTES : SINGLE_QUOTES;
  const lookahead = Math.min(run.to, line + 200);
  for (let next = line + 1; next < lookahead; next++) {
    if ((traits[base + next]! & TRAIT.quote) === 0) continue;
    if (indexOfMark(bytes, firsts[base + next]!, ends[next]!, mark) >= 0) return false;
  }
  return true;
}

const DOUBLE_QUOTES = Uint8Array.of(34, 34, 34);
const SINGLE_QUOTES = Uint8Array.of(39, 39, 39);
