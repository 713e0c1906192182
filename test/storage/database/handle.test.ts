import { createServer } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Log } from '../../../src/kit/log.ts';
import { describeDatabaseUrl, openStore, type Store } from '../../../src/storage/database/handle.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startOldServer } from '../../support/old-server.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = database.store;
});

describe('a column value', () => {
  test.each([
    ['9007199254740991::bigint', 9_007_199_254_740_991],
    ['12.50::numeric', 12.5],
    ["date '2026-02-28'", '2026-02-28'],
    ["timestamptz '2026-11-15 12:00:00.25+02'", '2026-11-15T10:00:00.25Z'],
    ["timestamptz '2026-11-15 12:00:00+00'", '2026-11-15T12:00:00Z'],
    ["timestamptz 'infinity'", 'infinity'],
    ["timestamp '2026-11-15 12:00:00'", '2026-11-15 12:00:00'],
    ['array[1, null]::bigint[]', [1, null]],
    ["array[date '2026-02-28']", ['2026-02-28']],
    ["array[timestamptz '2026-11-15 12:00:00+00']", ['2026-11-15T12:00:00Z']],
    ["interval '90 minutes'", '01:30:00'],
    [`'{"a": [1]}'::jsonb`, { a: [1] }],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ['true', true],
  ])('%s is read as %o', async (expression, value) => {
    const { rows } = await store.pool.query(`select ${expression} as value`);
    expect(rows[0].value).toEqual(value);
  });

  test('written as a Date is the same moment when read, whatever the zone of the machine', async () => {
    const moment = new Date('2026-03-29T01:30:00.123Z');
    const { rows } = await sql<{ moment: string }>`select ${moment}::timestamptz as moment`.execute(store.db);
    expect(rows[0]?.moment).toBe('2026-03-29T01:30:00.123Z');
  });
});

test('sessions run in UTC with a limit on statements, which can be lifted', async () => {
  const limited = await openStore({ databaseUrl: database.databaseUrl, statementTimeoutMilliseconds: 100 });
  onTestFinished(() => limited.close());
  const { rows } = await limited.pool.query(`select current_setting('timezone') as zone`);
  expect(rows).toEqual([{ zone: 'UTC' }]);
  await expect(limited.pool.query('select pg_sleep(2)')).rejects.toThrow('statement timeout');
  await limited.db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`select pg_sleep(0.2)`.execute(transaction);
  });
});

test('a server older than 15 is refused with its version', async () => {
  const server = await startOldServer({ version: '140011', display: '14.11', encoding: 'UTF8' });
  onTestFinished(() => server.close());
  await expect(openStore({ databaseUrl: server.databaseUrl })).rejects.toThrow(
    /is PostgreSQL 14\.11; Strata needs version 15 or newer/,
  );
});

test('a database in another encoding is refused', async () => {
  const server = await startOldServer({ version: '170000', display: '17.0', encoding: 'SQL_ASCII' });
  onTestFinished(() => server.close());
  await expect(openStore({ databaseUrl: server.databaseUrl })).rejects.toThrow('has the encoding SQL_ASCII');
});

test('a server that is not there is named without its password, after some retries', async () => {
  const startedAt = Date.now();
  const opening = openStore({
    databaseUrl: 'postgresql://someone:secret@127.0.0.1:1/db',
    connectTimeoutMilliseconds: 300,
  });
  await expect(opening).rejects.toThrow('The database postgresql://someone:***@127.0.0.1:1/db cannot be reached');
  await expect(opening).rejects.not.toThrow('secret');
  expect(Date.now() - startedAt).toBeGreaterThan(150);
});

test('a server that appears within the time for retries is used', async () => {
  const placeholder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => placeholder.once('listening', resolve));
  const address = placeholder.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  await new Promise((resolve) => placeholder.close(resolve));
  const real = new URL(database.databaseUrl);
  const url = new URL(database.databaseUrl);
  url.port = String(port);
  const opening = openStore({ databaseUrl: url.toString() });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { connect } = await import('node:net');
  const proxy = createServer((socket) => {
    const upstream = connect(Number(real.port), '127.0.0.1');
    for (const side of [socket, upstream]) side.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  }).listen(port, '127.0.0.1');
  const opened = await opening;
  expect((await opened.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await opened.close();
  proxy.close();
});

test('connections that the server cuts are logged without the password, and replaced', async () => {
  const lines: string[] = [];
  const note = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const cut = await openStore({ databaseUrl: database.databaseUrl, log, applicationName: 'to be cut' });
  await store.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be cut'`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await cut.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await cut.close();
  expect(lines.join('\n')).toContain('terminating connection due to administrator command');
  expect(lines.join('\n')).not.toContain(new URL(database.databaseUrl).password);
});

test('closing twice is closing once', async () => {
  const once = await openStore({ databaseUrl: database.databaseUrl });
  await Promise.all([once.close(), once.close()]);
  await once.close();
});

test('an address is described without its password', () => {
  expect(describeDatabaseUrl('postgres://u:p@h/d?sslmode=require&password=x')).toBe('postgres://u:***@h/d');
  expect(describeDatabaseUrl('no address')).toBe('the given address');
});
