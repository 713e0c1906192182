// A transaction of a background job over a whole entity. What a request may take is too little for it; no limit at all would let
// a statement that went astray hold its locks for good.
import { CompiledQuery, type QueryResult, sql } from 'kysely';
import type { Database } from './handle.ts';

const LONGEST_STATEMENT = '20min';

/** Until the end of the transaction. */
export const allowLongStatements = (trx: Database): Promise<unknown> =>
  sql`select set_config('statement_timeout', ${LONGEST_STATEMENT}, true)`.execute(trx);

export async function longTransaction<T>(db: Database, run: (trx: Database) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await allowLongStatements(trx);
    return run(trx);
  });
}

/** One statement in such a transaction of its own. */
export const longStatement = <T>(db: Database, text: string, values: readonly unknown[]): Promise<QueryResult<T>> =>
  longTransaction(db, (trx) => trx.executeQuery<T>(CompiledQuery.raw(text, [...values])));
