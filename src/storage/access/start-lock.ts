// One process at a time makes the first user, entity and token of an installation.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

const LOCK = 7_080_018;

/** In this process too they come one after another: each holds a connection, and needs a second one for its work. */
let last: Promise<unknown> = Promise.resolve();

export function withStartLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const done = last.then(() =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(trx);
      return work();
    }),
  );
  last = done.catch(() => undefined);
  return done;
}
