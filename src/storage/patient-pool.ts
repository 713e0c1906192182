// A connection pool that retries new connections for a while, so that a server that restarts costs a
// pause and not errors. A query in flight is never repeated.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../kit/log.ts';

/** The server is not there yet, is starting, stopping, or has no free connection. */
const TRANSIENT_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', '57P01', '57P02', '57P03', '53300']);
const TRANSIENT_MESSAGE = /Connection terminated unexpectedly/;

export function isTransientConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isTransientConnectionError);
  return TRANSIENT_CODES.has((error as NodeJS.ErrnoException).code ?? '') || TRANSIENT_MESSAGE.test(error.message);
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

export class PatientPool extends pg.Pool {
  readonly #patienceMilliseconds: number;

  constructor(options: { config: pg.PoolConfig; patienceMilliseconds: number; log: Log }) {
    super({ connectionTimeoutMillis: 15_000, idleTimeoutMillis: 30_000, keepAlive: true, ...options.config });
    this.#patienceMilliseconds = options.patienceMilliseconds;
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
