// The comment styles as bytes, in the form in which lines are looked at.
import { type CommentStyle, commentStyle } from './comment-styles.ts';

export interface CommentMarks {
  readonly line: readonly Uint8Array[];
  readonly docLine: readonly Uint8Array[];
  readonly open: Uint8Array | null;
  readonly close: Uint8Array | null;
  readonly docOpen: readonly Uint8Array[];
  /** 1 for bytes that can begin a comment: all other lines are code without a further look. */
  readonly heads: Uint8Array;
  /** The last byte of `close`, or −1. */
  readonly closeTail: number;
  /** Whether a leading star continues a block. */
  readonly hasStars: boolean;
  readonly hasDocstrings: boolean;
  readonly hasCalls: boolean;
}

/** By language plus one: −1 stands for no language. */
const marksByLanguage: (CommentMarks | undefined)[] = [];
const marksByStyle = new Map<CommentStyle, CommentMarks>();

export function commentMarks(language: number): CommentMarks {
  const known = marksByLanguage[language + 1];
  if (known !== undefined) return known;
  const style = commentStyle(language);
  const marks = marksByStyle.get(style) ?? styleToMarks(style);
  marksByStyle.set(style, marks);
  marksByLanguage[language + 1] = marks;
  return marks;
}

function styleToMarks(style: CommentStyle): CommentMarks {
  const encoder = new TextEncoder();
  const encode = (text: string) => encoder.encode(text);
  const heads = new Uint8Array(256);
  for (const text of [...style.line, ...style.docLine, style.open, ...style.docOpen])
    if (text) heads[text.charCodeAt(0)] = 1;
  const hasStars = style.open === '/*';
  if (hasStars) heads[42] = 1;
  return {
    line: style.line.map(encode),
    docLine: style.docLine.map(encode),
    open: style.open === null ? null : encode(style.open),
    close: style.close === null ? null : encode(style.close),
    docOpen: style.docOpen.map(encode),
    heads,
    closeTail: style.close === null || style.open === null ? -1 : style.close.charCodeAt(style.close.length - 1),
    hasStars,
    hasDocstrings: style.hasDocstrings,
    hasCalls: style.hasCalls,
  };
}
