// Bulk loading: sends rows of PostgreSQL's COPY text to a table.
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CopyBuffer } from './copy-buffer.ts';

/** The server takes each message as a whole into its memory. */
const BYTES_PER_MESSAGE = 1 << 18;

/** The rows may be written anew when this resolves, not before. */
export async function copyRows(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  rows: CopyBuffer,
): Promise<void> {
  if (rows.length === 0) return;
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  const bytes = rows.view();
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject);
    stream.on('finish', resolve);
    for (let start = 0; start < bytes.length; start += BYTES_PER_MESSAGE) {
      stream.write(bytes.subarray(start, start + BYTES_PER_MESSAGE));
    }
    stream.end();
  });
}
