// Which lines begin inside a comment or a string that spans lines. Their indentation and words are text,
// not structure. One pass from the top; a quote that is never closed ends with its line.
import type { ScopeRule } from './scope-rules.ts';

export const CODE = 0;
export const INSIDE_COMMENT = 1;
export const INSIDE_STRING = 2;

/** `lines` from the top of the file; the answer has one number for each. */
export function maskLines(lines: readonly string[], rule: ScopeRule): Uint8Array {
  const mask = new Uint8Array(lines.length);
  const openers = [...rule.longStrings.map(([open, close]) => ({ open, close, kind: INSIDE_STRING }))];
  if (rule.blockComment)
    openers.push({ open: rule.blockComment[0], close: rule.blockComment[1], kind: INSIDE_COMMENT });
  const lineMark = rule.lineComment?.source.includes('\\/\\/') ? '//' : rule.lineComment ? '#' : null;
  const special = new Set([
    ...openers.map(({ open }) => open[0]!),
    ...(lineMark ? [lineMark[0]!] : []),
    ...rule.quotes,
  ]);
  let close: string | null = null;
  let kind = CODE;
  for (let number = 0; number < lines.length; number++) {
    const line = lines[number]!;
    mask[number] = close === null ? CODE : kind;
    let at = 0;
    while (at < line.length) {
      if (close !== null) {
        const end: number = line.indexOf(close, at);
        if (end === -1) break;
        // A string's end may be escaped; a comment's may not.
        if (kind === INSIDE_STRING && close.length === 1 && isEscaped(line, end)) {
          at = end + 1;
          continue;
        }
        at = end + close.length;
        close = null;
        continue;
      }
      if (!special.has(line[at]!)) {
        at++;
        continue;
      }
      const opener = openers.find(({ open }) => line.startsWith(open, at));
      if (opener) {
        close = opener.close;
        kind = opener.kind;
        at += opener.open.length;
        continue;
      }
      if (
        lineMark !== null &&
        line.startsWith(lineMark, at) &&
        (lineMark === '//' || at === 0 || /\s/.test(line[at - 1]!))
      )
        break;
      if (rule.quotes.includes(line[at]!)) at = endOfQuote(line, at);
      at++;
    }
  }
  return mask;
}

function isEscaped(line: string, at: number): boolean {
  let slashes = 0;
  while (at - 1 - slashes >= 0 && line[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Position of the closing quote, or the opening one when it stays open: an apostrophe is no string. */
function endOfQuote(line: string, at: number): number {
  const quote = line[at]!;
  for (let end = at + 1; end < line.length; end++) {
    if (line[end] === '\\') end++;
    else if (line[end] === quote) return end;
  }
  return at;
}
