// Folders are made with those above them, and where none can be made that is said at once.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { closeDataFolder, makeDataFolder } from '../../src/kit/make-data-folder.ts';
import { hasServerFolder } from '../../src/storage/embedded/server-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('others may pass through all that were made, and not look into them', () => {
  const data = join(folder, 'a', 'b', 'data');
  makeDataFolder(data);
  makeDataFolder(data);
  for (const path of [data, join(folder, 'a', 'b'), join(folder, 'a')]) expect(statSync(path).mode & 0o777).toBe(0o711);
});

test('a file is no folder, and has no database below it', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => makeDataFolder(file)).toThrow('EEXIST');
  expect(() => makeDataFolder(join(file, 'below'))).toThrow('ENOTDIR');
  expect([hasServerFolder(file), hasServerFolder(join(folder, 'none'))]).toEqual([false, false]);
});

test.runIf(process.platform === 'linux')('a place that takes no folders refuses them', () => {
  expect(() => makeDataFolder('/proc/strata/data')).toThrow(/ENOENT|EACCES|EPERM/);
});

test('what Strata keeps is closed to others, and nothing else that lies there is touched', () => {
  const home = join(folder, 'home');
  const own = { 'ca-bundle.pem': 0o644, 'git-credentials.json': 0o644, known_hosts: 0o644 };
  const modes = { 'a.txt': 0o644, 'run.sh': 0o755, 'secret.key': 0o644, 'credentials.json': 0o640, ...own };
  mkdirSync(home);
  for (const [name, mode] of Object.entries(modes)) {
    writeFileSync(join(home, name), '');
    chmodSync(join(home, name), mode);
  }
  for (const name of ['sub', 'mirrors', 'servers']) {
    mkdirSync(join(home, name));
    chmodSync(join(home, name), 0o755);
  }
  closeDataFolder(home);
  const modeOf = (name: string): number => statSync(join(home, name)).mode & 0o777;
  expect(['a.txt', 'run.sh', 'sub'].map(modeOf)).toEqual([0o644, 0o755, 0o755]);
  expect(['secret.key', 'credentials.json', 'mirrors'].map(modeOf)).toEqual([0o600, 0o600, 0o700]);
  expect([...Object.keys(own), 'servers'].map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o700]);
});
