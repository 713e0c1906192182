// A person waits for the answers below, and most of that time is loading: they may load no more than they need.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'strata-start-up-'));

function modulesLoadedBy(args: readonly string[]): string[] {
  const list = join(folder, 'modules');
  rmSync(list, { force: true });
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', './test/support/list-loaded-modules.mjs', 'bin/strata.mjs', ...args],
    { encoding: 'utf8', env: { ...process.env, LOADED_MODULES: list } },
  );
  const isRefused = args.includes('--nonsense');
  expect(stderr === '' || isRefused, stderr).toBe(true);
  expect(status).toBe(isRefused ? 2 : 0);
  const modules = readFileSync(list, 'utf8').trim().split('\n');
  return modules.filter((url) => url.startsWith('file:'));
}

it.each([
  [['--version'], 25],
  [['--help'], 60],
  [['serve', '--help'], 40],
  [['analyze', '--help'], 40],
  [['line-history', '--help'], 40],
  [['import', '--help'], 40],
  [['report', '--help'], 40],
  [['settings', 'set', '--help'], 40],
  [['token', 'create', '--help'], 40],
  [['analyze', '--nonsense'], 40],
  [['report', '--nonsense'], 40],
  [['config'], 40],
])('%j loads neither engine nor database nor the libraries of either', (args, most) => {
  const loaded = modulesLoadedBy(args);
  const heavy = loaded.filter((url) => /\/dist\/(storage|metrics|jobs|api|connectors)\//.test(url));
  const libraries = loaded.filter((url) => url.includes('/node_modules/') && !url.includes('/commander/'));
  expect([...heavy, ...libraries]).toEqual([]);
  expect(loaded.length).toBeLessThanOrEqual(most);
});
