// Reads a backup into an empty database: first the schema as it was when the backup was made, then
// the data, checked against the file's counts and checksums, then the migrations made since.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Log, silentLog } from '../../kit/log.ts';
import type { Store } from '../database/handle.ts';
import { type Migration, migrate, readMigrations } from '../database/migrate.ts';
import { QUEUE_SCHEMA } from '../queue/schema.ts';
import { JOB_COLUMNS, quoteName } from './backup.ts';
import { createDecryptor, isEncrypted, MARK_BYTES } from './encryption.ts';
import {
  BACKUP_FORMAT,
  type BackupFooter,
  type BackupHeader,
  BackupReader,
  JOBS_TABLE,
  type TableFooter,
  type TableHeader,
} from './format.ts';

export interface RestoreSummary {
  tables: number;
  rows: number;
  /** When the backup was made. */
  created_at: string;
}

/** A schema without data is fine: an earlier try may have left it. */
async function refuseUsedDatabase(store: Store): Promise<void> {
  const { rows } = await store.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  const names = rows.map(({ name }) => name);
  const isOurs = names.includes('schema_migrations') && names.includes('entities');
  for (const name of isOurs ? ['entities', 'users'] : names) {
    const { rowCount } = await store.pool.query(`select from ${quoteName(name)} limit 1`);
    if (rowCount === 0 && isOurs) continue;
    throw new Error(
      `The database is not empty (it has the table ${name}). Restore into a new one: an empty data folder, or a database made with createdb.`,
    );
  }
}

/** The migrations that the backup's schema is made of. */
function selectMigrations(header: BackupHeader, known: Migration[]): Migration[] {
  return header.migrations.map(({ name, sha256 }) => {
    const migration = known.find((one) => one.name === name);
    if (!migration) {
      throw new Error(`The backup was made by a newer version of Strata: it has the migration ${name}.`);
    }
    if (migration.sha256 !== sha256) {
      throw new Error(`The backup was made with another text of the migration ${name}.`);
    }
    return migration;
  });
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Without foreign keys the order of the tables does not matter; adding them again checks every row. */
async function dropForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
       from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace`,
  );
  for (const key of rows) {
    await client.query(`alter table ${quoteName(key.table)} drop constraint ${quoteName(key.name)}`);
  }
  return rows;
}

async function copyIn(client: pg.ClientBase, header: TableHeader, reader: BackupReader): Promise<TableFooter> {
  const columns = header.columns.map(quoteName).join(', ');
  const isJobs = header.table === JOBS_TABLE;
  const target = isJobs ? 'restored_jobs' : quoteName(header.table);
  if (isJobs) {
    const types: Record<string, string> = {
      payload: 'json',
      run_at: 'timestamptz',
      max_attempts: 'int',
      priority: 'int',
    };
    const list = JOB_COLUMNS.map((column) => `${quoteName(column)} ${types[column] ?? 'text'}`).join(', ');
    await client.query(`create temp table restored_jobs (${list}) on commit drop`);
  } else await client.query(`truncate ${target}`); // a migration may have put rows there
  const hash = createHash('sha256');
  const blocks = async function* (): AsyncGenerator<Buffer> {
    for await (const block of reader.readBlocks()) {
      hash.update(block);
      yield block;
    }
  };
  const copy = client.query(copyFrom(`copy ${target} (${columns}) from stdin`));
  await pipeline(Readable.from(blocks(), { objectMode: false }), copy);
  if (isJobs) {
    await client.query(
      `select ${QUEUE_SCHEMA}.add_job(identifier => task, payload => payload, queue_name => queue_name, run_at => run_at,
              max_attempts => max_attempts, job_key => key, priority => priority) from restored_jobs`,
    );
  }
  return { rows: copy.rowCount, sha256: hash.digest('hex') };
}

async function readData(client: pg.ClientBase, reader: BackupReader, log: Log): Promise<BackupFooter> {
  const foreignKeys = await dropForeignKeys(client);
  let tables = 0;
  for (;;) {
    const next = await reader.readJson<TableHeader | BackupFooter>();
    if ('end' in next) {
      if (next.tables !== tables) throw new Error(`the backup file names ${next.tables} tables, but holds ${tables}`);
      for (const { name, last_value } of next.sequences) {
        await client.query('select setval($1::regclass, $2)', [quoteName(name), last_value]);
      }
      for (const { table, name, definition } of foreignKeys) {
        await client.query(`alter table ${quoteName(table)} add constraint ${quoteName(name)} ${definition}`);
      }
      return next;
    }
    const found = await copyIn(client, next, reader);
    const expected = await reader.readJson<TableFooter>();
    if (found.rows !== expected.rows || found.sha256 !== expected.sha256) {
      throw new Error(`the backup file is damaged: the data of ${next.table} do not fit their checksum`);
    }
    log.info({ table: next.table, rows: found.rows }, 'table restored');
    tables++;
  }
}

/** What zlib says of a file that it cannot unpack, in words that help. */
const UNPACKING_ERRORS: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: 'it is damaged, or no file that strata backup wrote',
  Z_BUF_ERROR: 'it ends too early; it was cut or not finished',
};

function explain(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const words = UNPACKING_ERRORS[code];
  return words === undefined ? cause.message : `${words} (${cause.message})`;
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    return (await handle.read(Buffer.alloc(MARK_BYTES), 0, MARK_BYTES, 0)).buffer;
  } finally {
    await handle.close();
  }
}

export interface RestoreOptions {
  readonly log?: Log;
  /** Of a backup that was encrypted. */
  readonly passphrase?: string | null;
  /** Those that the schema has afterwards; all of this version if not given. */
  readonly migrations?: Migration[];
}

export async function restore(store: Store, file: string, options: RestoreOptions = {}): Promise<RestoreSummary> {
  const { log = silentLog, passphrase = null, migrations: known = readMigrations() } = options;
  await refuseUsedDatabase(store);
  const isSealed = isEncrypted(await readStart(file));
  if (isSealed && passphrase === null) {
    throw new Error(`The backup ${file} is encrypted; set backup_passphrase (STRATA_BACKUP_PASSPHRASE) to read it.`);
  }
  const input = createReadStream(file);
  const unzipped = createGunzip();
  const unzipping =
    isSealed && passphrase !== null
      ? pipeline(input, createDecryptor(passphrase), unzipped)
      : pipeline(input, unzipped);
  unzipping.catch(() => undefined); // the reader below sees the same error
  try {
    const reader = new BackupReader(unzipped);
    const header = await reader.readJson<BackupHeader>();
    if (header.strata_backup !== BACKUP_FORMAT) {
      throw new Error(`the file is no Strata backup of format ${BACKUP_FORMAT}`);
    }
    await migrate(store, { migrations: selectMigrations(header, known), log });
    const client = await store.pool.connect();
    let footer: BackupFooter;
    try {
      await client.query('begin');
      await client.query('set local statement_timeout = 0');
      footer = await readData(client, reader, log);
      await client.query('commit');
    } finally {
      client.release(true); // a failed restore ends with its session, and nothing of it stays
    }
    await migrate(store, { migrations: known, log });
    await store.pool.query('analyze');
    return { tables: footer.tables, rows: footer.rows, created_at: header.created_at };
  } catch (cause) {
    throw new Error(`The backup ${file} could not be restored: ${explain(cause)}`, { cause });
  } finally {
    input.destroy();
    unzipped.destroy();
  }
}
