// The open database: a pool and typed queries over it. New connections are retried for a while, so
// that a server that restarts costs a pause and not errors; a query in flight is never repeated.
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Log, silentLog } from '../kit/log.ts';
import { columnTypes } from './column-types.ts';
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
  connectPatienceMilliseconds?: number;
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

/** The server is not there yet, is starting, stopping, or has no free connection. */
const TRANSIENT_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', '57P01', '57P02', '57P03', '53300']);
const TRANSIENT_MESSAGE = /Connection terminated unexpectedly/;

export function isTransientConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isTransientConnectionError);
  return TRANSIENT_CODES.has((error as NodeJS.ErrnoException).code ?? '') || TRANSIENT_MESSAGE.test(error.message);
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

class PatientPool extends pg.Pool {
  readonly #patienceMilliseconds: number;

  constructor(config: pg.PoolConfig, patienceMilliseconds: number) {
    super(config);
    this.#patienceMilliseconds = patienceMilliseconds;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connected = this.#connectPatiently();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connectPatiently(): Promise<pg.PoolClient> {
    const deadline = Date.now() + this.#patienceMilliseconds;
    for (let waitMilliseconds = 25; ; waitMilliseconds = Math.min(waitMilliseconds * 2, 500)) {
      try {
        return await super.connect();
      } catch (error) {
        if (this.ending || !isTransientConnectionError(error) || Date.now() + waitMilliseconds > deadline) throw error;
        await sleep(waitMilliseconds);
      }
    }
  }
}

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
    const reason = cause instanceof AggregateError ? cause.errors.map(String).join('; ') : String(cause);
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
  const pool = new PatientPool(
    {
      connectionString: options.databaseUrl,
      max: options.poolSize ?? 10,
      types: columnTypes,
      application_name: options.applicationName ?? 'strata',
      statement_timeout: options.statementTimeoutMilliseconds ?? 60_000,
      idle_in_transaction_session_timeout: 600_000,
      connectionTimeoutMillis: 15_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      options: '-c timezone=UTC -c datestyle=ISO,MDY -c intervalstyle=postgres',
    },
    options.connectPatienceMilliseconds ?? 15_000,
  );
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // A connection that is lost while in use fails its query; without a listener it would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost')),
  );
  let serverVersion: number;
  try {
    serverVersion = await checkServer(pool, options.databaseUrl);
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
