// A connection pool that retries new connections for a while, so that a server that restarts costs a
// pause and not errors. A query in flight is never repeated. Its end waits only a moment for connections
// that are in use: whoever stopped the work has waited for it already, and stuck work never gives them back.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { canBeUndone, currentWork, type Work } from '../../kit/current-work.ts';
import type { Log } from '../../kit/log.ts';
import { guardQueries } from './guard-queries.ts';

/** The server is not there yet, is starting, stopping, or has no free connection. */
const TRANSIENT_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', '57P01', '57P02', '57P03', '53300']);
const TRANSIENT_MESSAGE = /Connection terminated unexpectedly/;
const END_TIMEOUT_MS = 2_000;

export function isTransientConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isTransientConnectionError);
  return TRANSIENT_CODES.has((error as NodeJS.ErrnoException).code ?? '') || TRANSIENT_MESSAGE.test(error.message);
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

export class RetryingPool extends pg.Pool {
  /** How long a new connection is retried. */
  connectTimeoutMilliseconds: number;
  readonly #log: Log;
  readonly #inUse = new Set<pg.PoolClient>();

  constructor(options: { config: pg.PoolConfig; connectTimeoutMilliseconds: number; log: Log }) {
    super({ connectionTimeoutMillis: 15_000, idleTimeoutMillis: 30_000, keepAlive: true, ...options.config });
    this.connectTimeoutMilliseconds = options.connectTimeoutMilliseconds;
    this.#log = options.log;
    this.on('acquire', (client) => this.#inUse.add(client));
    this.on('release', (_error, client) => this.#inUse.delete(client));
    // Only the message: the driver hangs its client on the error, and with it the password.
    // While the pool ends, the server may be faster in closing a connection than we are: nothing is lost then.
    this.on('error', ({ message }) =>
      options.log[this.ending ? 'debug' : 'warn']({ reason: message }, 'an idle database connection was lost'),
    );
    // A connection that is lost while in use fails its query; without a listener it would end the process.
    this.on('connect', (client) =>
      client.on('error', (error) => options.log.debug({ reason: error.message }, 'a database connection was lost')),
    );
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connected = this.#connectForWork(currentWork());
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    const ended = this.#endSoon();
    if (!callback) return ended;
    ended.then(callback, callback);
    return undefined;
  }

  async #endSoon(): Promise<void> {
    const ended = super.end();
    const timeout = new AbortController();
    const isLate = sleep(END_TIMEOUT_MS, true, { signal: timeout.signal }).catch(() => false);
    await Promise.race([ended, isLate]).finally(() => timeout.abort());
    if (this.ended) return;
    this.#log.warn({ connections: this.#inUse.size }, 'ending database connections that are still in use');
    for (const client of this.#inUse) void (client as pg.PoolClient & pg.Client).end().catch(() => undefined);
  }

  /** For a request: its end ends the query that runs then, and every later one but a rollback. */
  async #connectForWork(work: Work | undefined): Promise<pg.PoolClient> {
    if (work === undefined) return this.#connectWithRetry();
    if (canBeUndone(work)) work.signal.throwIfAborted();
    const client = await this.#connectWithRetry();
    if (work.signal.aborted && canBeUndone(work)) {
      client.release();
      throw work.signal.reason;
    }
    guardQueries(client, work, () => this.#cancel(client));
    return client;
  }

  /** Over a connection of its own: all others may be busy. The query then fails and the client goes on. */
  async #cancel(client: pg.PoolClient & { readonly processID?: number }): Promise<void> {
    const { processID } = client;
    if (processID === undefined) return;
    const messenger = new pg.Client({ ...this.options, connectionTimeoutMillis: 2_000 });
    try {
      await messenger.connect();
      await messenger.query('select pg_cancel_backend($1)', [processID]);
    } catch (error) {
      this.#log.debug({ reason: String(error) }, 'a query of a request that is over could not be cancelled');
    } finally {
      await messenger.end().catch(() => undefined);
    }
  }

  async #connectWithRetry(): Promise<pg.PoolClient> {
    const deadline = performance.now() + this.connectTimeoutMilliseconds;
    for (let waitMilliseconds = 25; ; waitMilliseconds = Math.min(waitMilliseconds * 2, 500)) {
      try {
        return await super.connect();
      } catch (error) {
        if (this.ending || !isTransientConnectionError(error) || performance.now() + waitMilliseconds > deadline)
          throw error;
        await sleep(waitMilliseconds);
      }
    }
  }
}
