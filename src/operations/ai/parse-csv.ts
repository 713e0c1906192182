// CSV by RFC 4180: a line of names, quoted cells may hold commas, quotes and line ends.

/** The names of the first line, and one object per further line by them; what a line lacks is an empty text. */
export function parseCsv(text: string): { columns: string[]; rows: Record<string, string>[] } {
  const [columns = [], ...lines] = readLines(text.replace(/^\uFEFF/, ''));
  const rows = lines.map((cells) => Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])));
  return { columns, rows };
}

function readLines(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endLine = (): void => {
    cells.push(cell);
    if (cells.length > 1 || cells[0] !== '') lines.push(cells);
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === ',') {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') endLine();
    else if (char !== '\r') cell += char;
  }
  if (isQuoted) throw new Error('a quoted cell does not end');
  endLine();
  return lines;
}
