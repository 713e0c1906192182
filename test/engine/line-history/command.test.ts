// `strata line-history` as a user runs it.
import { spawnSync } from 'node:child_process';

import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { goldenRepo } from '../../world/golden-repo.ts';

const repo = goldenRepo()
  .commit('root', {
    files: { 'a.js': 'function read(source) {\n  return source.next(1);\n}\n' },
    at: '2024-01-01T12:00:00Z',
  })
  .commit('change', {
    files: { 'a.js': '// top\nfunction read(source) {\n  return source.next(2);\n}\n' },
    at: '2024-01-03T12:00:00Z',
    message: 'Read \u001b[31mmore\n',
  })
  .commit('rename', { rename: { 'a.js': 'lib/b.js' }, at: '2024-02-03T12:00:00Z' })
  .commit('delete', { delete: ['lib/b.js'], files: { c: 'x\n' }, at: '2024-03-03T12:00:00Z' })
  .build();
repo.git('tag', 'v1', repo.sha('delete'));
afterAll(() => repo.cleanup());

const COMMAND = resolve('bin/strata.mjs');

const strata = (...args: string[]) => strataIn(process.cwd(), ...args);

function strataIn(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('node', [COMMAND, 'line-history', ...args], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { status, stdout, stderr };
}

test('the table tells each change in three lines and why it ends', () => {
  const { status, stdout } = strata(
    repo.path,
    '--sha',
    repo.sha('rename').slice(0, 8),
    '--file',
    'lib/b.js',
    '--line',
    '3',
  );
  expect(status).toBe(0);
  const short = (label: string) => repo.sha(label).slice(0, 10);
  expect(stdout.split('\n')).toEqual([
    `2024-02-03  ${short('rename')}  moved     Ada Lovelace: rename`,
    '            a.js:3 → lib/b.js:3, in read, 31 days after the change before',
    '            │   return source.next(2);',
    '',
    `2024-01-03  ${short('change')}  changed   Ada Lovelace: Read ?[31mmore`,
    '            a.js:3, in read, 2 days after the change before, churn',
    '            │   return source.next(2);',
    '',
    `2024-01-01  ${short('root')}  added     Ada Lovelace: root`,
    '            a.js:2, in read',
    '            │   return source.next(1);',
    '',
    'The line begins here.',
    '',
  ]);
});

test('JSON holds the entries of the API, the line before the commit when asked for', () => {
  const common = ['--sha', repo.sha('delete'), '--file', 'lib/b.js', '--line', '3', '--before', '--format', 'json'];
  const { stdout } = strata(repo.path, ...common, '--max-hops', '1');
  const { line_history, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({});
  expect(line_history.map((entry: { operation_em: string }) => entry.operation_em)).toEqual([
    'operation_del',
    'operation_move',
  ]);
  const late = strata(repo.path, ...common, '--earliest', '2024-02-20');
  expect(JSON.parse(late.stdout).line_history).toHaveLength(1);
});

test.each([
  [['--sha', 'zz', '--file', 'c', '--line', '1'], /--sha: "zz" is no commit here; expected a sha or at least four of/],
  [['--sha', 'abcd', '--file', 'c', '--line', '1'], /--sha: abcd is no commit of this repository/],
  [['--sha', '--upload-pack=x', '--file', 'c', '--line', '1'], /--sha/],
  [['--sha', repo.sha('delete'), '--file', 'd', '--line', '1'], /--file: there is no file "d" at commit/],
  [['--sha', repo.sha('delete'), '--file', 'c', '--line', '7'], /--line: 7 is not a line of "c" .*expected 1 to 1/],
  [['--sha', repo.sha('delete'), '--file', 'c', '--line', 'x'], /--line: "x" is not a whole number/],
  [
    ['--sha', repo.sha('delete'), '--file', 'c', '--line', '1', '--earliest', 'soon'],
    /--earliest: "soon" is not accepted; expected a date from 1970/,
  ],
  [
    ['--sha', repo.sha('delete'), '--file', 'c', '--line', '1', '--format', 'xml'],
    /--format: "xml" is unknown; expected table or json/,
  ],
])('%j is refused with a reason', (args, reason) => {
  const { status, stdout, stderr } = strata(repo.path, ...args);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(reason);
});

test.each([
  ['HEAD', []],
  ['a branch', ['--sha', 'main']],
  ['a tag', ['--sha', 'v1']],
  ['a commit before another', ['--sha', 'HEAD~0']],
  ['a sha in capitals', ['--sha', repo.sha('delete').toUpperCase()]],
])('the commit to start from is %s', (_, args) => {
  const { status, stdout } = strata(repo.path, ...args, '--file', 'c', '--line', '1');
  expect(status).toBe(0);
  expect(stdout).toContain(repo.sha('delete').slice(0, 10));
});

test('HEAD of a repository without commits is named', () => {
  const empty = goldenRepo().build();
  const { status, stderr } = strata(empty.path, '--file', 'c', '--line', '1');
  empty.cleanup();
  expect(status).toBe(2);
  expect(stderr).toMatch(/--sha: "HEAD" is no commit here/);
});

test('a folder without a repository is named', () => {
  const { status, stderr } = strata('/', '--sha', 'abcd', '--file', 'c', '--line', '1');
  expect(status).toBe(2);
  expect(stderr).toMatch(/path: "\/" is not accepted; give a git repository/);
});

test.each([
  ['blob:none', /the repository's blob [0-9a-f]{40} is missing or damaged/],
  ['tree:0', /the repository's tree [0-9a-f]{40} is missing or damaged/],
])('what a clone with %s lacks is named, and how to get it', (filter, reason) => {
  repo.git('config', 'uploadpack.allowFilter', 'true');
  const partial = repo.clone('--bare', '--no-local', `--filter=${filter}`);
  const { status, stderr } = strata(partial, '--file', 'c', '--line', '1');
  expect(status).toBe(1);
  expect(stderr).toMatch(reason);
  expect(stderr).toMatch(/of a partial clone, git fetch --refetch --no-filter brings the rest$/m);
  expect(stderr).not.toMatch(/lazy fetching/);
});

describe('a file', () => {
  const tree = goldenRepo()
    .commit('root', { files: { c: 'at the root\n', 'lib/c': 'in lib\n', 'lib/b.js': 'more\n' } })
    .build();
  const checkout = tree.clone('--no-local');
  afterAll(() => tree.cleanup());

  test.each([
    ['.', './c', 'at the root'],
    ['.', 'lib/../c', 'at the root'],
    ['.', 'lib//c', 'in lib'],
    ['lib', '../c', 'at the root'],
    ['lib', 'b.js', 'more'],
    // From the root first, as ever.
    ['lib', 'c', 'at the root'],
    ['lib', './c', 'at the root'],
    ['lib', join(checkout, 'lib', 'c'), 'in lib'],
  ])('is found from %s as %s', (folder, file, line) => {
    const { stdout, stderr } = strataIn(join(checkout, folder), '.', '--file', file, '--line', '1');
    expect(stderr).toBe('');
    expect(stdout).toContain(`│ ${line}\n`);
  });

  test('outside of the repository is none of it, and in a bare one the root alone counts', () => {
    const outside = strataIn(checkout, '.', '--file', '../c', '--line', '1');
    expect(outside).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/--file: there is no file "\.\.\/c" at/),
    });
    expect(strata(repo.clone('--bare'), '--file', './c', '--line', '1').status).toBe(0);
  });

  test('is no repository', () => {
    const { status, stderr } = strata(join(checkout, 'c'), '--file', 'c', '--line', '1');
    expect(stderr).toMatch(/path: ".*c" is not accepted; give a folder that holds a git repository/);
    expect(status).toBe(2);
  });
});
