// Tells every process at once that somebody's access has changed: a token was revoked, a role was taken. Who misses it, as
// while its connection is away, forgets what it has cached when it listens again, and caches nothing for long anyway.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../../kit/log.ts';
import type { Database, Store } from '../database/handle.ts';

const CHANNEL = 'strata_access';
const EVERYBODY = 'all';

/** Heard when the transaction is committed. Without a hash it is about everybody. */
export async function announceRevocation(db: Database, tokenHash: Buffer | null = null): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${tokenHash?.toString('hex') ?? EVERYBODY})`.execute(db);
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

export interface RevocationListener {
  close(): Promise<void>;
}

/** Calls `forget` with the hash of a token, or without one for all. Listens until it is closed. */
export function listenForRevocations(
  { databaseUrl }: Pick<Store, 'databaseUrl'>,
  forget: (tokenHash?: string) => void,
  log: Log,
): RevocationListener {
  const closing = new AbortController();
  const run = async (): Promise<void> => {
    for (let wait = FIRST_WAIT_MS; !closing.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const client = new pg.Client({
        connectionString: databaseUrl,
        application_name: 'strata listener',
        connectionTimeoutMillis: 5_000,
        keepAlive: true,
      });
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve());
        client.on('end', () => resolve());
        closing.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      try {
        await client.connect();
        client.on('notification', ({ payload = EVERYBODY }) => (payload === EVERYBODY ? forget() : forget(payload)));
        await client.query(`listen ${CHANNEL}`);
        // What was said before is lost.
        forget();
        wait = FIRST_WAIT_MS;
        await ended;
      } catch (error) {
        log.debug({ reason: error instanceof Error ? error.message : String(error) }, 'not listening for revocations');
      } finally {
        await client.end().catch(() => undefined);
      }
      await sleep(wait, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
