// The documentation of a function: the comment directly above its header, decorators in between, or the
// string that opens its body. Comment marks are taken off; the text is otherwise as written.
import { INSIDE_COMMENT } from './mask-lines.ts';
import type { ScopeRule } from './scope-rules.ts';

const MAX_DOC_LINES = 200;
const MAX_DOC_LENGTH = 4000;
/** A signature longer than this is not looked through for a doc string. */
const MAX_SIGNATURE_LINES = 60;

export function readDocumentation(
  lines: readonly string[],
  mask: Uint8Array,
  headerIndex: number,
  rule: ScopeRule,
): string | null {
  const text = rule.docString
    ? readDocString(lines, headerIndex)
    : (readBlockAbove(lines, mask, headerIndex, rule) ?? readLinesAbove(lines, headerIndex, rule));
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed.slice(0, MAX_DOC_LENGTH);
}

function skipDecorators(lines: readonly string[], headerIndex: number, rule: ScopeRule): number {
  let at = headerIndex - 1;
  while (at >= 0 && rule.decorator?.test(lines[at]!)) at--;
  return at;
}

function readBlockAbove(
  lines: readonly string[],
  mask: Uint8Array,
  headerIndex: number,
  rule: ScopeRule,
): string | null {
  if (rule.blockComment === null) return null;
  const [open, close] = rule.blockComment;
  const above = skipDecorators(lines, headerIndex, rule);
  const isApart = above > 0 && lines[above]!.trim() === '';
  const last = isApart ? above - 1 : above;
  if (last < 0 || !lines[last]!.trimEnd().endsWith(close)) return null;
  let first = last;
  while (first > 0 && mask[first] === INSIDE_COMMENT && last - first < MAX_DOC_LINES) first--;
  // Across a blank line only a block that is marked as documentation counts.
  if (!lines[first]!.trimStart().startsWith(isApart ? `${open}*` : open)) return null;
  return lines
    .slice(first, last + 1)
    .map((line, index, all) => {
      let text = line.trim();
      if (index === 0) text = text.slice(open.length).replace(/^[*!]+/, '');
      if (index === all.length - 1 && text.endsWith(close)) text = text.slice(0, -close.length).replace(/\*+$/, '');
      return (index === 0 ? text : text.replace(/^\*+ ?/, '')).trimEnd().replace(/^ /, '');
    })
    .join('\n');
}

function readLinesAbove(lines: readonly string[], headerIndex: number, rule: ScopeRule): string | null {
  if (rule.docLine === null) return null;
  const last = skipDecorators(lines, headerIndex, rule);
  let first = last + 1;
  while (first > 0 && rule.docLine.test(lines[first - 1]!) && last - first < MAX_DOC_LINES) first--;
  if (first > last) return null;
  return lines
    .slice(first, last + 1)
    .map((line) => line.replace(rule.docLine!, ''))
    .join('\n');
}

const DOC_STRING_START = /^\s*[rRuUbB]{0,2}("""|'''|"|')/;

function readDocString(lines: readonly string[], headerIndex: number): string | null {
  let at = headerIndex;
  while (at < lines.length && at - headerIndex < MAX_SIGNATURE_LINES && !/:\s*(?:#.*)?$/.test(lines[at]!)) at++;
  at++;
  while (at < lines.length && lines[at]!.trim() === '') at++;
  const start = at < lines.length ? DOC_STRING_START.exec(lines[at]!) : null;
  if (start === null) return null;
  const quote = start[1]!;
  const collected: string[] = [];
  let line = lines[at]!.slice(start[0].length);
  const indent = /^\s*/.exec(lines[at]!)![0];
  for (let count = 0; count < MAX_DOC_LINES; count++) {
    const end = line.indexOf(quote);
    if (end !== -1) {
      collected.push(line.slice(0, end));
      break;
    }
    collected.push(line);
    if (quote.length === 1 || ++at >= lines.length) break;
    line = lines[at]!.startsWith(indent) ? lines[at]!.slice(indent.length) : lines[at]!;
  }
  return collected.join('\n');
}
