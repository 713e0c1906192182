// One connection of the pool for work that needs both typed queries and COPY in the same transaction.
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database, Store } from './handle.ts';
import { allowLongStatements } from './long-transaction.ts';
import type { Schema } from './schema.ts';

export interface Session {
  readonly client: pg.PoolClient;
  /** Typed queries on the same connection. */
  readonly db: Database;
  transaction<T>(run: () => Promise<T>): Promise<T>;
  /** Gives the connection back. */
  release(): void;
  /** Closes the connection, and with it whatever it holds: locks, an open transaction. */
  destroy(): void;
}

export async function openSession(store: Store): Promise<Session> {
  const client = await store.pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  // A connection that dies between two queries must not end the process; the next query fails anyway.
  client.on('error', onError);
  const borrowed = { query: client.query.bind(client), release: () => undefined };
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect: async () => borrowed, end: async () => undefined } }),
  });
  return {
    client,
    db,
    async transaction(run) {
      await client.query('begin');
      try {
        const result = await run();
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((cause: Error) => {
          broken = cause;
        });
        throw error;
      }
    },
    release() {
      client.removeListener('error', onError);
      client.release(broken);
    },
    destroy() {
      client.removeListener('error', onError);
      client.release(true);
    },
  };
}

/** What reading many rows takes: the connection, and the queries on it. */
export type ReadingSession = Pick<Session, 'client' | 'db'>;

/** The transaction of a background job over a whole entity, on one connection. */
export async function longSession<T>(store: Store, run: (session: ReadingSession) => Promise<T>): Promise<T> {
  const session = await openSession(store);
  try {
    return await session.transaction(async () => {
      await allowLongStatements(session.db);
      return run(session);
    });
  } finally {
    session.release();
  }
}
