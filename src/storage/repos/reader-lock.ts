// Processes that share a data folder fetch a reader's copy of a repo one after the other. The lock is the
// database's, so it ends with its holder. Imports have a lock of their own, which nobody may wait for.

import type { Store } from '../database/handle.ts';
import { openSession } from '../database/session.ts';

const LOCK_SPACE = 7_080_005;

export async function withReaderLock<T>(store: Store, importId: number, run: () => Promise<T>): Promise<T> {
  const key = importId % 2_147_483_647;
  const session = await openSession(store);
  try {
    await session.client.query('select pg_advisory_lock($1, $2)', [LOCK_SPACE, key]);
    try {
      return await run();
    } finally {
      await session.client.query('select pg_advisory_unlock($1, $2)', [LOCK_SPACE, key]);
    }
  } finally {
    session.release();
  }
}
