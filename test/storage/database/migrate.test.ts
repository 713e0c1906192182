import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/kit/log.ts';
import { openStore } from '../../../src/storage/database/handle.ts';
import { type Migration, migrate, migrationStatus, readMigrations } from '../../../src/storage/database/migrate.ts';
import { QUEUE_MIGRATION, QUEUE_SCHEMA } from '../../../src/storage/queue/schema.ts';
import { createTestDatabase } from '../../support/database.ts';

const names = readMigrations().map(({ name }) => name);

function migration(name: string, sql: string): Migration {
  return { name, sql, sha256: `sha of ${sql}` };
}

test('an empty database is brought up to date, and a second run changes nothing', async () => {
  const { store } = await createTestDatabase({ empty: true });
  expect((await migrationStatus(store)).every(({ applied_at }) => applied_at === null)).toBe(true);
  expect(await migrate(store)).toEqual(names);
  expect(await migrate(store)).toEqual([]);
  const status = await migrationStatus(store);
  expect(status.map(({ name }) => name)).toEqual(names);
  expect(status.every(({ applied_at }) => /^\d{4}-\d\d-\d\dT.*Z$/.test(applied_at ?? ''))).toBe(true);
});

test('the queue is current at the last migration of its package, and made anew where it is not', async () => {
  const { store } = await createTestDatabase({ empty: true });
  await migrate(store);
  const last = async () => (await store.pool.query(`select max(id) as id from ${QUEUE_SCHEMA}.migrations`)).rows[0].id;
  expect(await last()).toBe(QUEUE_MIGRATION);
  await store.pool.query(`drop schema ${QUEUE_SCHEMA} cascade`);
  await migrate(store);
  expect(await last()).toBe(QUEUE_MIGRATION);
});

test('a database in which nothing is missing is looked at beside whoever migrates, in the session that is open', async () => {
  const { store, databaseUrl } = await createTestDatabase({ empty: true });
  await migrate(store);
  const other = await openStore({ databaseUrl, poolSize: 1 });
  const sessionOf = async () => (await other.pool.query('select pg_backend_pid() as id')).rows[0].id;
  const holder = await store.pool.connect();
  try {
    await holder.query('select pg_advisory_lock(7080001)');
    const session = await sessionOf();
    expect(await migrate(other)).toEqual([]);
    expect(await sessionOf()).toBe(session);
  } finally {
    holder.release(true);
    await other.close();
  }
});

test('a new database is one line of the log, an upgrade a line for each step', async () => {
  const { store } = await createTestDatabase({ empty: true });
  const lines: string[] = [];
  const log = { ...silentLog, info: (_fields: object, message: string) => lines.push(message) };
  const first = migration('0001_one', 'create table one (id int)');
  const second = migration('0002_two', 'create table two (id int)');
  const third = migration('0003_three', 'create table three (id int)');
  await migrate(store, { log, migrations: [first] });
  await migrate(store, { log, migrations: [first, second, third] });
  await migrate(store, { log, migrations: [first, second, third] });
  expect(lines).toEqual(['the tables are made', 'migration applied', 'migration applied']);
});

test('twenty migrations at once in one process apply each file once', async () => {
  const { databaseUrl, store } = await createTestDatabase({ empty: true });
  const stores = await Promise.all(Array.from({ length: 20 }, () => openStore({ databaseUrl, poolSize: 2 })));
  const applied = await Promise.all(stores.map((one) => migrate(one)));
  await Promise.all(stores.map((one) => one.close()));
  expect(applied.filter((list) => list.length > 0)).toEqual([names]);
  expect((await migrationStatus(store)).every(({ applied_at }) => applied_at !== null)).toBe(true);
});

test('processes that migrate at once apply each file once', async () => {
  const { databaseUrl } = await createTestDatabase({ empty: true });
  const script = fileURLToPath(new URL('../../support/migrate-child.mjs', import.meta.url));
  const runs = await Promise.all(
    Array.from({ length: 5 }, () => promisify(execFile)(process.execPath, [script, databaseUrl])),
  );
  const applied = runs.map(({ stdout }) => JSON.parse(stdout) as string[]);
  expect(applied.filter((list) => list.length > 0)).toEqual([names]);
});

test('a migration that fails leaves nothing of itself, keeps those before it, and names itself', async () => {
  const { store } = await createTestDatabase({ empty: true });
  const good = migration('0001_good', 'create table good (id int)');
  const bad = migration('0002_bad', 'create table half (id int); select 1 / 0');
  await expect(migrate(store, { migrations: [good, bad] })).rejects.toThrow(/0002_bad failed: .*division by zero/);
  const { rows } = await store.pool.query(`select to_regclass('good') as good, to_regclass('half') as half`);
  expect(rows).toEqual([{ good: 'good', half: null }]);
  expect((await migrationStatus(store, [good, bad])).map(({ applied_at }) => applied_at !== null)).toEqual([
    true,
    false,
  ]);
});

test('a migration changed after it was applied is refused', async () => {
  const { store } = await createTestDatabase({ empty: true });
  await migrate(store, { migrations: [migration('0001_a', 'select 1')] });
  await expect(migrate(store, { migrations: [migration('0001_a', 'select 2')] })).rejects.toThrow(
    'The migration 0001_a was changed after it was applied',
  );
});

test('a database of another build says what its operator can do, and names the migration', async () => {
  const { store } = await createTestDatabase({ empty: true });
  await migrate(store, { migrations: [migration('0001_a', 'select 1')] });
  const refusal = await migrate(store, { migrations: [migration('0001_a', 'select 2')] }).catch(String);
  expect(refusal).toMatch(/made by another build of Strata/);
  expect(refusal).toMatch(/start the program that made it and take a backup with it/);
  expect(refusal).toMatch(/import the repos with this one into a new data folder \(--data\) or database/);
  expect(refusal).toMatch(/The migration 0001_a was changed after it was applied/);
  expect(refusal).not.toContain('write a new migration');
});

test('a user who does not own the database is told so', async () => {
  const { store, databaseUrl } = await createTestDatabase({ empty: true });
  const name = `weak_${process.pid}`;
  await store.pool.query(`create role ${name} login password 'weak'`);
  const address = new URL(databaseUrl);
  address.username = name;
  address.password = 'weak';
  const weak = await openStore({ databaseUrl: address.href });
  try {
    await expect(migrate(weak)).rejects.toThrow('Strata needs the user that owns it');
  } finally {
    await weak.close();
    await store.pool.query(`drop role ${name}`);
  }
});

test('a database of a newer version is refused', async () => {
  const { store } = await createTestDatabase({ empty: true });
  await migrate(store, { migrations: [migration('0001_a', 'select 1'), migration('0002_b', 'select 1')] });
  await expect(migrate(store, { migrations: [migration('0001_a', 'select 1')] })).rejects.toThrow(
    'made by a newer version',
  );
});

test('file names that are no migrations, and numbers given twice, are refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '0001_a.sql'), 'select 1');
  writeFileSync(join(folder, '0001_b.sql'), 'select 1');
  expect(() => readMigrations(folder)).toThrow('two migrations have the number 0001');
  writeFileSync(join(folder, 'readme.txt'), '');
  expect(() => readMigrations(folder)).toThrow('accepted are names like 0001_what.sql');
});
