// Writes all data into one file while the service goes on: one snapshot of every table by COPY, so a
// backup needs no program of PostgreSQL's and can be read by a server of another major version.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Store } from '../database/handle.ts';
import { QUEUE_SCHEMA } from '../queue/schema.ts';
import { createEncryptor } from './encryption.ts';
import {
  BACKUP_FORMAT,
  type BackupFooter,
  type BackupHeader,
  JOBS_TABLE,
  type SequenceValue,
  type TableFooter,
  type TableHeader,
} from './format.ts';

export interface BackupSummary {
  file: string;
  tables: number;
  rows: number;
  bytes: number;
  /** Mail that waits and is not in a backup that anybody can read. */
  mailsLeftOut: number;
}

/** Made by migrations, worthless after a restore, or good for getting in: who was signed in signs in again. */
const LEFT_OUT = ['schema_migrations', 'table_kinds', 'workers', 'idempotency_keys', 'sessions', 'sign_in_keys'];

/** Which rows of a table a backup has that is not encrypted. Mail that waits holds links that let its reader in. */
const READABLE_ROWS: Readonly<Record<string, string>> = { outgoing_mail: 'sent_at is not null' };

/** The columns of a waiting or running job that matter for putting it into the queue again. */
export const JOB_COLUMNS = ['task', 'payload', 'queue_name', 'run_at', 'max_attempts', 'key', 'priority'];
const JOBS_QUERY = `
  select tasks.identifier as task, jobs.payload, queues.queue_name, jobs.run_at, jobs.max_attempts, jobs.key, jobs.priority
    from ${QUEUE_SCHEMA}._private_jobs jobs
    join ${QUEUE_SCHEMA}._private_tasks tasks on tasks.id = jobs.task_id
    left join ${QUEUE_SCHEMA}._private_job_queues queues on queues.id = jobs.job_queue_id
   where jobs.attempts < jobs.max_attempts or jobs.locked_at is not null
   order by jobs.id`;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function readTables(client: pg.ClientBase): Promise<TableHeader[]> {
  const { rows } = await client.query<TableHeader>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not a.attisdropped and a.attgenerated = '' and c.relname <> all ($1)
      group by c.relname order by c.relname`,
    [LEFT_OUT],
  );
  return rows;
}

async function write(output: Gzip, data: string | Buffer): Promise<void> {
  if (!output.write(data)) await once(output, 'drain');
}

async function copyOut(client: pg.ClientBase, query: string, output: Gzip): Promise<TableFooter> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const chunk of client.query(copyTo(`copy (${query}) to stdout`)) as AsyncIterable<Buffer>) {
    if (chunk.length === 0) continue;
    hash.update(chunk);
    // In this format a line feed only ever ends a row.
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) rows++;
    await write(output, `#${chunk.length}\n`);
    await write(output, chunk);
  }
  await write(output, '#0\n');
  return { rows, sha256: hash.digest('hex') };
}

interface Snapshot {
  readonly footer: BackupFooter;
  readonly mailsLeftOut: number;
}

async function writeSnapshot(
  client: pg.ClientBase,
  serverVersion: number,
  output: Gzip,
  isEncrypted: boolean,
): Promise<Snapshot> {
  const line = (value: BackupHeader | TableHeader | TableFooter | BackupFooter): Promise<void> =>
    write(output, `${JSON.stringify(value)}\n`);
  await client.query('begin isolation level repeatable read read only');
  await client.query('set local statement_timeout = 0');
  const migrations = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  );
  await line({
    strata_backup: BACKUP_FORMAT,
    created_at: new Date().toISOString(),
    server_version: serverVersion,
    migrations: migrations.rows,
  });
  const sources = (await readTables(client)).map((header) => ({
    header,
    query: `select ${header.columns.map(quoteName).join(', ')} from ${quoteName(header.table)}${
      isEncrypted || READABLE_ROWS[header.table] === undefined ? '' : ` where ${READABLE_ROWS[header.table]}`
    }`,
  }));
  sources.push({ header: { table: JOBS_TABLE, columns: JOB_COLUMNS }, query: JOBS_QUERY });
  let rows = 0;
  for (const { header, query } of sources) {
    await line(header);
    const footer = await copyOut(client, query, output);
    rows += footer.rows;
    await line(footer);
  }
  // Sequences stand outside the snapshot; read last, they are never behind the rows.
  const sequences = await client.query<SequenceValue>(
    `select sequencename as name, last_value from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`,
  );
  const waiting = await client.query<{ count: number }>(
    'select count(*)::int as count from outgoing_mail where sent_at is null',
  );
  await client.query('commit');
  const footer: BackupFooter = { sequences: sequences.rows, tables: sources.length, rows, end: true };
  await line(footer);
  return { footer, mailsLeftOut: isEncrypted ? 0 : (waiting.rows[0]?.count ?? 0) };
}

const existsAlready = (file: string): Error =>
  new Error(`The backup file ${file} exists already; choose another name.`);

/** Unlike a rename, a link does not replace what somebody else has put there meanwhile; but not every disk has links. */
async function putInPlace(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
    await rm(partial, { force: true });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST' || existsSync(file)) throw existsAlready(file);
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(code)) throw cause;
    await rename(partial, file);
  }
}

/**
 * Refuses to overwrite. The file appears under its name only when it is whole. Until then it has a name that nobody else can
 * have put something at: what is there already is never written to, and never followed.
 */
export async function backup(
  store: Store,
  file: string,
  { passphrase = null }: { readonly passphrase?: string | null } = {},
): Promise<BackupSummary> {
  if (existsSync(file)) throw existsAlready(file);
  const partial = `${file}.${randomBytes(6).toString('hex')}.partial`;
  const encryptor = passphrase === null ? null : await createEncryptor(passphrase);
  const client = await store.pool.connect();
  const gzip = createGzip();
  const target = createWriteStream(partial, { mode: 0o600, flags: 'wx' });
  const written = encryptor === null ? pipeline(gzip, target) : pipeline(gzip, encryptor, target);
  written.catch(() => undefined); // awaited below, after the writer has seen the error
  let isWhole = false;
  try {
    const failed = written.then(() => new Promise<never>(() => undefined)); // rejects when the disk does
    const snapshot = writeSnapshot(client, store.serverVersion, gzip, encryptor !== null);
    const { footer, mailsLeftOut } = await Promise.race([snapshot, failed]);
    gzip.end();
    await written;
    const handle = await open(partial, 'r');
    await handle.sync();
    await handle.close();
    await putInPlace(partial, file);
    isWhole = true;
    return { file, tables: footer.tables, rows: footer.rows, bytes: target.bytesWritten, mailsLeftOut };
  } catch (cause) {
    throw new Error(`The backup to ${file} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  } finally {
    client.release(!isWhole);
    if (!isWhole) {
      gzip.destroy();
      await written.catch(() => undefined);
      await rm(partial, { force: true });
    }
  }
}
