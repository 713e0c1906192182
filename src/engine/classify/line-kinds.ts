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
import type { CommentStyle } from './comment-styles.ts';
import { hasHash, hashBytes, TRAIT, WORD_BYTE, wordHashes } from './scan-line.ts';

export const LINE_KIND = { code: 0, blank: 1, brackets: 2, keyword: 3, comment: 4, doc: 5 } as const;

/** Up to this line of a file a block comment is its licence or its title. */
const FILE_HEADER_LINES = 20;

const DEFINITION_WORDS = wordHashes(`
  def class func function fn pub public private protected internal static export async interface struct type impl trait
  enum module sub abstract final override template defp defmodule defmacro object data record namespace package procedure
  fun suspend open sealed unsafe extern inline virtual`);

interface Marks {
  readonly line: readonly Uint8Array[];
  readonly docLine: readonly Uint8Array[];
  readonly open: Uint8Array | null;
  readonly close: Uint8Array | null;
  readonly docOpen: readonly Uint8Array[];
  /** Bytes that can begin a comment: all other lines are code without a further look. */
  readonly starts: Uint8Array;
  readonly hasStars: boolean;
}

const marksOf = new WeakMap<CommentStyle, Marks>();

function toMarks(style: CommentStyle): Marks {
  let marks = marksOf.get(style);
  if (marks === undefined) {
    const encoder = new TextEncoder();
    const encode = (text: string) => encoder.encode(text);
    const starts = new Uint8Array(256);
    for (const text of [...style.line, ...style.docLine, style.open, ...style.docOpen])
      if (text) starts[text.charCodeAt(0)] = 1;
    marks = {
      line: style.line.map(encode),
      docLine: style.docLine.map(encode),
      open: style.open === null ? null : encode(style.open),
      close: style.close === null ? null : encode(style.close),
      docOpen: style.docOpen.map(encode),
      starts,
      hasStars: style.open === '/*',
    };
    marksOf.set(style, marks);
  }
  return marks;
}

function beginsWith(bytes: Uint8Array, at: number, end: number, mark: Uint8Array): boolean {
  if (end - at < mark.length) return false;
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}

function indexOfMark(bytes: Uint8Array, from: number, end: number, mark: Uint8Array): number {
  const head = mark[0]!;
  for (let at = from; at <= end - mark.length; at++)
    if (bytes[at] === head && beginsWith(bytes, at, end, mark)) return at;
  return -1;
}

/** One run of lines, already scanned; `traits` and `firsts` come from scanLine, `kinds` is filled. */
export interface LineRun {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly from: number;
  readonly to: number;
  /** The position of the run's first line in the file. */
  readonly lineIndex: number;
  /** Offset of the run's side in the commit-wide arrays below. */
  readonly base: number;
  readonly traits: Uint8Array;
  readonly firsts: Uint32Array;
  readonly weights: Uint32Array;
  readonly kinds: Uint8Array;
}

export function judgeRun(run: LineRun, style: CommentStyle): void {
  const { bytes, ends, from, to, base, traits, firsts, weights, kinds } = run;
  const marks = toMarks(style);
  const usesDocstrings = style.hasDocstrings;
  let blockKind = 0; // the kind of the open block, or 0
  let fenceEnd: number = 0; // the quote byte that closes an open triple-quoted string
  let fenceKind: number = LINE_KIND.code;
  let sinceBlock = from;
  for (let line = from; line < to; line++) {
    const at = base + line;
    const trait = traits[at]!;
    const first = firsts[at]!;
    const end = ends[line]!;
    if (weights[at] === 0) {
      kinds[at] = LINE_KIND.blank;
      continue;
    }
    if (blockKind !== 0) {
      kinds[at] = blockKind;
      if (indexOfMark(bytes, first, end, marks.close!) >= 0) {
        blockKind = 0;
        sinceBlock = line + 1;
      }
      continue;
    }
    if (usesDocstrings && (trait & TRAIT.quote) !== 0) {
      const state = judgeQuotes(run, line, fenceEnd, fenceKind, sinceBlock);
      if (state !== null) {
        fenceEnd = state.fenceEnd;
        fenceKind = state.kind;
        kinds[at] = state.kind;
        if (fenceEnd === 0) sinceBlock = line + 1;
        continue;
      }
    }
    if (fenceEnd !== 0) {
      kinds[at] = fenceKind;
      continue;
    }
    const head = bytes[first]!;
    if (marks.starts[head] === 1) {
      const isBlock = marks.open !== null && beginsWith(bytes, first, end, marks.open);
      if (isBlock) {
        const isHeader = run.lineIndex + (line - from) === 0;
        const isDoc = !isHeader && marks.docOpen.some((mark) => beginsWith(bytes, first, end, mark));
        const kind = isDoc ? LINE_KIND.doc : LINE_KIND.comment;
        kinds[at] = kind;
        const closed = indexOfMark(bytes, first + marks.open!.length, end, marks.close!);
        if (closed < 0) blockKind = kind;
        else if (hasWord(bytes, closed + marks.close!.length, end)) kinds[at] = LINE_KIND.code;
        continue;
      }
      if (marks.docLine.some((mark) => beginsWith(bytes, first, end, mark))) {
        kinds[at] = LINE_KIND.doc;
        continue;
      }
      if (marks.line.some((mark) => beginsWith(bytes, first, end, mark))) {
        kinds[at] = LINE_KIND.comment;
        continue;
      }
    }
    if (marks.hasStars && head === 42) {
      const next = first + 1 < end ? bytes[first + 1]! : 32;
      if (next <= 32 || next === 47 || next === 42) {
        const isHeader = run.lineIndex + (line - from) < FILE_HEADER_LINES;
        kinds[at] = isHeader ? LINE_KIND.comment : LINE_KIND.doc;
        if (next === 47) sinceBlock = line + 1;
        continue;
      }
    }
    if (marks.close !== null && marks.open !== null && endsWith(bytes, first, end, marks.close)) {
      if (indexOfMark(bytes, first, end, marks.open) < 0) {
        for (let back = sinceBlock; back <= line; back++)
          if (kinds[base + back] !== LINE_KIND.blank) kinds[base + back] = LINE_KIND.comment;
        sinceBlock = line + 1;
        continue;
      }
    }
    if ((trait & TRAIT.word) === 0) kinds[at] = LINE_KIND.brackets;
    else if ((trait & TRAIT.bareKeyword) !== 0) kinds[at] = LINE_KIND.keyword;
    else {
      kinds[at] = LINE_KIND.code;
      if (line > from && kinds[at - 1] === LINE_KIND.comment && beginsDefinition(bytes, first, end))
        for (let back = line - 1; back >= from && kinds[base + back] === LINE_KIND.comment; back--)
          kinds[base + back] = LINE_KIND.doc;
    }
  }
}

function endsWith(bytes: Uint8Array, first: number, end: number, mark: Uint8Array): boolean {
  let last = end;
  while (last > first && bytes[last - 1]! <= 32) last--;
  return last - first >= mark.length && beginsWith(bytes, last - mark.length, last, mark);
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

/** How the line changes the state of triple-quoted strings; null when it has none and none is open. */
function judgeQuotes(
  run: LineRun,
  line: number,
  fenceEnd: number,
  fenceKind: number,
  sinceBlock: number,
): { fenceEnd: number; kind: number } | null {
  const { bytes, ends, base, firsts, weights, kinds, from } = run;
  const first = firsts[base + line]!;
  const end = ends[line]!;
  let open = fenceEnd;
  let kind = fenceEnd === 0 ? (LINE_KIND.code as number) : fenceKind;
  let seen = 0;
  for (let at = first; at + 2 < end; at++) {
    const byte = bytes[at]!;
    if ((byte !== 34 && byte !== 39) || bytes[at + 1] !== byte || bytes[at + 2] !== byte) continue;
    if (open !== 0 && open !== byte) continue;
    if (seen === 0 && open === 0) {
      // Behind nothing but a prefix such as r or u, the string stands alone: documentation.
      const isAlone = at - first <= 2 && !hasOther(bytes, first, at);
      if (isAlone && weights[base + line] === 3 && isClosing(run, line, byte)) {
        for (let back = sinceBlock; back < line; back++)
          if (kinds[base + back] !== LINE_KIND.blank) kinds[base + back] = LINE_KIND.doc;
        return { fenceEnd: 0, kind: LINE_KIND.doc };
      }
      kind = isAlone ? LINE_KIND.doc : LINE_KIND.code;
    }
    seen++;
    open = open === 0 ? byte : 0;
    at += 2;
  }
  if (seen === 0) return null;
  // A line of code after which a string stays open keeps its kind; the string's lines are code too.
  if (from > line) return null;
  return { fenceEnd: open, kind };
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
  const { bytes, ends, from, to, base, firsts } = run;
  if (line > from) {
    let last = ends[line - 1]!;
    while (last > firsts[base + line - 1]! && bytes[last - 1]! <= 32) last--;
    if (bytes[last - 1] === 58) return false;
  }
  const mark = Uint8Array.of(quote, quote, quote);
  const lookahead = Math.min(to, line + 200);
  for (let next = line + 1; next < lookahead; next++)
    if (indexOfMark(bytes, firsts[base + next]!, ends[next]!, mark) >= 0) return false;
  return true;
}
