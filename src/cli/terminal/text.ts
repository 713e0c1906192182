// Text for a terminal: bars, columns, colours on request, and names from a repository made harmless.

import type { WriteStream } from 'node:tty';

/** On a terminal, unless NO_COLOR or TERM=dumb says otherwise: Node knows them, and what else terminals go by. */
export const isColored = (stream: Partial<Pick<WriteStream, 'isTTY' | 'hasColors'>>): boolean =>
  stream.isTTY === true && stream.hasColors?.() === true;

/** A pipe is as wide as most terminals. */
export const widthOf = ({ columns }: Partial<Pick<WriteStream, 'columns'>>): number => columns || 100;

export interface Painter {
  strong(text: string): string;
  heading(text: string): string;
  faint(text: string): string;
  chart(text: string): string;
}

export function paint(isColored: boolean): Painter {
  const wrap = (code: string) => (text: string) =>
    isColored && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { strong: wrap('1'), heading: wrap('1;36'), faint: wrap('2'), chart: wrap('36') };
}

/** A repository's names may hold escape sequences; none of them reaches the terminal. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}

const EIGHTHS_ACROSS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const EIGHTHS_UP = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A lying bar of up to `width` columns; anything above 0 shows. */
export function bar(share: number, width: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * width * 8)) : 0;
  return '█'.repeat(eighths >> 3) + EIGHTHS_ACROSS[eighths & 7]!;
}

/** Standing bars, `height` rows from top to bottom; anything above 0 shows. */
export function risingBars(values: readonly number[], height: number): string[] {
  const most = Math.max(0, ...values);
  const eighths = values.map((value) => (value > 0 ? Math.max(1, Math.round((value / most) * height * 8)) : 0));
  const rows: string[] = [];
  for (let row = height - 1; row >= 0; row -= 1) {
    rows.push(
      eighths
        .map((level) => EIGHTHS_UP[Math.max(0, Math.min(8, level - row * 8))]!)
        .join('')
        .trimEnd(),
    );
  }
  return rows;
}

/** Two lists of lines beside each other; colours do not count as width. */
export function columns(left: readonly string[], right: readonly string[], leftWidth: number, gap: number): string[] {
  const rows: string[] = [];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const first = left[index] ?? '';
    const second = right[index] ?? '';
    rows.push(
      second === '' ? first : `${first}${' '.repeat(Math.max(1, leftWidth + gap - visibleLength(first)))}${second}`,
    );
  }
  return rows;
}

export function visibleLength(text: string): number {
  return [...text.replace(/\u001b\[[0-9;]*m/g, '')].length;
}

/** Keeps the end of a path, which says most. */
export function shortenPath(path: string, width: number): string {
  const letters = [...path];
  return letters.length <= width ? path : `…${letters.slice(letters.length - Math.max(1, width - 1)).join('')}`;
}

/** Breaks between words; a word wider than the line stands alone. */
export function wrapWords(text: string, width: number): string[] {
  return wrapParts(text.split(' '), ' ', width);
}

/** Breaks between parts only. */
export function wrapParts(parts: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : last + separator + part;
    if (last !== undefined && visibleLength(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** What it means for figures that a history ends at so many commits of a shallow clone. */
export const cutOffWords = (commits: number): string =>
  `its history is cut off at ${commits === 1 ? 'one commit' : `${commits} commits`}, all of whose lines count as added`;
