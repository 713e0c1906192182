// A person waits for the answers below, and most of that time is loading: they may load no more than they need.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-start-up-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function modulesLoadedBy(args: readonly string[], warning = ''): string[] {
  const list = join(folder, 'modules');
  rmSync(list, { force: true });
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', './test/support/list-loaded-modules.mjs', 'bin/strata.mjs', ...args],
    { encoding: 'utf8', env: { ...process.env, LOADED_MODULES: list } },
  );
  const isRefused = args.includes('--nonsense');
  expect(stderr === warning || isRefused, stderr).toBe(true);
  expect(status).toBe(isRefused ? 2 : 0);
  const modules = readFileSync(list, 'utf8').trim().split('\n');
  return modules.filter((url) => url.startsWith('file:')).flatMap(modulesOf);
}

/** A file of the bundle holds many modules: those that its source map names. */
function modulesOf(url: string): string[] {
  const map = new URL(`${url}.map`);
  if (!url.includes('/dist/bundle/') || !existsSync(map)) return [url];
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
  return sources.map((source) => new URL(source, url).href);
}

it.each([
  [['--version'], 8],
  [['--help'], 70],
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
  // The reader of the command line is part of the bundle.
  const others = loaded.filter((url) => !url.includes('/commander/'));
  expect([...heavy, ...others.filter((url) => url.includes('/node_modules/'))]).toEqual([]);
  expect(others.length).toBeLessThanOrEqual(most);
});

it('the version is known without the reader of the command line', () => {
  expect(modulesLoadedBy(['--version']).filter((url) => url.includes('/commander/'))).toEqual([]);
});

it('the version is known without a look at the sources, which a build would be made of', () => {
  expect(modulesLoadedBy(['--version']).filter((url) => url.endsWith('/bin/build.mjs'))).toEqual([]);
});

it('where Node keeps compiled code, it lies where only who may change the program may write', () => {
  const report = 'module.enableCompileCache = (folder) => void console.log(folder);';
  const stub = `data:text/javascript,import module from 'node:module'; ${report}`;
  const { stdout } = spawnSync(process.execPath, ['--import', stub, 'bin/strata.mjs', '--version'], {
    encoding: 'utf8',
  });
  expect(stdout.split('\n')[0]).toBe(join(process.cwd(), 'dist', 'compiled'));
});

it('a command that only asks the database loads neither HTTP nor jobs nor code hosts', async () => {
  const { databaseUrl } = await createTestDatabase();
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ database_url: databaseUrl }));
  const loaded = modulesLoadedBy(['token', 'list', '--config', config]);
  expect(loaded.filter((url) => url.includes('/dist/storage/')).length).toBeGreaterThan(10);
  expect(
    loaded.filter((url) => /\/dist\/(api|jobs|connectors)\/|\/(fastify|nodemailer|chrono-node)\//.test(url)),
  ).toEqual([]);
  // The packages that are joined with the program are read as a few large files, large ones are left until they are needed.
  expect(loaded.filter((url) => /\/(date-holidays|graphile-worker|pino-pretty)\//.test(url))).toEqual([]);
});

it('a command that asks the database leaves Node’s HTTP client alone', async () => {
  const { databaseUrl } = await createTestDatabase();
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ database_url: databaseUrl }));
  // Node loads it when something first looks at Response, as pg does where there is no navigator.
  const watch = `const kept = Object.getOwnPropertyDescriptor(globalThis, 'Response');
    Object.defineProperty(globalThis, 'Response', {
      configurable: true,
      get() { console.log('looked at Response'); return kept.get?.call(globalThis) ?? kept.value; } });`;
  const stub = `data:text/javascript,${encodeURIComponent(watch)}`;
  const args = ['--import', stub, 'bin/strata.mjs', 'token', 'list', '--config', config];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).not.toContain('looked at Response');
});

it('a report loads no operations but those of reports', async () => {
  const { databaseUrl } = await createTestDatabase();
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ database_url: databaseUrl }));
  const loaded = modulesLoadedBy(['entity', 'create', 'local', '--config', config]);
  expect(loaded.filter((url) => url.includes('/dist/operations/surveys/')).length).toBeGreaterThan(0);
  const warning = 'strata: this statistic has no figures: no commits are imported; import a repo\n';
  const ofReport = modulesLoadedBy(['report', '--config', config], warning);
  expect(ofReport.filter((url) => url.includes('/dist/operations/reports/')).length).toBeGreaterThan(0);
  expect(
    ofReport.filter((url) =>
      /\/dist\/(engine|ingest|operations\/(audits|surveys|ai|line-history))\/|markdown-it/.test(url),
    ),
  ).toEqual([]);
});
