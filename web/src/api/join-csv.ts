// Pages of CSV as one file. A cell may hold line breaks and quotes, so rows are read, not split.

/** The rows of a text as they are written, each with its end of line. */
export function splitRows(text: string): string[] {
  const rows: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === '\n' && !isQuoted) {
      rows.push(text.slice(start, at + 1));
      start = at + 1;
    }
  }
  if (start < text.length) rows.push(text.slice(start));
  return rows;
}

/** The cells of a row, without the quotes around them. */
export function readCells(row: string): string[] {
  // With a comma in front every cell is a comma and what follows it, empty or not.
  return [...`,${row.replace(/\r?\n$/, '')}`.matchAll(/,("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
}

/** The heading once, then the rows of all pages; with a column's name, those that have something in it. */
export function joinCsv(pages: readonly string[], onlyWith?: string): string {
  const [first = [], ...others] = pages.map(splitRows);
  const [heading = '', ...rows] = first;
  const all = [...rows, ...others.flatMap((page) => page.slice(1))];
  const column = onlyWith === undefined ? -1 : readCells(heading).indexOf(onlyWith);
  return heading + (column === -1 ? all : all.filter((row) => readCells(row)[column] !== '')).join('');
}
