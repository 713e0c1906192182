// The folder of the database's own user, as root works in it: nothing there leads root anywhere, and the service's own
// queries have no more rights than they need.
import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { copyDataFolder, createDataFolder, listTestUsers, startEmbeddedChild } from '../../support/embedded.ts';

const users = listTestUsers();
const root = users.find(({ name }) => name === 'root');

describe.runIf(root !== undefined)('as root, in a folder that belongs to the database', () => {
  test('links that its user has put there lead root to no file and no folder', async () => {
    const dataDir = await copyDataFolder(root!);
    const victims = createDataFolder(root!);
    const postgres = join(dataDir, 'postgres');
    const { uid } = lstatSync(postgres);
    expect(uid).not.toBe(0);
    const plant = (name: string, target: string): void => {
      rmSync(join(postgres, name), { recursive: true, force: true });
      symlinkSync(target, join(postgres, name));
    };
    for (const name of ['port', 'server.log', 'cluster/strata.conf']) {
      writeFileSync(join(victims, name.replace('/', '-')), 'precious', { mode: 0o600 });
      plant(name, join(victims, name.replace('/', '-')));
    }
    for (const name of ['leases', 'lock']) {
      mkdirSync(join(victims, name), { mode: 0o755 });
      // Names that an earlier version took for leases and tickets of the dead.
      for (const file of ['999999999-1.ab', 'hosts', '000000000001.999999999-1.ab']) {
        writeFileSync(join(victims, name, file), 'precious', { mode: 0o600 });
      }
      plant(name, join(victims, name));
    }
    const started = await startEmbeddedChild(dataDir, root!).catch((error: unknown) => error);
    if (!(started instanceof Error)) await (started as Awaited<ReturnType<typeof startEmbeddedChild>>).leave();
    for (const file of ['port', 'server.log', 'cluster-strata.conf']) {
      expect(readFileSync(join(victims, file), 'utf8'), file).toBe('precious');
      expect(lstatSync(join(victims, file)).mode & 0o777, file).toBe(0o600);
    }
    for (const name of ['leases', 'lock']) {
      expect(readdirSync(join(victims, name)).toSorted(), name).toEqual([
        '000000000001.999999999-1.ab',
        '999999999-1.ab',
        'hosts',
      ]);
    }
  });

  test('what an earlier version left as root is handed over, a file with a second name is not', async () => {
    const dataDir = await copyDataFolder(root!);
    const victims = createDataFolder(root!);
    const postgres = join(dataDir, 'postgres');
    const { uid } = lstatSync(postgres);
    for (const name of ['leases', 'lock']) {
      rmSync(join(postgres, name), { recursive: true, force: true });
      mkdirSync(join(postgres, name), { mode: 0o700 });
      writeFileSync(join(postgres, name, '000000000001.999999999-1.ab'), '', { mode: 0o600 });
    }
    writeFileSync(join(victims, 'secret'), 'precious', { mode: 0o600 });
    rmSync(join(postgres, 'port'), { force: true });
    linkSync(join(victims, 'secret'), join(postgres, 'port'));
    rmSync(join(postgres, 'server.log'), { force: true });
    writeFileSync(join(postgres, 'server.log'), 'an earlier log\n', { mode: 0o600 });
    await (await startEmbeddedChild(dataDir, root!)).leave();
    for (const name of ['leases', 'lock', 'server.log']) expect(lstatSync(join(postgres, name)).uid, name).toBe(uid);
    expect(readFileSync(join(victims, 'secret'), 'utf8')).toBe('precious');
    expect(lstatSync(join(victims, 'secret')).uid).toBe(0);
  });

  test('a link in place of the folder, made by somebody else, gives nothing away', async () => {
    const dataDir = createDataFolder(root!);
    const victim = createDataFolder(root!);
    chownSync(dataDir, 65_534, 65_534);
    symlinkSync(victim, join(dataDir, 'postgres'));
    await expect(startEmbeddedChild(dataDir, root!)).rejects.toThrow('is a link that user id 65534 has made');
    expect(lstatSync(victim).uid).toBe(0);
  });

  test('everything that is written there belongs to the user of the folder', async () => {
    const dataDir = await copyDataFolder(root!);
    const child = await startEmbeddedChild(dataDir, root!);
    const postgres = join(dataDir, 'postgres');
    const { uid } = lstatSync(postgres);
    for (const entry of readdirSync(postgres, { recursive: true })) {
      const stat = lstatSync(join(postgres, String(entry)), { throwIfNoEntry: false });
      if (stat !== undefined) expect(stat.uid, String(entry)).toBe(uid);
    }
    await child.leave();
  });
});

describe.each(users)('as $name, the role of the service', (user) => {
  const query = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };

  test('is no superuser, and owns its database also in a folder of an earlier version', async () => {
    const dataDir = await copyDataFolder(user);
    const first = await startEmbeddedChild(dataDir, user);
    const admin = new URL(first.ready.databaseUrl);
    admin.username = 'strata';
    admin.password = readFileSync(join(dataDir, 'postgres', 'password'), 'utf8').trim();
    // As it was: one role for everything.
    await query(
      admin.href,
      `alter database strata owner to strata; alter schema public owner to strata;
       create type mood as enum ('good'); create table notes (id bigserial primary key, mood mood);
       create schema side; create table side.more (id bigint); create function side.two() returns int return 2;
       create view side.seen as select 1 as one; create sequence lone;
       revoke all on schema side from public`,
    );
    await first.leave();
    const second = await startEmbeddedChild(dataDir, user);
    const url = second.ready.databaseUrl;
    expect(
      await query(url, 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user'),
    ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
    await query(
      url,
      `insert into notes (mood) values ('good'); alter table notes add column text text; alter type mood add value 'bad';
       insert into side.more values (nextval('lone')); drop view side.seen; drop function side.two(); create table mine ()`,
    );
    for (const forbidden of [
      `copy (select 1) to program 'true'`,
      `copy mine from '/etc/passwd'`,
      `select pg_read_file('/etc/passwd')`,
      `alter system set log_statement = 'all'`,
      `create role intruder superuser`,
      `select lo_import('/etc/passwd')`,
    ]) {
      await expect(query(url, forbidden), forbidden).rejects.toThrow(/permission denied|must be|privileges/i);
    }
    await second.leave();
  });
});
