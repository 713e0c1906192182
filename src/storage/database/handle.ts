// The open database: a pool and typed queries over it.
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { type Log, silentLog } from '../../kit/log.ts';
import { columnTypes } from './column-types.ts';
import { RetryingPool } from './retrying-pool.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

export interface StoreOptions {
  /** Holds a password: never logged. */
  databaseUrl: string;
  poolSize?: number;
  log?: Log;
  /** 0 means no limit. Long work sets its own with `set local statement_timeout`. */
  statementTimeoutMilliseconds?: number;
  /** How long a new connection is retried while the server does not answer. */
  connectTimeoutMilliseconds?: number;
  /** The same from the first answer on; as long if not given. */
  reconnectTimeoutMilliseconds?: number;
  applicationName?: string;
}

export interface Store {
  readonly db: Database;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  /** Of the server, such as 170010. */
  readonly serverVersion: number;
  close(): Promise<void>;
}

export const OLDEST_SERVER_VERSION = 150_000;

/** The address without its password, for messages. */
export function describeDatabaseUrl(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    if (url.password) url.password = '***';
    url.search = '';
    return url.toString();
  } catch {
    return 'the given address';
  }
}

async function checkServer(pool: pg.Pool, databaseUrl: string): Promise<number> {
  const address = describeDatabaseUrl(databaseUrl);
  let row: { version: number; display: string; encoding: string } | undefined;
  try {
    const result = await pool.query(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as display,
              current_setting('server_encoding') as encoding`,
    );
    row = result.rows[0];
  } catch (cause) {
    const reason = (cause instanceof AggregateError ? cause.errors : [cause])
      .map((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .join('; ');
    throw new Error(`The database ${address} cannot be reached: ${reason}`, { cause });
  }
  if (!row || row.version < OLDEST_SERVER_VERSION) {
    throw new Error(
      `The database ${address} is PostgreSQL ${row?.display}; Strata needs version ${OLDEST_SERVER_VERSION / 10_000} or newer.`,
    );
  }
  if (row.encoding !== 'UTF8') {
    throw new Error(`The database ${address} has the encoding ${row.encoding}; Strata needs UTF8.`);
  }
  return row.version;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const log = options.log ?? silentLog;
  const pool = new RetryingPool({
    log,
    connectTimeoutMilliseconds: options.connectTimeoutMilliseconds ?? 15_000,
    config: {
      connectionString: options.databaseUrl,
      max: options.poolSize ?? 10,
      types: columnTypes,
      application_name: options.applicationName ?? 'strata',
      statement_timeout: options.statementTimeoutMilliseconds ?? 60_000,
      idle_in_transaction_session_timeout: 600_000,
      // A remembered statement is planned anew for its values: a plan for any range reads too much for most.
      options: '-c timezone=UTC -c datestyle=ISO,MDY -c intervalstyle=postgres -c plan_cache_mode=force_custom_plan',
    },
  });
  let serverVersion: number;
  try {
    serverVersion = await checkServer(pool, options.databaseUrl);
    pool.connectTimeoutMilliseconds = options.reconnectTimeoutMilliseconds ?? pool.connectTimeoutMilliseconds;
  } catch (error) {
    await pool.end();
    throw error;
  }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  let closing: Promise<void> | undefined;
  return {
    db,
    pool,
    databaseUrl: options.databaseUrl,
    serverVersion,
    close() {
      // Kysely ends the pool itself, but only once it has made a connection.
      closing ??= db.destroy().then(() => (pool.ended || pool.ending ? undefined : pool.end()));
      return closing;
    },
  };
}
