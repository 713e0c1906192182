import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../../src/storage/database/handle.ts';
import { isProcessAlive, ownProcessMark } from '../../../src/storage/embedded/process-identity.ts';
import {
  clusterOf,
  copyDataFolder,
  createDataFolder,
  type EmbeddedChild,
  listTestUsers,
  spawnEmbedded,
  startEmbeddedChild,
  untilDead,
} from '../../support/embedded.ts';

async function withStore<T>(child: EmbeddedChild, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ databaseUrl: child.ready.databaseUrl, poolSize: 2 });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const writeNote = (child: EmbeddedChild, text: string): Promise<unknown> =>
  withStore(child, async (store) => {
    await store.pool.query('create table if not exists notes (text text)');
    await store.pool.query('insert into notes values ($1)', [text]);
  });

const readNotes = (child: EmbeddedChild): Promise<string[]> =>
  withStore(child, async (store) =>
    (await store.pool.query('select text from notes order by 1')).rows.map(({ text }) => text),
  );

describe.each(listTestUsers())('as $name, the embedded database', (user) => {
  test('is made on the first start, ends with its user, and is there again on the second', async () => {
    const dataDir = createDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    expect(first.ready).toMatchObject({ origin: 'created', whiles: 1 });
    await writeNote(first, 'kept');
    await first.leave();
    expect(isProcessAlive(first.ready.pid)).toBe(false);
    expect(existsSync(join(clusterOf(dataDir), 'postmaster.pid'))).toBe(false);

    const second = await startEmbeddedChild(dataDir, user);
    expect(second.ready).toMatchObject({ origin: 'started', port: first.ready.port, whiles: 1 });
    expect(await readNotes(second)).toEqual(['kept']);
    await second.leave();
  });

  test('is durable, private, and listens on loopback only', async () => {
    const dataDir = await copyDataFolder(user);
    const child = await startEmbeddedChild(dataDir, user);
    const settings = await withStore(child, async (store) => {
      const { rows } = await store.pool.query<{ name: string; setting: string }>(
        `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes',
           'data_checksums', 'listen_addresses', 'password_encryption', 'TimeZone')
         union all
         select 'locale', datlocprovider::text || ' ' || datlocale from pg_database where datname = current_database()`,
      );
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    });
    expect(settings).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '127.0.0.1',
      password_encryption: 'scram-sha-256',
      TimeZone: 'UTC',
      locale: 'b C.UTF-8',
    });
    const command = readFileSync(`/proc/${child.ready.pid}/cmdline`, 'utf8').split('\0');
    expect(command).toContain('unix_socket_directories=');
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    const wrong = new URL(child.ready.databaseUrl);
    wrong.password = 'wrong';
    await expect(openStore({ databaseUrl: wrong.toString() })).rejects.toThrow('password authentication failed');
    await child.leave();
  });

  test('outlives a kill -9 of its user, and the next start joins it', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    await writeNote(first, 'kept');
    await first.kill();
    expect(isProcessAlive(first.ready.pid)).toBe(true);
    const second = await startEmbeddedChild(dataDir, user);
    expect(second.ready).toMatchObject({ origin: 'joined', pid: first.ready.pid, port: first.ready.port, whiles: 1 });
    expect(await readNotes(second)).toEqual(['kept']);
    await second.leave();
    expect(isProcessAlive(first.ready.pid)).toBe(false);
  });

  test('is brought back after a kill -9 of its own, and open pools go on', async () => {
    const dataDir = await copyDataFolder(user);
    const child = await startEmbeddedChild(dataDir, user);
    await writeNote(child, 'kept');
    await withStore(child, async (store) => {
      await store.pool.query('select 1');
      process.kill(child.ready.pid, 'SIGKILL');
      await untilDead(child.ready.pid);
      while (store.pool.totalCount > 0) await sleep(5); // until the pool has heard of it
      expect((await store.pool.query('select text from notes')).rows).toEqual([{ text: 'kept' }]);
    });
    await child.leave();
  });

  test('that cannot be started again is tried less and less often, and comes back when it can', async () => {
    const dataDir = await copyDataFolder(user);
    const child = await startEmbeddedChild(dataDir, user);
    await writeNote(child, 'kept');
    const settings = join(clusterOf(dataDir), 'postgresql.conf');
    const right = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${right}\nnonsense = 1\n`);
    process.kill(child.ready.pid, 'SIGKILL');
    await untilDead(child.ready.pid);
    await sleep(3000);
    const log = readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8');
    const tries = log.match(/unrecognized configuration parameter "nonsense"/g)?.length ?? 0;
    expect(tries).toBeGreaterThanOrEqual(1);
    expect(tries).toBeLessThanOrEqual(3);
    writeFileSync(settings, right);
    expect(await readNotes(child)).toEqual(['kept']);
    await child.leave();
  });

  test('recovers when both it and its user were killed', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    await writeNote(first, 'kept');
    await first.kill();
    process.kill(first.ready.pid, 'SIGKILL');
    const second = await startEmbeddedChild(dataDir, user);
    expect(second.ready.origin).toBe('started');
    expect(await readNotes(second)).toEqual(['kept']);
    await second.leave();
  });

  test('is shared by two processes and ends with the last', async () => {
    const dataDir = createDataFolder(user);
    const [first, second] = await Promise.all([startEmbeddedChild(dataDir, user), startEmbeddedChild(dataDir, user)]);
    expect(second.ready.pid).toBe(first.ready.pid);
    expect([first.ready.origin, second.ready.origin].sort()).toEqual(['created', 'joined']);
    await writeNote(first, 'shared');
    await first.leave();
    expect(await readNotes(second)).toEqual(['shared']);
    await second.leave();
    expect(isProcessAlive(first.ready.pid)).toBe(false);
  });

  test('is joined and left without its lock while another process keeps it', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    const lock = join(dataDir, 'postgres', 'lock');
    chmodSync(lock, 0o500); // nobody but a superuser can get into the lock
    const second = await startEmbeddedChild(dataDir, user);
    expect(second.ready).toMatchObject({ origin: 'joined', pid: first.ready.pid });
    await writeNote(second, 'beside');
    await second.leave();
    chmodSync(lock, 0o700);
    expect(await readNotes(first)).toEqual(['beside']);
    await first.leave();
    expect(isProcessAlive(first.ready.pid)).toBe(false);
  });

  test('is joined in turn while another process is in the lock, and may be stopping it', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    const ticket = join(dataDir, 'postgres', 'lock', `000000000001.${ownProcessMark()}.0a`);
    writeFileSync(ticket, '');
    const joining = startEmbeddedChild(dataDir, user);
    expect(await Promise.race([joining, sleep(3000, 'waits')])).toBe('waits');
    rmSync(ticket);
    const second = await joining;
    expect(second.ready).toMatchObject({ origin: 'joined', pid: first.ready.pid });
    await second.leave();
    await first.leave();
  });

  test('is prepared by whoever joins it when the process that started it was killed before', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    await first.kill();
    const admin = new URL(first.ready.databaseUrl);
    Object.assign(admin, {
      username: 'strata',
      password: readFileSync(join(dataDir, 'postgres', 'password'), 'utf8').trim(),
      pathname: '/postgres',
    });
    const server = await openStore({ databaseUrl: admin.href, poolSize: 1 });
    await server.pool.query('drop database strata with (force)');
    await server.pool.query('drop role strata_service');
    await server.close();
    writeFileSync(join(dataDir, 'postgres', 'prepared'), '');
    const second = await startEmbeddedChild(dataDir, user);
    expect(second.ready).toMatchObject({ origin: 'joined', pid: first.ready.pid });
    await writeNote(second, 'prepared');
    expect(await readNotes(second)).toEqual(['prepared']);
    await second.leave();
  });

  test('takes another port when its own is taken', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    await first.leave();
    const squatter = createServer().listen(first.ready.port, '127.0.0.1');
    onTestFinished(() => void squatter.close());
    await new Promise((resolve) => squatter.once('listening', resolve));
    const second = await startEmbeddedChild(dataDir, user);
    expect(second.ready.port).not.toBe(first.ready.port);
    await second.leave();
  });

  test('starts after an initdb that was killed', async () => {
    const dataDir = createDataFolder(user);
    const folder = join(dataDir, 'postgres');
    for (const waitMilliseconds of [0, 60, 200]) {
      const child = spawnEmbedded(dataDir, user);
      const hasBegun = (): boolean =>
        existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('initdb-'));
      while (!hasBegun() && child.exitCode === null) await sleep(2);
      await sleep(waitMilliseconds);
      child.kill('SIGKILL');
      expect(existsSync(clusterOf(dataDir))).toBe(false);
    }
    await sleep(500); // the orphaned initdb ends
    const child = await startEmbeddedChild(dataDir, user);
    expect(child.ready.origin).toBe('created');
    await writeNote(child, 'fine');
    expect(readdirSync(folder).filter((name) => name.startsWith('initdb-'))).toEqual([]);
    await child.leave();
  });

  test('is not fooled by a pid file that names some other living process', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    const pidFile = join(clusterOf(dataDir), 'postmaster.pid');
    const text = readFileSync(pidFile, 'utf8');
    await first.leave();
    const other = spawnEmbedded(createDataFolder(user), user, { script: 'idle-child.mjs' });
    writeFileSync(pidFile, text.replace(String(first.ready.pid), String(other.pid)));
    const second = await startEmbeddedChild(dataDir, user);
    expect(second.ready.origin).toBe('started');
    expect(isProcessAlive(other.pid ?? 0)).toBe(true);
    await second.leave();
  });

  test('of another major version is refused with the way out', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    await first.leave();
    writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '16\n');
    await expect(startEmbeddedChild(dataDir, user)).rejects.toThrow(/made by PostgreSQL 16.*strata backup/);
  });
});

const users = listTestUsers();
const root = users.find(({ name }) => name === 'root');
const normal = users.find(({ name }) => name === 'a normal user');

test.runIf(root)('root can keep its data below a folder that is closed to all others', async () => {
  const closed = createDataFolder(root!);
  mkdirSync(join(closed, 'home'), { mode: 0o700 });
  const dataDir = join(closed, 'home', 'data');
  const first = await startEmbeddedChild(dataDir, root!);
  await writeNote(first, 'inside');
  await first.kill();
  const second = await startEmbeddedChild(dataDir, root!);
  expect(second.ready).toMatchObject({ origin: 'joined', pid: first.ready.pid });
  expect(await readNotes(second)).toEqual(['inside']);
  await second.leave();
});

test.runIf(root)(
  'root can run from a checkout that is closed to all others: the programs are copied beside the data',
  async () => {
    const closed = createDataFolder(root!);
    chmodSync(closed, 0o700);
    for (const name of ['dist', 'node_modules', 'test']) {
      symlinkSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), join(closed, name));
    }
    const dataDir = await copyDataFolder(root!);
    const child = await startEmbeddedChild(dataDir, root!, { checkout: closed });
    expect(readdirSync(join(dataDir, 'binaries'))).toContainEqual(expect.stringMatching(/^postgresql-17/));
    expect(readlinkSync(`/proc/${child.ready.pid}/exe`)).toContain(join(dataDir, 'binaries'));
    await writeNote(child, 'runs');
    await child.leave();
  },
);

test.runIf(root && normal)('a folder made by a normal user stays with that user when root starts it', async () => {
  const dataDir = createDataFolder(normal!);
  const first = await startEmbeddedChild(dataDir, normal!);
  await writeNote(first, 'mine');
  await first.leave();
  const second = await startEmbeddedChild(dataDir, root!);
  expect(await readNotes(second)).toEqual(['mine']);
  await second.leave();
  expect(statSync(clusterOf(dataDir)).uid).toBe(normal!.ids?.uid);
  const third = await startEmbeddedChild(dataDir, normal!);
  expect(await readNotes(third)).toEqual(['mine']);
  await third.leave();
});

test.runIf(root && normal)('a normal user is told why a folder cannot be used', async () => {
  const dataDir = createDataFolder(root!);
  const postgres = join(dataDir, 'postgres');
  await expect(startEmbeddedChild(dataDir, normal!)).rejects.toThrow(
    `The database folder ${postgres} cannot be used by user "nobody": it belongs to user id 0`,
  );
  const child = await startEmbeddedChild(dataDir, root!);
  await expect(startEmbeddedChild(dataDir, normal!)).rejects.toThrow(
    new RegExp(
      `The database folder ${postgres} cannot be used by user "nobody": it belongs to user id \\d+; start Strata as`,
    ),
  );
  await child.leave();
});
