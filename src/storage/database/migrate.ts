// Brings the schema up to date: numbered SQL files, forward only, each in a transaction of its own.
// One process at a time does the work, under an advisory lock; the others wait and find it done.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { type Log, silentLog } from '../../kit/log.ts';
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts';
import { QUEUE_MIGRATION, QUEUE_SCHEMA } from '../queue/schema.ts';
import type { Store } from './handle.ts';

export interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

export interface MigrationState {
  name: string;
  /** Null when it is still to be applied. */
  applied_at: string | null;
}

const MIGRATIONS_FOLDER = join(PACKAGE_FOLDER, 'db', 'migrations');
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;
const ADVISORY_LOCK = 7_080_001;

export function readMigrations(folder: string = MIGRATIONS_FOLDER): Migration[] {
  const files = readdirSync(folder).sort();
  const odd = files.filter((file) => !FILE_NAME.test(file));
  if (odd.length > 0) throw new Error(`${folder} holds ${odd.join(', ')}; accepted are names like 0001_what.sql`);
  const migrations = files.map((file) => {
    // A checkout on Windows may have other line ends; they must not change the checksum.
    const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
    return { name: file.replace(/\.sql$/, ''), sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
  const numbers = migrations.map(({ name }) => name.slice(0, 4));
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice) throw new Error(`two migrations have the number ${twice} in ${folder}`);
  return migrations;
}

interface AppliedRow {
  name: string;
  sha256: string;
  applied_at: string;
}

async function readApplied(client: pg.ClientBase | pg.Pool): Promise<AppliedRow[]> {
  const { rows } = await client.query(`select to_regclass('schema_migrations') is not null as present`);
  if (!rows[0]?.present) return [];
  return (await client.query<AppliedRow>('select name, sha256, applied_at from schema_migrations order by name')).rows;
}

/** Applied migrations are history: they may neither change, nor vanish, nor get predecessors. */
function findMissing(known: Migration[], applied: AppliedRow[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const { name, sha256 } of applied) {
    const migration = byName.get(name);
    if (!migration) {
      throw new Error(
        `The database has the migration ${name}, which this version of Strata does not know: it was made by a newer version.`,
      );
    }
    if (migration.sha256 !== sha256) {
      // Whoever runs Strata reads this; whoever changed a migration by mistake finds its name.
      throw new Error(
        'This database was made by another build of Strata, whose tables may differ. To keep what is in it, start the program ' +
          'that made it and take a backup with it; to go on, import the repos with this one into a new data folder (--data) ' +
          `or database. (The migration ${name} was changed after it was applied.)`,
      );
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !done.has(name));
}

async function applyMigration(client: pg.ClientBase, migration: Migration, hasCitus: boolean): Promise<number> {
  const startedAt = performance.now();
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0');
    if (hasCitus) await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    await client.query(migration.sql);
    const milliseconds = Math.round(performance.now() - startedAt);
    await client.query('insert into schema_migrations (name, sha256, milliseconds) values ($1, $2, $3)', [
      migration.name,
      migration.sha256,
      milliseconds,
    ]);
    await client.query('commit');
    return milliseconds;
  } catch (cause) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`The migration ${migration.name} failed: ${String(cause)}`, { cause });
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;

/** Whether the queue's tables are as its package makes them: commands need not load the package to find that out. */
async function isQueueCurrent(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const made = await client.query(`select to_regclass($1) is not null as made`, [`${QUEUE_SCHEMA}.migrations`]);
  if (made.rows[0]?.made !== true) return false;
  const { rows } = await client.query(`select max(id) as last from ${QUEUE_SCHEMA}.migrations`);
  return rows[0]?.last === QUEUE_MIGRATION;
}

export interface MigrateOptions {
  log?: Log;
  migrations?: Migration[];
}

/** Applies what is missing, and returns the names of what it applied. */
export async function migrate(store: Store, options: MigrateOptions = {}): Promise<string[]> {
  const known = options.migrations ?? readMigrations();
  try {
    // Most often nothing is missing, and to see that takes neither the lock nor a session of its own.
    return (await isCurrent(store.pool, known)) ? [] : await applyMissing(store, known, options.log ?? silentLog);
  } catch (cause) {
    if (!isRefused(cause)) throw cause;
    throw new Error('the user may not make tables in this database; Strata needs the user that owns it', { cause });
  }
}

async function isCurrent(pool: pg.Pool, known: Migration[]): Promise<boolean> {
  const applied = await readApplied(pool);
  return applied.length > 0 && findMissing(known, applied).length === 0 && (await isQueueCurrent(pool));
}

async function applyMissing(store: Store, known: Migration[], log: Log): Promise<string[]> {
  const client = await store.pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(
      `create table if not exists schema_migrations (
         name text not null,
         sha256 text not null,
         applied_at timestamptz not null default now(),
         milliseconds integer not null,
         constraint schema_migrations_pkey primary key (name))`,
    );
    const applied = await readApplied(client);
    const missing = findMissing(known, applied);
    const citus = await client.query(`select from pg_extension where extname = 'citus'`);
    const startedAt = performance.now();
    for (const migration of missing) {
      const milliseconds = await applyMigration(client, migration, (citus.rowCount ?? 0) > 0);
      // On a filled database each can take its time; on a new one they are all quick and many.
      if (applied.length > 0) log.info({ migration: migration.name, milliseconds }, 'migration applied');
    }
    if (applied.length === 0 && missing.length > 0) {
      const milliseconds = Math.round(performance.now() - startedAt);
      log.info({ migrations: missing.length, milliseconds }, 'the tables are made');
    }
    // The queue's own tables; it keeps their history itself.
    if (!(await isQueueCurrent(client))) {
      const { runMigrations } = await import('graphile-worker');
      await runMigrations({ pgPool: store.pool, schema: QUEUE_SCHEMA });
    }
    return missing.map(({ name }) => name);
  } finally {
    // Ends the session, and with it the lock and its settings, whatever state the session is in.
    client.release(true);
  }
}

export async function migrationStatus(store: Store, known: Migration[] = readMigrations()): Promise<MigrationState[]> {
  const applied = await readApplied(store.pool);
  findMissing(known, applied);
  const appliedAt = new Map(applied.map((row) => [row.name, row.applied_at]));
  return known.map(({ name }) => ({ name, applied_at: appliedAt.get(name) ?? null }));
}
