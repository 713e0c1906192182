// What a person is told who calls a command wrongly, and that nothing is made by it: no data folder, no database.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLines } from '../../src/cli/analyze/line-output.ts';
import { runProgram } from '../../src/cli/program.ts';
import { loadAllVerbs, loadVerbsFor } from '../../src/cli/verbs/index.ts';
import { createCliParts } from '../../src/compose/commands.ts';
import { GitMissingError, openRepository } from '../../src/engine/git/run-git.ts';
import { goldenRepo } from '../world/golden-repo.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-mistakes-'));
const data = join(folder, 'data');
const golden = goldenRepo()
  .commit('first', { files: { 'a.txt': 'one\n' } })
  .build();
const repository = golden.path;

beforeAll(() => writeFileSync(join(folder, 'file'), 'no folder\n'));
afterAll(() => {
  golden.cleanup();
  rmSync(folder, { recursive: true, force: true });
});

async function strata(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const terminal = {
    out: (line: string) => void lines.out.push(line),
    err: (line: string) => void lines.err.push(line),
  };
  const code = await runProgram(args, await loadVerbsFor(args), createCliParts(process.cwd(), terminal), terminal);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

describe('a wrong call of a command that works with the database', () => {
  it.each([
    ['2026-11-16', '--as'],
    ['2026-11-17', '--since'],
  ])('refuses --since %s of an import only where it is no past date in any zone: %s is wrong', async (since, wrong) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T12:00:00Z') });
    const { err } = await strata('import', repository, '--since', since, '--as', 'name').finally(vi.useRealTimers);
    expect(err).toContain(`${wrong}: `);
  });

  it.each([
    [['import', '/no/such/path'], /there is nothing at \/no\/such\/path/],
    [['import', repository, '--since', 'yesterday'], /--since: "yesterday" is not accepted; give all, a date/],
    [['import', repository, '--as', 'name'], /--as: "name" is not accepted; expected ORG\/REPO/],
    [['report', 'commit_cuont'], /^strata: segment: "commit_cuont" is not accepted; did you mean commit_count\?/],
    [['report', '--days', '99999'], /--days: "99999" is not accepted; expected a whole number from 1 to 36500/],
    [['report', 'xyz'], /^strata: segment: "xyz" is not accepted; accepted are absolute_hours/],
    [['report', '--format', 'xml'], /--format: "xml" is not accepted; expected one of chart, table, json, csv/],
    [['report', '--days', '30', '--end', '2026-01-31'], /--days: "30" is not accepted; .* --start and --end/],
    [
      ['restore', '/no/such/file'],
      /file: "\/no\/such\/file" is not accepted; expected a file that strata backup wrote/,
    ],
    [['restore', repository], /file: ".*" is not accepted; expected a file that strata backup wrote/],
    [
      ['backup', join(folder, 'none', 'b')],
      /file: ".*" is not accepted; expected a name in a folder that exists; there is no folder .*none$/,
    ],
    [['settings', 'get', 'time_zon', '--entity', 'x'], /did you mean time_zone/],
    [['llm-token', 'remove', 'x', '--entity', 'x'], /"x" is no id/],
    [
      ['llm-token', 'add', '--entity', 'x', '--provider', 'cursor', '--secret-file', '/no/such/file'],
      /--secret-file: "\/no\/such\/file" is not accepted; expected a file that can be read/,
    ],
  ])('%j is refused before a database is started', async (args, message) => {
    const { code, err } = await strata(...args, '--data', data);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect(existsSync(data)).toBe(false);
  });

  it.each(
    [
      ['report', 'none'],
      ['activity'],
      ['ai', 'impact', '--entity', 'x'],
      ['backup', join(folder, 'file.backup')],
      ['committer', 'list', '--entity', 'x'],
      ['committer', 'merge', 'a', 'b', '--entity', 'x'],
      ['entity', 'list'],
      ['entity', 'offboard', 'x', '--yes'],
      ['hosts'],
      ['llm-token', 'list', '--entity', 'x'],
      ['mail', 'list'],
      ['repo', 'list', '--entity', 'x'],
      ['settings', 'get', '--entity', 'x'],
      ['settings', 'set', 'time_zone', 'UTC', '--entity', 'x'],
      ['sign-in-link'],
      ['token', 'list'],
      ['tracker', 'list', '--entity', 'x'],
      ['user', 'list'],
      ['webhook', 'list'],
    ].map((args) => [args]),
  )('%j says that there is no data, and makes none', async (args) => {
    const { code, err } = await strata(...args, '--data', data);
    expect(err).toBe(
      `strata: data: there is no Strata data in ${JSON.stringify(data)}; strata serve and strata import make it, --data or STRATA_DATA names another folder`,
    );
    expect(code).toBe(2);
    expect(existsSync(data)).toBe(false);
    expect(existsSync(join(folder, 'file.backup'))).toBe(false);
  });

  it('lets few commands begin with a data folder that is not there', async () => {
    const verbs = (await loadAllVerbs()).filter(
      ({ configuration, name }) => configuration !== 'none' && name !== 'config',
    );
    expect(verbs.filter(({ makesData }) => makesData).map(({ name }) => name)).toEqual([
      'serve',
      'worker',
      'import',
      'migrate',
      'entity create',
      'user create',
      'restore',
    ]);
  });

  it('does not take an empty --data for the folder it is called in', async () => {
    const { code, err } = await strata('config', '--data', '');
    expect(err).toMatch(/--data is ""; accepted is the path of a folder/);
    expect(code).toBe(2);
    const { out } = await strata('config', '--json', '--repositories', '');
    expect(JSON.parse(out).repositories.value).toBe('');
  });

  it('names the flag when the data folder is a file', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['bin/strata.mjs', 'serve', '--port', '0', '--data', join(folder, 'file')],
      { encoding: 'utf8' },
    );
    expect(stderr).toMatch(/^strata: .*file cannot be the data folder; choose another with --data or STRATA_DATA/);
    expect(status).toBe(1);
  });
});

describe('a wrong call of a command that reads a repository', () => {
  it.each([
    [['analyze', '/no/such/path'], /path: "\/no\/such\/path" is not accepted/],
    [['analyze', repository, '--since', '2026-02-31'], /--since: "2026-02-31" is not accepted/],
    [['analyze', repository, '--facts', '/no/such/folder/x'], /--facts: "\/no\/such\/folder\/x" is not accepted/],
    [
      ['analyze', repository, '--facts', join(folder, 'x'), '--origins', join(folder, 'sub', '..', 'x')],
      /--origins: ".*x" is not accepted; give another file than --facts/,
    ],
    [['analyze', repository, '--origins', folder], /--origins: ".*" is not accepted; give a file that can be written/],
    [
      ['line-history', '/no/such/path', '--sha', 'abcd', '--file', 'a', '--line', '1'],
      /^strata: path: "\/no\/such\/path" is not accepted; give a folder that holds a git repository\.$/,
    ],
    [
      ['line-history', repository, '--sha', 'abcd', '--file', 'a', '--line', '1', '--earliest', '2026-02-31'],
      /--earliest: "2026-02-31" is not accepted; expected a date from 1970 to 10 years from now as YYYY-MM-DD/,
    ],
  ])('%j is told what is accepted', async (args, message) => {
    const { code, err } = await strata(...args);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it.each([
    [['analyze', repository]],
    [['line-history', repository, '--sha', 'abcd', '--file', 'a.txt', '--line', '1']],
  ])('%j says that git is missing where it is, and not that the path is wrong', (args) => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, ['bin/strata.mjs', ...args], {
      encoding: 'utf8',
      env: { PATH: bin },
    });
    expect(stderr).toBe(`strata: git was not found on the PATH (${bin}); install git\n`);
    expect(status).toBe(1);
  });

  it('tells a missing git from a missing folder', async () => {
    await expect(openRepository(repository, { PATH: folder })).rejects.toThrow(GitMissingError);
    await expect(openRepository(join(folder, 'nowhere'))).rejects.toThrow(/there is no folder .*nowhere/);
  });
});

describe.skipIf(!existsSync('/dev/full'))('a disk that is full', () => {
  const strataInto = (stdio: readonly ('pipe' | number)[], ...args: string[]) =>
    spawnSync(process.execPath, ['bin/strata.mjs', ...args], { encoding: 'utf8', stdio: ['ignore', ...stdio] });

  it.each([
    [['--help']],
    [['--version']],
    [['config']],
    [['analyze', repository, '--since', 'all', '--format', 'csv']],
  ])('behind the output of %j is one line and a failure', (args) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = strataInto([full, 'pipe'], ...args);
    closeSync(full);
    expect(stderr).toBe('strata: the output cannot be written (ENOSPC: no space left on device, write)\n');
    expect(status).toBe(1);
  });

  it('behind a file of facts is one line and a failure', () => {
    const args = ['analyze', repository, '--since', 'all', '--facts', '/dev/full'];
    const { status, stderr } = strataInto(['pipe', 'pipe'], ...args);
    expect(stderr).toBe('strata: the output cannot be written (ENOSPC: no space left on device, write)\n');
    expect(status).toBe(1);
  });

  it('behind the lines that wait for the end of an analysis is one line and a failure, and none of them stays', () => {
    const temporary = mkdtempSync(join(folder, 'temporary-'));
    const facts = join(folder, 'facts');
    const command = [process.execPath, 'bin/strata.mjs', 'analyze', repository, '--since', 'all', '--facts', facts];
    const { status, stderr } = spawnSync('bash', ['-c', 'ulimit -f 0; "$@"', 'bash', ...command], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: temporary },
    });
    expect(stderr).toBe('strata: the output cannot be written (EFBIG: file too large, write)\n');
    expect(status).toBe(1);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('behind a file of lines is said by whoever writes next', async () => {
    const [output] = await openLines('--origins', '/dev/full', () => ['{}']);
    await output!.write({ kind: 'progress', done: 0, total: 1 });
    await sleep(100);
    const next = output!.write({ kind: 'progress', done: 1, total: 1 });
    await expect(next).rejects.toThrow('the output cannot be written (ENOSPC: no space left on device, write)');
  });

  it('behind the messages changes no exit code', () => {
    const full = openSync('/dev/full', 'w');
    const { status } = strataInto(['pipe', full], 'nonsense');
    closeSync(full);
    expect(status).toBe(2);
  });
});
