// Input that has broken history tools: each must give a result, and say what was limited.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blame, numstat } from '../../oracles/blame.ts';
import { collectAnalysis } from '../../support/collect-analysis.ts';
import {
  executable,
  type GoldenRepo,
  goldenRepo,
  isolatedGitEnvironment,
  submodule,
  symlink,
} from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';

const options = { threads: 1, withOrigins: true } as const;

async function analyzed(repo: GoldenRepo) {
  const result = await collectAnalysis(repo.path, options);
  const fact = (label: string) => result.commits.get(repo.sha(label))!;
  const file = (label: string, path: string) => result.files.get(`${repo.sha(label)} ${path}`)!;
  return { ...result, fact, file };
}

/** Totals as git counts them, and origins as blame gives them, over the whole repository. */
async function expectLikeGit(repo: GoldenRepo) {
  const result = await analyzed(repo);
  const ours = new Map(
    [...result.files].flatMap(([key, file]) =>
      file.limited === 'binary' ? [] : [[key, `${file.added} ${file.removed}`]],
    ),
  );
  expect(ours).toEqual(numstat(repo, '--branches'));
  for (const run of result.origins) {
    const origins = blame(repo, run.parent, run.path);
    for (let i = 0; i < run.count; i++)
      expect(run.origin, `${run.path}:${run.line + i}`).toBe(origins[run.line - 1 + i]);
  }
  return result;
}

/** Every object in a file of its own, so that single ones can be taken away. */
function unpackAll(gitDir: string): void {
  const folder = join(gitDir, 'objects/pack');
  const packed = readdirSync(folder).find((name) => name.endsWith('.pack'));
  if (packed === undefined) return;
  const pack = readFileSync(join(folder, packed));
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
  execFileSync('git', [`--git-dir=${gitDir}`, 'unpack-objects', '-q'], { input: pack, env: isolatedGitEnvironment() });
}

describe('repositories', () => {
  test('an empty one tells nothing', async () => {
    const repo = goldenRepo().build();
    expect((await collectAnalysis(repo.path, options)).events).toEqual([]);
  });

  test('a first commit with neither message nor files is one like others, packed or not', async () => {
    const repo = goldenRepo()
      .commit('nothing', { files: {}, message: '' })
      .commit('one', { files: { a: 'one\n' } })
      .build();
    for (const prepare of [unpackAll, () => repo.git('repack', '-q', '-adf')]) {
      prepare(repo.path);
      const { fact, file } = await analyzed(repo);
      expect(fact('nothing')).toMatchObject({ message: '', files: [], limits: [] });
      expect(file('one', 'a').added).toBe(1);
    }
  });

  test('one without a commit in the window is not read, and tells nothing', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { a: '1\n' } })
      .build();
    const since = Date.UTC(2030, 0, 1) / 1000;
    expect((await collectAnalysis(repo.path, { ...options, since })).events).toEqual([]);
  });

  test('one whose analysis is called off before anything is read ends with the reason', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { a: '1\n' } })
      .build();
    const signal = AbortSignal.abort(new Error('called off'));
    await expect(collectAnalysis(repo.path, { ...options, signal })).rejects.toThrow('called off');
  });

  test('a HEAD that names no branch falls back to a branch that exists', async () => {
    const repo = goldenRepo('missing')
      .commit('one', { on: 'work', files: { a: '1\n' } })
      .build();
    expect((await collectAnalysis(repo.path, options)).commits.size).toBe(1);
  });

  test('a shallow clone ends at its boundary, which is taken to have written all it has', async () => {
    const source = goldenRepo()
      .commit('one', { files: { a: '1\n2\n' } })
      .commit('two', { files: { a: '1\n2\n3\n' } })
      .commit('three', { files: { a: '3\n' } })
      .build();
    const path = source.clone('--depth', '2', '--bare');
    const { commits, origins } = await collectAnalysis(path, options);
    expect([...commits.keys()].map(source.label)).toEqual(['three', 'two']);
    expect(origins.map((run) => source.label(run.origin ?? ''))).toEqual(['two']);
  });

  test('two roots that were merged', async () => {
    const repo = goldenRepo()
      .commit('left', { files: { a: 'a\nb\n' } })
      .commit('right', { on: 'other', parents: [], files: { b: 'c\nd\n' } })
      .merge('join', ['right'], { files: { b: 'c\nd\n' } })
      .commit('cut', { files: { a: 'a\n', b: 'd\n' } })
      .build();
    const { origins } = await expectLikeGit(repo);
    expect(origins.map((run) => repo.label(run.origin ?? '')).sort()).toEqual(['left', 'right']);
  });

  test('an octopus merge in which every parent gave a line', async () => {
    const base = 'top\n\n\n\nmiddle\n\n\n\nend\n';
    const repo = goldenRepo()
      .commit('base', { files: { a: base } })
      .branch('x', 'base')
      .commit('x1', { files: { a: base.replace('top', 'TOP') } })
      .branch('y', 'base')
      .commit('y1', { files: { a: base.replace('end', 'END') } })
      .switch('main')
      .commit('m1', { files: { a: base.replace('middle', 'MIDDLE') } })
      .merge('octopus', ['x1', 'y1'], { files: { a: 'TOP\n\n\n\nMIDDLE\n\n\n\nEND\n' } })
      .commit('cut', { files: { a: 'rest\n' } })
      .build();
    const { origins } = await expectLikeGit(repo);
    expect(new Set(origins.map((run) => repo.label(run.origin ?? '')))).toEqual(new Set(['base', 'x1', 'y1', 'm1']));
  });

  test('a blob that is missing limits the files it belongs to, and stops nothing', async () => {
    const lines = (...words: string[]) => words.map((word) => `the line about ${word}\n`).join('');
    const repo = goldenRepo()
      .commit('one', { files: { a: lines('one'), b: lines('kept'), moved: lines('x', 'y', 'z', 'w') } })
      .commit('two', {
        files: { a: lines('two'), b: lines('kept', 'more'), lost: lines('gone') },
        rename: { moved: 'renamed' },
      })
      .commit('three', { files: { a: lines('three'), b: lines('other'), renamed: lines('x', 'z', 'w') } })
      .commit('four', { files: { c: lines('c') }, delete: ['lost'] })
      .build();
    const copy = repo.clone('--bare');
    unpackAll(copy);
    for (const path of ['a', 'lost']) {
      const blob = repo.git('rev-parse', `${repo.sha('two')}:${path}`);
      rmSync(join(copy, 'objects', blob.slice(0, 2), blob.slice(2)));
    }
    const { commits, files, origins } = await collectAnalysis(copy, options);
    expect(commits.size).toBe(4);
    const limitsOf = (label: string) => commits.get(repo.sha(label))!.limits.map(({ reason, path }) => [reason, path]);
    expect(limitsOf('one')).toEqual([]);
    expect(limitsOf('two')).toEqual([
      ['object_missing', 'a'],
      ['object_missing', 'lost'],
    ]);
    expect(limitsOf('three')).toEqual([['object_missing', 'a']]);
    expect(limitsOf('four')).toEqual([['object_missing', 'lost']]);
    expect(commits.get(repo.sha('two'))?.message).toBe('two\n');
    const told = (label: string, path: string) => files.get(`${repo.sha(label)} ${path}`);
    expect(told('two', 'a')).toMatchObject({ status: 'modified', limited: 'object_missing', added: 0, removed: 0 });
    expect(told('two', 'lost')).toMatchObject({ status: 'added', limited: 'object_missing' });
    expect(told('two', 'b')).toMatchObject({ limited: null, added: 1, removed: 0 });
    expect(told('two', 'renamed')).toMatchObject({ status: 'renamed', old_path: 'moved' });
    expect(told('four', 'c')).toMatchObject({ added: 1 });
    const askedBy = origins.filter(({ commit }) => commit === repo.sha('three'));
    expect(askedBy.map(({ path, line, origin }) => [path, line, repo.label(origin ?? '')])).toEqual([
      ['b', 1, 'one'],
      ['b', 2, 'two'],
      ['renamed', 2, 'one'],
    ]);
  });

  test('a tree that is missing from a pack stops none of the commits around its merge', async () => {
    const repo = goldenRepo('main')
      .commit('first', { files: { 'a.py': 'a = 1\n', 'lib/b.py': 'b = 1\n' } })
      .branch('topic')
      .commit('aside', { files: { 'lib/b.py': 'b = 2\n' } })
      .switch('main')
      .commit('own', { files: { 'lib/b.py': 'b = 3\n' } })
      .merge('join', ['aside'], { files: { 'lib/b.py': 'b = 4\n' } })
      .commit('last', { files: { 'a.py': 'a = 2\n' } })
      .build();
    const lost = repo.git('rev-parse', `${repo.sha('aside')}:lib`);
    const kept = repo
      .git('rev-list', '--all', '--objects', '--no-object-names')
      .split('\n')
      .filter((object) => object !== lost);
    const env = isolatedGitEnvironment();
    const fresh = mkdtempSync(join(tmpdir(), 'strata-pack-'));
    execFileSync('git', ['-C', repo.path, 'pack-objects', '-q', join(fresh, 'pack')], {
      env,
      input: `${kept.join('\n')}\n`,
    });
    const packs = join(repo.path, 'objects', 'pack');
    for (const folder of readdirSync(join(repo.path, 'objects')))
      if (/^[0-9a-f]{2}$/.test(folder)) rmSync(join(repo.path, 'objects', folder), { recursive: true });
    rmSync(packs, { recursive: true, force: true });
    renameSync(fresh, packs);
    const { fact, file } = await analyzed(repo);
    expect(file('last', 'a.py')).toMatchObject({ added: 1, removed: 1 });
    expect(file('own', 'lib/b.py')).toMatchObject({ added: 1, removed: 1 });
    expect(fact('own').limits).toEqual([]);
    expect(fact('aside').limits).toEqual([{ reason: 'object_missing', path: null }]);
    repo.cleanup();
  });

  test('lines of a file whose first version is missing were written where the file was made', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { other: 'something else\n' } })
      .commit('two', { files: { big: 'a first line\na second line\n', small: 'beside it\n' } })
      .commit('three', { files: { big: 'a first line\na second line\na third line\n' } })
      .commit('four', { files: { big: 'a third line\n' } })
      .build();
    const copy = repo.clone('--bare');
    unpackAll(copy);
    const blob = repo.git('rev-parse', `${repo.sha('two')}:big`);
    rmSync(join(copy, 'objects', blob.slice(0, 2), blob.slice(2)));
    const { commits, origins } = await collectAnalysis(copy, options);
    // What the third commit changed cannot be known: what the file held then counts as its work.
    expect(
      origins.map(({ commit, path, count, origin }) => [repo.label(commit), path, count, repo.label(origin ?? '')]),
    ).toEqual([['four', 'big', 2, 'three']]);
    expect(commits.get(repo.sha('two'))?.files.map(({ path, added }) => [path, added])).toEqual([
      ['small', 1],
      ['big', 0],
    ]);
  });

  test('a partial clone is read as far as it goes, and so far the same as a whole one', async () => {
    const long = (from: number) => Array.from({ length: 40 }, (_, i) => `line ${from + i} of a long file\n`).join('');
    const repo = goldenRepo()
      .commit('base', { files: { big: long(0), small: 'a\nb\n', old: 'one\ntwo\nthree\nfour\n' } })
      .branch('side')
      .commit('side', { files: { big: long(1), small: 'a\nb\nside\n' } })
      .switch('main')
      .commit('main', { files: { big: long(2), small: 'main\na\nb\n' }, rename: { old: 'new' } })
      .merge('join', ['side'], { files: { big: long(3), small: 'main\na\nb\nside\n' } })
      .commit('last', { files: { small: 'main\n', new: 'one\ntwo\n' } })
      .build();
    repo.git('config', 'uploadpack.allowFilter', 'true');
    const copy = repo.clone('--bare', '--no-local', '--filter=blob:limit=200');
    // What was made here lies outside of packs, and is not missing.
    const git = (input: string, ...args: string[]) =>
      execFileSync('git', [`--git-dir=${copy}`, ...args], { input, env: isolatedGitEnvironment() })
        .toString()
        .trim();
    const blob = git('made here\n', 'hash-object', '-w', '--stdin');
    const tree = git(`100644 blob ${blob}\tlocal\n`, 'mktree');
    const local = git('local\n', 'commit-tree', tree, '-p', repo.sha('last'));
    git('', 'update-ref', 'refs/heads/main', local);
    const whole = await analyzed(repo);
    const { commits, files, origins } = await collectAnalysis(copy, options);
    expect(files.get(`${local} local`)).toMatchObject({ limited: null, added: 1 });
    for (const [key, file] of whole.files)
      if (key.endsWith(' big')) expect(files.get(key)).toMatchObject({ limited: 'object_missing', added: 0 });
      else expect(files.get(key)).toEqual(file);
    const originsOf = (runs: typeof origins) => runs.filter(({ commit }) => commit === repo.sha('last'));
    expect(originsOf(origins).map(({ path }) => path)).toContain('new');
    expect(originsOf(origins).filter(({ path }) => path === 'new')).toEqual(
      originsOf(whole.origins).filter(({ path }) => path === 'new'),
    );
    expect(commits.get(repo.sha('join'))?.limits).toEqual([{ reason: 'object_missing', path: null }]);
  });

  test.each([
    { what: 'a patch that makes no sense', filter: 's/^@@ .*/@@ nonsense @@/', reason: 'unreadable' },
    { what: 'a commit passed over in silence', filter: 'd', reason: 'object_missing' },
  ])('$what limits its commit and stops nothing', async ({ filter, reason }) => {
    const repo = goldenRepo()
      .commit('one', { files: { a: 'one\n' } })
      .commit('two', { files: { a: 'two\n', b: 'b\n' } })
      .commit('three', { files: { a: 'three\n' } })
      .build();
    // A git that garbles what it prints about the second commit, and nothing behind it.
    const folder = mkdtempSync(join(tmpdir(), 'strata-garbled-'));
    const shim = join(folder, 'git');
    const next = repo.sha('one');
    const behind = `^commit ${next}\\|^# end `;
    const script = `/^commit ${repo.sha('two')}/,/${behind}/{/${behind}/!${filter}}`;
    const lines = [
      '#!/bin/sh',
      `PATH=${process.env.PATH}`,
      `case "$*" in`,
      `*" -p "*) git "$@" | sed -u '${script}';;`,
    ];
    writeFileSync(shim, [...lines, '*) exec git "$@";;', 'esac', ''].join('\n'), { mode: 0o755 });
    const environment = { PATH: `${folder}:${process.env.PATH}` };
    const { commits, files } = await collectAnalysis(repo.path, options, environment);
    expect(commits.size).toBe(3);
    expect(commits.get(repo.sha('two'))?.limits).toEqual([{ reason, path: null }]);
    for (const label of ['one', 'three']) {
      expect(commits.get(repo.sha(label))?.limits).toEqual([]);
      expect(files.get(`${repo.sha(label)} a`)?.added).toBe(1);
    }
    rmSync(folder, { recursive: true });
  });

  test('configuration, hooks, attributes and drivers of the repository are never run', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { 'a.txt': 'one\n', '.gitattributes': '*.txt diff=evil filter=evil\n' } })
      .commit('two', { files: { 'a.txt': 'two\n' } })
      .build();
    const folder = mkdtempSync(join(tmpdir(), 'strata-hostile-'));
    const mark = join(folder, 'ran');
    const settings = {
      'core.fsmonitor': `touch ${mark}`,
      'core.pager': `touch ${mark}`,
      'core.sshCommand': `touch ${mark}`,
      'diff.external': `touch ${mark}`,
      'diff.evil.command': `touch ${mark}`,
      'diff.evil.textconv': `touch ${mark}; cat`,
      'filter.evil.smudge': `touch ${mark}`,
      'log.showSignature': 'true',
      'gpg.program': `touch ${mark}`,
      'diff.noprefix': 'true',
      'diff.renames': 'false',
      'diff.algorithm': 'patience',
      'blame.ignoreRevsFile': '/etc/passwd',
    };
    for (const [name, value] of Object.entries(settings)) repo.git('config', name, value);
    writeFileSync(join(repo.path, 'info-attributes'), '');
    execFileSync('mkdir', ['-p', join(repo.path, 'info')]);
    writeFileSync(join(repo.path, 'info', 'attributes'), '*.txt diff=evil\n');
    const { file } = await analyzed(repo);
    expect([file('two', 'a.txt').added, file('two', 'a.txt').removed]).toEqual([1, 1]);
    expect(existsSync(mark)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  test('no setting of the repository changes what is told', async () => {
    const repo = randomHistory(31, { commits: 60, words: 30 });
    const plain = await collectAnalysis(repo.path, options);
    const settings = {
      'color.ui': 'always',
      'core.abbrev': '4',
      'core.bigFileThreshold': '1',
      'core.quotePath': 'true',
      'diff.context': '9',
      'diff.ignoreSubmodules': 'all',
      'diff.indentHeuristic': 'false',
      'diff.interHunkContext': '100',
      'diff.renameLimit': '1',
      'diff.renames': 'copies',
      'diff.relative': 'true',
      'diff.suppressBlankEmpty': 'true',
      'diff.wsErrorHighlight': 'all',
      'i18n.logOutputEncoding': 'UTF-16',
      'log.diffMerges': 'first-parent',
      'log.excludeDecoration': '*',
      'log.mailmap': 'false',
      'log.showRoot': 'false',
    };
    for (const [name, value] of Object.entries(settings)) repo.git('config', name, value);
    const loose = await collectAnalysis(repo.path, options);
    expect(loose.files).toEqual(plain.files);
    expect(loose.digest).toBe(plain.digest);
    repo.git('repack', '-q', '-adf');
    expect((await collectAnalysis(repo.path, options)).digest).toBe(plain.digest);
    repo.cleanup();
  });
});

describe('files', () => {
  test('submodules, symlinks and mode changes', async () => {
    const repo = goldenRepo()
      .commit('one', {
        files: { sub: submodule('1'.repeat(40)), link: symlink('here'), 'run.sh': 'echo\n', turn: 'text\nmore\n' },
      })
      .commit('two', {
        files: {
          sub: submodule('2'.repeat(40)),
          link: symlink('there'),
          'run.sh': executable('echo\n'),
          turn: symlink('x'),
        },
      })
      .build();
    const { file, fact } = await analyzed(repo);
    expect([file('two', 'sub').added, file('two', 'sub').removed, file('two', 'sub').limited]).toEqual([
      1,
      1,
      'submodule',
    ]);
    expect([file('two', 'run.sh').added, file('two', 'run.sh').removed]).toEqual([0, 0]);
    expect([file('two', 'turn').status, file('two', 'turn').removed]).toEqual(['type_changed', 2]);
    expect(fact('two').limits).toContainEqual({ reason: 'submodule', path: 'sub' });
  });

  test('CRLF, no last line feed, invalid UTF-8 and form feeds count and trace as git does', async () => {
    const latin = Buffer.from('caf\xe9\r\nth\xe9\r\n\f\r\n', 'latin1');
    const repo = goldenRepo()
      .commit('one', { files: { 'a.txt': 'one\r\ntwo\r\nthree', 'b.txt': latin } })
      .commit('two', {
        files: { 'a.txt': 'one\r\ntwo\nthree\n', 'b.txt': Buffer.from('caf\xe9\r\ntee\r\n', 'latin1') },
      })
      .commit('three', { files: { 'a.txt': 'two\nthree', 'b.txt': 'x' } })
      .build();
    await expectLikeGit(repo);
  });

  test('a file with NUL bytes is binary, and lines removed later are followed through it as blame does', async () => {
    const text = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('');
    const repo = goldenRepo()
      .commit('one', { files: { 'a.txt': text } })
      .commit('nul', { files: { 'a.txt': text.replace('line 7', 'line \0 seven') } })
      .commit('plain', { files: { 'a.txt': text } })
      .commit('cut', { files: { 'a.txt': 'line 3\n' } })
      .build();
    const { file, fact } = await expectLikeGit(repo);
    expect(file('nul', 'a.txt').limited).toBe('binary');
    expect(fact('nul').limits).toEqual([{ reason: 'binary', path: 'a.txt' }]);
  });

  test('names with quotes, tabs, line feeds, backslashes, spaces and invalid UTF-8', async () => {
    const names = [
      'a "quoted".txt',
      'tab\there',
      'line\nfeed',
      'back\\slash',
      ' leading and trailing ',
      'ünï→code',
      'a b/c d',
    ];
    const bad = Buffer.from('bad-\xff-name', 'latin1');
    const write = (text: string) => [...names.map((name) => [name, text] as const), [bad, text] as const];
    const repo = goldenRepo()
      .commit('one', { files: write('one\nshared line that stays\n') })
      .commit('two', { files: write('two\nshared line that stays\n') })
      .build();
    const { files, origins, commits } = await analyzed(repo);
    for (const name of [...names, '"bad-\\377-name"']) {
      const fact = files.get(`${repo.sha('two')} ${name}`);
      expect([fact?.added, fact?.removed], name).toEqual([1, 1]);
    }
    expect(commits.get(repo.sha('two'))?.files.length).toBe(0);
    expect(new Set(origins.map((run) => run.origin))).toEqual(new Set([repo.sha('one')]));
    expect(origins.length).toBe(names.length + 1);
  });

  test('two files that take lines from one that is gone are both followed to it', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `some line number ${i}\n`);
    const repo = goldenRepo()
      .commit('one', { files: { 'old.txt': lines.join('') } })
      .commit('split', {
        delete: ['old.txt'],
        files: { 'left.txt': lines.slice(2).join(''), 'right.txt': lines.slice(0, 25).join('') },
      })
      .commit('cut', { files: { 'left.txt': 'x\n', 'right.txt': 'y\n' } })
      .build();
    const { origins } = await expectLikeGit(repo);
    expect(new Set(origins.map((run) => repo.label(run.origin ?? '')))).toEqual(new Set(['one']));
  });
});

describe('sizes', () => {
  test('a line of 20 MB keeps its counts and says that it was cut', async () => {
    const repo = goldenRepo()
      .commit('one', { files: { 'a.min.js': 'x'.repeat(20 << 20) } })
      .commit('two', { files: { 'a.min.js': 'y' } })
      .build();
    const { file, origins } = await analyzed(repo);
    expect([file('one', 'a.min.js').added, file('one', 'a.min.js').limited]).toEqual([1, 'line_too_long']);
    expect(file('two', 'a.min.js').removed).toBe(1);
    expect(origins.map((run) => repo.label(run.origin ?? ''))).toEqual(['one']);
  });

  test('a patch beyond the budget keeps exact counts, and lines pass through it', async () => {
    const big = Array.from({ length: 400_000 }, (_, i) => `row ${i} of a very large table of numbers, ${i * 7}\n`).join(
      '',
    );
    const repo = goldenRepo()
      .commit('one', { files: { 'data.csv': big, 'a.txt': 'small\n' } })
      .commit('two', { files: { 'data.csv': 'gone\n', 'a.txt': 'changed\n' } })
      .build();
    const limits = { commitBytes: 16 << 20, lineBytes: 64 << 10 };
    const { files, commits } = await collectAnalysis(repo.path, { ...options, limits });
    const [one, two] = [files.get(`${repo.sha('one')} data.csv`)!, files.get(`${repo.sha('two')} data.csv`)!];
    expect([one.added, two.removed, two.added]).toEqual([400_000, 400_000, 1]);
    expect(one.limited).toBe('patch_too_large');
    expect(one.added).toBe(
      one.lines_added +
        one.lines_updated +
        one.lines_moved +
        one.lines_find_replaced +
        one.lines_copy_pasted +
        one.noop_added,
    );
    expect(commits.get(repo.sha('one'))?.limits).toContainEqual({ reason: 'patch_too_large', path: 'data.csv' });
    expect(files.get(`${repo.sha('two')} a.txt`)!.removed).toBe(1);
  });

  test('a commit that touches 50,000 files', { timeout: 240_000 }, async () => {
    const many = (text: string) =>
      Array.from({ length: 50_000 }, (_, i) => [`d${i % 100}/f${i}.txt`, `${text} ${i}\n`] as const);
    const repo = goldenRepo()
      .commit('one', { files: many('one') })
      .commit('two', { files: many('two') })
      .build();
    const { files, origins } = await collectAnalysis(repo.path, options);
    expect(files.size).toBe(100_000);
    expect(origins.length).toBe(50_000);
  });

  test('a rename storm beyond git’s limit says that renames were not looked for', async () => {
    const content = (i: number, end: string) => `${`content of file ${i}\n`.repeat(6)}${end}\n`;
    const files = (folder: string, end: string) =>
      Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`${folder}/${folder}${i}.txt`, content(i, end)]));
    const repo = goldenRepo()
      .commit('one', { tree: files('old', 'x') })
      .commit('two', { tree: files('new', 'y') })
      .build();
    const { fact, file } = await analyzed(repo);
    expect(fact('two').limits.length).toBe(1100);
    expect(file('two', 'new/new0.txt').limited).toBe('rename_detection_limited');
  });
});

describe('people and times', () => {
  test('dates in 1970 and 2100, and zones at the edge', async () => {
    const repo = goldenRepo()
      .commit('first', { files: { a: '1\n' }, at: { at: 0, zone: 0 } })
      .commit('late', { files: { a: '2\n' }, at: { at: 4_102_444_800, zone: 14 * 60 } })
      .commit('back', { files: { a: '3\n' }, at: { at: 86_400, zone: -12 * 60 } })
      .build();
    const { fact, file, commits } = await expectLikeGit(repo);
    expect(commits.size).toBe(3);
    expect(fact('late').authored).toEqual({ at: 4_102_444_800, zone: 840 });
    // Written in 2100, removed in 1970: no age is below zero.
    expect(file('back', 'a').age_lt_2w).toBe(1);
  });

  test.each(['in one line', 'in many lines'])('of a message of 40 MB %s the beginning is kept', async (form) => {
    const message = 'word '
      .repeat(8 << 20)
      .replaceAll('word word ', form === 'in one line' ? 'word word ' : 'word word\n');
    const repo = goldenRepo()
      .commit('one', { message, files: { a: '1\n' } })
      .commit('two', { files: { a: '2\n' } })
      .build();
    const { fact, file, commits } = await analyzed(repo);
    expect(commits.size).toBe(2);
    expect(fact('one').message.length).toBeLessThanOrEqual((1 << 20) + 1);
    expect(message.startsWith(fact('one').message.trimEnd())).toBe(true);
    expect(fact('one').message.length).toBeGreaterThan(1 << 19);
    expect(fact('one').limits).toEqual([{ reason: 'message_too_long', path: null }]);
    expect(file('one', 'a').added).toBe(1);
    expect(fact('two').limits).toEqual([]);
  });

  test('a missing author name and messages with anything in them', async () => {
    const message = 'diff --git a/x b/x\n\ncommit 1234\n@@ -1 +1 @@\n    indented\n\nCo-authored-by: Bo <bo@x.org>\n';
    const repo = goldenRepo()
      .commit('one', { author: '<nobody@x.org>', message, files: { a: '1\n' } })
      .build();
    const { fact } = await analyzed(repo);
    expect(fact('one').raw_author).toEqual({ name: '', email: 'nobody@x.org' });
    expect(fact('one').message).toBe(message);
    expect(fact('one').co_authors).toEqual([{ name: 'Bo', email: 'bo@x.org' }]);
  });
});
