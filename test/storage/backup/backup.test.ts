import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backup } from '../../../src/storage/backup/backup.ts';
import { restore } from '../../../src/storage/backup/restore.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { migrationStatus } from '../../../src/storage/database/migrate.ts';
import { listDueMail, markMail } from '../../../src/storage/mail/outbox.ts';
import { addMail } from '../../../src/storage/mail/outgoing.ts';
import { enqueue } from '../../../src/storage/queue/queue.ts';
import { createTestDatabase } from '../../support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-backup-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Whatever COPY has to escape. */
const NASTY = 'tab\t newline\n return\r backslash\\ dot\\. null\\N quote\' {"json"} #12 ü 𝄞';
let source: Store;

beforeAll(async () => {
  ({ store: source } = await createTestDatabase());
  const entity = await source.db
    .insertInto('entities')
    .values({ slug: 'acme', name: NASTY })
    .returning('id')
    .executeTakeFirstOrThrow();
  await source.pool.query(
    `insert into users (email, full_name) select 'user' || n || '@example.com', repeat('x', n % 200) from generate_series(1, 20000) n`,
  );
  await source.db.insertInto('memberships').values({ entity_id: entity.id, user_id: 7, role: 'admin' }).execute();
  await source.db
    .insertInto('api_tokens')
    .values({ entity_id: entity.id, user_id: 7, token_sha256: createHash('sha256').update('secret').digest() })
    .execute();
  await source.db
    .insertInto('entity_settings')
    .values({ entity_id: entity.id, key: 'odd', value: JSON.stringify([1, 'a\nb', null]) })
    .execute();
  await enqueue(
    source.db,
    'refresh_repos',
    {},
    { jobKey: 'waiting', queueName: 'repo-1', priority: 3, maxAttempts: 4 },
  );
});

const TABLES = ['entities', 'users', 'memberships', 'api_tokens', 'entity_settings'];

async function digest(store: Store): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows } = await store.pool.query(`select t::text as row from ${table} t order by 1`);
    digests[table] = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  }
  return digests;
}

const readConstraints = async (store: Store): Promise<unknown[]> =>
  (
    await store.pool.query(
      `select conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace order by 1`,
    )
  ).rows;

test('a backup restored into an empty database is equal in rows, sequences, constraints and waiting jobs', async () => {
  const file = join(folder, 'whole');
  const made = await backup(source, file);
  expect(made.rows).toBeGreaterThanOrEqual(20_005);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}.partial`)).toBe(false);

  const { store: target } = await createTestDatabase({ empty: true });
  const restored = await restore(target, file);
  expect(restored).toMatchObject({ tables: made.tables, rows: made.rows });
  expect(await digest(target)).toEqual(await digest(source));
  expect(await readConstraints(target)).toEqual(await readConstraints(source));
  expect((await migrationStatus(target)).every(({ applied_at }) => applied_at !== null)).toBe(true);
  const user = await target.db
    .insertInto('users')
    .values({ email: 'new@example.com' })
    .returning('id')
    .executeTakeFirst();
  expect(user?.id).toBe(20_001);
  const jobs = await target.pool.query(
    'select task_identifier, queue_name, key, priority, max_attempts from strata_queue.jobs',
  );
  expect(jobs.rows).toEqual([
    { task_identifier: 'refresh_repos', queue_name: 'repo-1', key: 'waiting', priority: 3, max_attempts: 4 },
  ]);
});

test('a backup is one moment, however much is written meanwhile', async () => {
  const { store } = await createTestDatabase();
  await store.pool.query(`insert into users (email) select n || '@a' from generate_series(1, 50000) n`);
  const file = join(folder, 'moment');
  let writing = true;
  const writer = (async () => {
    while (writing) {
      // Two tables at once: a backup between the two would hold a membership without its user.
      await store.pool.query(
        `with e as (insert into entities (slug, name) select 'e' || (count(*) + 1), 'E' from entities returning id),
              u as (insert into users (email) select 'm' || id || '@b' from e returning id)
         insert into memberships (entity_id, user_id, role) select e.id, u.id, 'member' from e, u`,
      );
    }
  })();
  await backup(store, file);
  writing = false;
  await writer;
  const { store: target } = await createTestDatabase({ empty: true });
  await restore(target, file); // foreign keys are checked at the end
  const { rows } = await target.pool.query(`select (select count(*) from entities) as entities,
    (select count(*) from memberships) as memberships, (select count(*) from users where email like '%@b') as users`);
  expect(rows[0].memberships).toBe(rows[0].entities);
  expect(rows[0].users).toBe(rows[0].entities);
});

test('an existing file is not overwritten, and a database with data not restored into', async () => {
  const file = join(folder, 'taken');
  writeFileSync(file, 'precious');
  await expect(backup(source, file)).rejects.toThrow('exists already');
  expect(readFileSync(file, 'utf8')).toBe('precious');
  const good = join(folder, 'good');
  await backup(source, good);
  await expect(restore(source, good)).rejects.toThrow('The database is not empty (it has the table entities)');
});

test('a partial file of somebody else is neither used nor followed', async () => {
  const precious = join(folder, 'precious');
  writeFileSync(precious, 'precious');
  const file = join(folder, 'beside');
  symlinkSync(precious, `${file}.partial`);
  await backup(source, file);
  expect(readFileSync(precious, 'utf8')).toBe('precious');
  expect(existsSync(file)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith('beside') && name.endsWith('.partial'))).toEqual([
    'beside.partial',
  ]);
});

const PASSPHRASE = 'correct horse battery staple';

test('a backup holds no way in: no mail that waits or was sent, no session, no answer of a call', async () => {
  const { store, drop } = await createTestDatabase();
  const { rows } = await store.pool.query(`insert into entities (slug, name) values ('e', 'E') returning id`);
  const entity_id = rows[0].id;
  const mail = { kind: 'survey_invitation', recipient: 'a@b.org', subject: 's' };
  await addMail(store.db, entity_id, [
    { ...mail, body_text: 'https://strata.test/surveys/respond?token=WAITING-LINK' },
    { ...mail, body_text: 'https://strata.test/surveys/respond?token=SENT-LINK' },
  ]);
  const due = await listDueMail(store.db, 10);
  await markMail(store.db, due.find(({ body_text }) => body_text.includes('SENT'))!, { sent_at: new Date() });
  await store.pool.query(
    `insert into idempotency_keys (entity_id, credential, key_sha256, request_sha256, run_id, answer)
     values ($1, 'token 1', '\\x01', '\\x02', gen_random_uuid(), $2)`,
    [entity_id, Buffer.from('SEALED-ANSWER')],
  );
  const [plain, sealed] = [join(folder, 'plain'), join(folder, 'sealed')];
  expect((await backup(store, plain)).mailsLeftOut).toBe(1);
  const text = gunzipSync(readFileSync(plain)).toString('latin1');
  for (const secret of ['WAITING-LINK', 'SENT-LINK', 'SEALED-ANSWER', Buffer.from('SEALED-ANSWER').toString('hex')]) {
    expect(text).not.toContain(secret);
  }
  expect(text).toContain('survey_invitation');
  expect(text).toContain('"table":"outgoing_mail"');
  for (const table of ['sessions', 'sign_in_keys', 'idempotency_keys'])
    expect(text).not.toContain(`"table":"${table}"`);
  // An encrypted one keeps what waits.
  expect((await backup(store, sealed, { passphrase: PASSPHRASE })).mailsLeftOut).toBe(0);
  const { store: target } = await createTestDatabase({ empty: true });
  await restore(target, sealed, { passphrase: PASSPHRASE });
  const kept = await target.pool.query('select body_text from outgoing_mail order by id');
  expect(kept.rows.map(({ body_text }) => /token=(.*)/.exec(body_text)?.[1] ?? null)).toEqual(['WAITING-LINK', null]);
  await drop();
});

test('an encrypted backup is equal when restored, and nothing without its passphrase or with a changed byte', async () => {
  const file = join(folder, 'encrypted');
  const made = await backup(source, file, { passphrase: PASSPHRASE });
  const bytes = readFileSync(file);
  expect(bytes.length).toBeGreaterThan(70_000);
  expect(() => gunzipSync(bytes)).toThrow();
  const { store: target } = await createTestDatabase({ empty: true });
  const damages: [string, (whole: Buffer) => Buffer, RegExp][] = [
    ['without its end', (whole) => whole.subarray(0, whole.length - 30), /ends too early|another passphrase/],
    // By its mark of the last frame, before what is inside is found to be cut.
    ['cut behind a frame', (whole) => whole.subarray(0, 19 + 16 + 4 + 65_536 + 16), /another passphrase/],
    [
      'with a changed byte',
      (whole) => Buffer.from(whole).fill(whole[50_000]! ^ 1, 50_000, 50_001),
      /another passphrase/,
    ],
    ['cut in its head', (whole) => whole.subarray(0, 25), /ends too early/],
  ];
  for (const [name, damage, message] of damages) {
    writeFileSync(join(folder, name), damage(bytes));
    await expect(restore(target, join(folder, name), { passphrase: PASSPHRASE }), name).rejects.toThrow(message);
  }
  await expect(restore(target, file)).rejects.toThrow('is encrypted');
  await expect(restore(target, file, { passphrase: 'another long passphrase' })).rejects.toThrow('another passphrase');
  expect(await restore(target, file, { passphrase: PASSPHRASE })).toMatchObject({ rows: made.rows });
  expect(await digest(target)).toEqual(await digest(source));
});

test('a folder that does not exist is named, and leaves the store usable', async () => {
  await expect(backup(source, join(folder, 'nowhere', 'file'))).rejects.toThrow(/nowhere.*ENOENT/);
  expect((await source.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

const DAMAGES: { name: string; damage: (whole: Buffer) => Buffer; message: string }[] = [
  {
    name: 'cut in the middle',
    damage: (whole) => whole.subarray(0, whole.length / 2),
    message: 'could not be restored',
  },
  {
    name: 'without its end',
    damage: (whole) => {
      const text = gunzipSync(whole);
      return gzipSync(text.subarray(0, text.lastIndexOf('\n{"sequences"') + 1));
    },
    message: 'ends too early',
  },
  {
    name: 'with a changed value',
    damage: (whole) => {
      const text = gunzipSync(whole);
      text[text.indexOf('user77@')] = 'U'.charCodeAt(0) + 1;
      return gzipSync(text);
    },
    message: 'users_email_check',
  },
  {
    name: 'with a changed name',
    damage: (whole) => {
      const text = gunzipSync(whole);
      text[text.indexOf('xxxx')] = 'y'.charCodeAt(0);
      return gzipSync(text);
    },
    message: 'the data of users do not fit their checksum',
  },
  { name: 'of something else', damage: () => gzipSync('{"hello":1}\n'), message: 'no Strata backup' },
  {
    name: 'of a newer version',
    damage: (whole) =>
      gzipSync(
        Buffer.from(gunzipSync(whole).toString('latin1').replace('"0001_foundation"', '"9001_foundation"'), 'latin1'),
      ),
    message: 'newer version of Strata: it has the migration 9001_foundation',
  },
];

test.each(DAMAGES)('a backup $name is refused and leaves no rows', async ({ name, damage, message }) => {
  const whole = join(folder, `whole ${name}`);
  await backup(source, whole);
  const damaged = join(folder, `damaged ${name}`);
  writeFileSync(damaged, damage(readFileSync(whole)));
  const { store: target, drop } = await createTestDatabase({ empty: true });
  await expect(restore(target, damaged)).rejects.toThrow(message);
  const { rows } = await target.pool.query(`select to_regclass('users') is not null as present`);
  if (rows[0].present) expect((await target.pool.query('select from users')).rowCount).toBe(0);
  await restore(target, whole);
  expect(await digest(target)).toEqual(await digest(source));
  await drop();
});
