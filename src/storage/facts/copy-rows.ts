// Bulk loading: rows as PostgreSQL's COPY text. Building one string per row and sending a few large
// buffers is what keeps loading far below the cost of reading the history.
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

export const NULL = '\\N';

const NEEDS_ESCAPE = /[\\\t\n\r\0]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' };

/** PostgreSQL cannot hold NUL in text: it is dropped. */
export const copyString = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? text.replace(/[\\\t\n\r\0]/g, (character) => ESCAPES[character]!) : text;

export const copyStringOrNull = (text: string | null): string => (text === null ? NULL : copyString(text));

export const copyHex = (hex: string): string => `\\\\x${hex}`;

/** Zero is stored as null in the facts: absent columns cost one bit. */
export const copyMeasure = (value: number): string => (value === 0 ? NULL : String(value));

export async function copyRows(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return;
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject);
    stream.on('finish', resolve);
    for (let start = 0; start < rows.length; start += ROWS_PER_WRITE) {
      stream.write(`${rows.slice(start, start + ROWS_PER_WRITE).join('\n')}\n`);
    }
    stream.end();
  });
}

const ROWS_PER_WRITE = 2000;
