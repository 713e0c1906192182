// What the connection of a request sends. After the request's end nothing but a rollback, and what runs then is cancelled;
// but once something is committed the work goes on to its end. A write outside of a transaction gets one of its own, so
// that nothing is committed except by a statement that is not sent any more when the request is over.
import type pg from 'pg';
import { canBeUndone, type Work } from '../../kit/current-work.ts';

type Query = pg.PoolClient['query'];
type Callback = (error: unknown, result?: unknown) => void;
type Kind = 'begin' | 'commit' | 'rollback' | 'write' | 'read';

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['begin', /^\s*(?:begin|start\s+transaction)\b/i],
  ['commit', /^\s*(?:commit|end)\b/i],
  ['rollback', /^\s*rollback(?!\s+to)\b/i],
  ['write', /^\s*with\b[\s\S]*\b(?:insert\s+into|update|delete\s+from|merge\s+into)\b/i],
  // The queue is written by a function.
  ['write', /^\s*select\b[\s\S]*\badd_job\b/i],
  ['read', /^\s*(?:select|with|values|table|show|set|explain|savepoint|release|rollback|lock|declare|fetch|close)\b/i],
];

/** Whatever is not known to be something else may write. */
const kindOf = (text: unknown): Kind =>
  (typeof text === 'string' ? KINDS.find(([, pattern]) => pattern.test(text))?.[0] : undefined) ?? 'write';

/** Until the client is released. */
export function guardQueries(client: pg.PoolClient, work: Work, cancel: () => Promise<void>): void {
  const { query, release } = client;
  const { signal } = work;
  let isInTransaction = false;
  let hasWritten = false;
  let running = 0;
  let cancelled: Promise<void> | null = null;
  const onAbort = (): void => {
    if (running > 0) cancelled = cancel();
  };
  signal.addEventListener('abort', onAbort, { once: true });

  const send = (args: unknown[]): unknown => {
    running += 1;
    const result: unknown = query.apply(client, args as Parameters<Query>);
    const end = (): void => {
      running -= 1;
    };
    // What streams counts as running until the client is released.
    if (result instanceof Promise) result.then(end, end);
    return result;
  };
  const sendText = (text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> =>
    send([text, values]) as Promise<pg.QueryResult>;
  const throwIfOver = (): void => {
    if (signal.aborted && canBeUndone(work)) throw signal.reason;
  };

  /** A commit that is sent is never cancelled: it wins. */
  const commit = async (args: unknown[]): Promise<unknown> => {
    const isWritten = hasWritten;
    if (isWritten) await work.beforeCommit?.(sendText);
    throwIfOver();
    if (isWritten) work.committing += 1;
    try {
      const result = await (query.apply(client, args as Parameters<Query>) as unknown as Promise<pg.QueryResult>);
      // The server answers a commit of a transaction that has failed with a rollback.
      if (isWritten && result.command !== 'ROLLBACK') work.isKept = true;
      return result;
    } finally {
      isInTransaction = false;
      if (isWritten) work.committing -= 1;
    }
  };

  const writeAlone = async (args: unknown[]): Promise<unknown> => {
    await sendText('begin');
    hasWritten = true;
    try {
      throwIfOver();
      const result = await send(args);
      throwIfOver();
      await commit(['commit']);
      return result;
    } catch (error) {
      await sendText('rollback').catch(() => undefined);
      throw error;
    }
  };

  client.query = ((...given: unknown[]) => {
    const callback = typeof given.at(-1) === 'function' ? (given.at(-1) as Callback) : null;
    const args = callback === null ? given : given.slice(0, -1);
    const text: unknown = typeof args[0] === 'string' ? args[0] : (args[0] as { text?: string } | undefined)?.text;
    const kind = kindOf(text);
    if (kind !== 'rollback') throwIfOver();
    if (kind === 'begin') hasWritten = false;
    if (kind === 'write') hasWritten = true;
    if (kind === 'begin') isInTransaction = true;
    if (kind === 'rollback') isInTransaction = false;
    // What streams, as a copy does, says itself when it ends.
    const isStream = typeof (args[0] as { submit?: unknown } | undefined)?.submit === 'function';
    const isAlone = kind === 'write' && !isInTransaction && !isStream;
    if (kind !== 'commit' && !isAlone) return send(given);
    const result = kind === 'commit' ? commit(args) : writeAlone(args);
    if (callback === null) return result;
    result.then((value) => callback(null, value), callback);
    return undefined;
  }) as Query;
  client.release = (destroy) => {
    signal.removeEventListener('abort', onAbort);
    client.query = query;
    client.release = release;
    // A cancellation that comes late must not hit whoever would use the connection next.
    if (cancelled === null) release.call(client, destroy);
    else void cancelled.then(() => release.call(client, true));
  };
}
