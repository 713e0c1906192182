import { afterAll, expect, test } from 'vitest';
import { executable, type GoldenRepo, goldenRepo, submodule, symlink } from './golden-repo.ts';

const built: GoldenRepo[] = [];
const keep = (repo: GoldenRepo): GoldenRepo => {
  built.push(repo);
  return repo;
};
afterAll(() => {
  for (const repo of built) repo.cleanup();
});

const describeAll = () =>
  goldenRepo()
    .commit('base', {
      files: {
        'a.txt': 'one\ntwo\n',
        'run.sh': executable('#!/bin/sh\n'),
        'odd "name"\n\\é.txt': 'x\n',
        link: symlink('a.txt'),
        lib: submodule('1234567890123456789012345678901234567890'),
      },
    })
    .branch('topic')
    .commit('work', { rename: { 'a.txt': 'b.txt' }, files: { 'b.txt': 'one\n2\n' }, delete: ['run.sh'] })
    .switch('main')
    .commit('other', {
      author: 'Bo Byte <bo@x.org>',
      committer: '<only@mail>',
      authored: '2024-03-01T10:00:00+02:00',
      committed: { at: 4_102_444_800, zone: -570 },
      message: Buffer.from([0x66, 0xff, 0x0a]),
      files: [[Buffer.from([0x62, 0xe9]), Buffer.from([0, 1, 2])]],
    })
    .commit('island', { on: 'gone', parents: [], tree: { 'z.txt': 'z\n' } })
    .merge('join', ['work', 'island'], { take: { 'b.txt': 'work', 'z.txt': 'island', 'run.sh': 'work' } })
    .deleteBranch('gone')
    .tag('light', 'join')
    .tag('v1', 'join', { message: 'annotated\n' })
    .ref('refs/pull/1/head', 'work')
    .note('ai', 'work', 'a note\n')
    .note('ai', 'join', 'another\n');

test('a description becomes a repository that git finds sound', () => {
  const repo = keep(describeAll().build());
  expect(repo.git('fsck', '--strict', '--no-dangling')).not.toMatch(/error/);
  expect(repo.git('for-each-ref', '--format=%(refname) %(objecttype)').split('\n')).toEqual([
    'refs/heads/main commit',
    'refs/heads/topic commit',
    'refs/notes/ai commit',
    'refs/pull/1/head commit',
    'refs/tags/light commit',
    'refs/tags/v1 tag',
  ]);
  expect(repo.git('rev-parse', 'HEAD')).toBe(repo.sha('join'));
  expect(repo.git('log', '-1', '--format=%P', repo.sha('join')).split(' ').map(repo.label)).toEqual([
    'other',
    'work',
    'island',
  ]);
  expect(repo.git('show', `${repo.sha('join')}:b.txt`)).toBe('one\n2');
  expect(repo.git('ls-tree', '--name-only', '-z', repo.sha('join')).split('\0')).not.toContain('run.sh');
  expect(
    repo
      .git('ls-tree', repo.sha('base'))
      .split('\n')
      .map((line) => line.slice(0, 6))
      .sort(),
  ).toEqual(['100644', '100644', '100755', '120000', '160000']);
  expect(repo.git('show', '-s', '--format=%an|%ae|%cn|%ce|%aI|%cI', repo.sha('other'))).toBe(
    'Bo Byte|bo@x.org||only@mail|2024-03-01T10:00:00+02:00|2099-12-31T14:30:00-09:30',
  );
  expect(repo.gitBytes('cat-file', 'commit', repo.sha('other')).subarray(-3)).toEqual(Buffer.from([0x66, 0xff, 0x0a]));
  expect(repo.git('notes', '--ref=ai', 'show', repo.sha('join'))).toBe('another');
  expect(repo.git('diff', '--name-status', '-M', repo.sha('base'), repo.sha('work'))).toContain('a.txt\tb.txt');
});

test('the same description always gives the same hashes', () => {
  const repo = keep(describeAll().build());
  expect(repo.shas).toEqual(keep(describeAll().build()).shas);
  expect(repo.sha('join')).toBe('62127796780564f9f3e74df02998d0967e7e52df');
});

test('an empty description is an empty repository with an unborn default branch', () => {
  const repo = keep(goldenRepo('trunk').build());
  expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/trunk');
  expect(repo.git('for-each-ref')).toBe('');
});

test('a clone can be shallow', () => {
  const repo = keep(describeAll().build());
  const path = repo.clone('--bare', '--depth', '1', '--single-branch');
  expect(repo.git('-C', path, 'rev-list', '--count', 'HEAD')).toBe('1');
});

test('an unknown label, a repeated label and a date without a zone are refused', () => {
  expect(() => goldenRepo().tag('v1', 'nowhere')).toThrow('no commit is labelled nowhere');
  expect(() => goldenRepo().commit('a').commit('a')).toThrow('two commits are labelled a');
  expect(() => goldenRepo().commit('a', { at: '2024-01-01T00:00:00' }).build()).toThrow('ISO 8601 with a zone');
});
