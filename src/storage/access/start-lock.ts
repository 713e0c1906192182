// One process at a time makes the first user, entity and token of an installation.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

const LOCK = 7_080_018;

export const withStartLock = <T>(db: Database, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(trx);
    return work();
  });
