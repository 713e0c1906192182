import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseBranches, findOrphansOnce } from '../../../src/engine/git/counted-branches.ts';
import { readBranches } from '../../../src/engine/git/list-commits.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const text = (word: string) => `${word} one\n${word} two\n`;

test('branches that share no commit with the default branch are left out by name, with their commits', async () => {
  const repo = goldenRepo()
    .commit('base', { files: { 'a.txt': text('a') } })
    .branch('topic')
    .commit('work', { files: { 'b.txt': text('b') } })
    .switch('gh-pages')
    .commit('page one', { files: { 'index.html': text('page') } })
    .commit('page two', { files: { 'index.html': text('pages') } })
    .branch('pages-preview')
    .commit('page three', { files: { 'index.html': text('preview') } })
    .switch('imported')
    .commit('foreign', { files: { 'f.txt': text('f') } })
    .switch('main')
    .commit('next', { files: { 'c.txt': text('c') } })
    // A second root that was merged into a branch: that one shares the base, the merged one does not.
    .branch('subtree')
    .merge('join', ['foreign'], { take: { 'f.txt': 'foreign' } })
    .build();
  const repository = await openRepository(repo.path);
  const branches = await readBranches(repository);
  const { tips, leftOut } = await chooseBranches(repository, branches);
  expect([...tips.keys()].sort()).toEqual(['main', 'subtree', 'topic']);
  expect(leftOut).toEqual([
    { name: 'gh-pages', reason: 'orphan', commit_count: 2 },
    // The branch into which it was merged counts, and with it this commit.
    { name: 'imported', reason: 'orphan', commit_count: 0 },
    { name: 'pages-preview', reason: 'orphan', commit_count: 3 },
  ]);
  const named = await chooseBranches(repository, branches, ['gh-*', '!topic']);
  expect([...named.tips.keys()].sort()).toEqual(['gh-pages', 'main']);
  expect(named.leftOut.find(({ name }) => name === 'topic')).toEqual({
    name: 'topic',
    reason: 'pattern',
    commit_count: 1,
  });
  repo.cleanup();
});

test('a mirror remembers which branches share nothing, until one of them moves', async () => {
  const repo = goldenRepo()
    .commit('base', { files: { 'a.txt': text('a') } })
    .branch('topic')
    .commit('work', { files: { 'b.txt': text('b') } })
    .switch('gh-pages')
    .commit('page', { files: { 'index.html': text('page') } })
    .switch('other-pages')
    .commit('other page', { files: { 'index.html': text('other') } })
    .build();
  const repository = await openRepository(repo.path);
  const head = repo.sha('base');
  const find = (...labels: string[]) =>
    findOrphansOnce(repository, head, new Set(labels.map((each) => repo.sha(each))));
  expect([...(await find('base', 'work', 'page'))]).toEqual([repo.sha('page')]);
  // Git finds no object any more: what is known is known all the same.
  const objects = join(repository.gitDir, 'objects');
  renameSync(objects, `${objects}.away`);
  expect([...(await find('page', 'work', 'base'))]).toEqual([repo.sha('page')]);
  renameSync(`${objects}.away`, objects);
  expect([...(await find('base', 'other page', 'page'))].sort()).toEqual(
    [repo.sha('other page'), repo.sha('page')].sort(),
  );
  expect([...(await find('base', 'work'))]).toEqual([]);
  expect([...(await find('base', 'work', 'page'))]).toEqual([repo.sha('page')]);
  expect(existsSync(join(repository.gitDir, 'strata-orphans.new'))).toBe(false);
  repo.cleanup();
});
