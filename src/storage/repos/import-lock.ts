// One repo is worked on by one process at a time: a lock that the database holds for as long as the
// connection lives. Whoever gets the job from the queue is right; a connection that still holds the lock
// then belongs to a worker that was given up, and is ended.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../database/session.ts';

const LOCK_SPACE = 7_080_003;
const TIMEOUT_MS = 15_000;

export async function lockRepo(session: Session, importId: number): Promise<void> {
  const key = importId % 2_147_483_647;
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { rows } = await session.client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [
      LOCK_SPACE,
      key,
    ]);
    if (rows[0]?.locked) return;
    if (Date.now() > deadline)
      throw new Error(`the lock of import ${importId} is held by a connection that does not end`);
    await session.client.query(
      `select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and classid = $1 and objid = $2 and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database())
          and pid <> pg_backend_pid()`,
      [LOCK_SPACE, key],
    );
    await sleep(100);
  }
}

export async function unlockRepo(session: Session, importId: number): Promise<void> {
  await session.client.query('select pg_advisory_unlock($1, $2)', [LOCK_SPACE, importId % 2_147_483_647]);
}
