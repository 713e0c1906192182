// A transaction of a request. Two of them that wait for each other's rows are no fault of either caller: the one that the
// database ended left nothing behind and begins anew.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './handle.ts';

/** Deadlock, and a conflict of serializable transactions. */
const ENDED_FOR_ANOTHER = ['40P01', '40001'];
const TRIES = 4;
const PAUSE_MS = 20;

/** `run` may run several times: what it does outside of the transaction must bear that. */
export async function inTransaction<T>(db: Database, run: (trx: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(run);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (attempt === TRIES || !ENDED_FOR_ANOTHER.includes(String(code))) throw error;
      await pause(PAUSE_MS * attempt * (1 + Math.random()));
    }
  }
}
