// Reads very many rows for a background job.
import type { RawBuilder } from 'kysely';
import { type BinaryRow, readBinaryRows } from './binary-rows.ts';
import type { Store } from './handle.ts';
import { longSession } from './session.ts';

/** The query can have literals, but no parameters. */
export const readMany = (store: Store, query: RawBuilder<unknown>, onRow: (row: BinaryRow) => void): Promise<void> =>
  longSession(store, ({ client, db }) => readBinaryRows(client, query.compile(db).sql, onRow));
