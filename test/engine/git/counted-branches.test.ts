import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseBranches, findOrphans, findOrphansOnce } from '../../../src/engine/git/counted-branches.ts';
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

test('what a mirror remembers equals a fresh look, however the default branch and the others move', async () => {
  // Two histories that are joined late, a branch of each, and one that merged the other history first.
  const repo = goldenRepo()
    .commit('a1', { files: { 'a.txt': text('a1') } })
    .commit('a2', { files: { 'a.txt': text('a2') } })
    .branch('topic')
    .commit('t1', { files: { 't.txt': text('t1') } })
    .commit('t2', { files: { 't.txt': text('t2') } })
    .switch('pages')
    .commit('p1', { files: { 'p.txt': text('p1') } })
    .commit('p2', { files: { 'p.txt': text('p2') } })
    .branch('preview')
    .commit('v1', { files: { 'v.txt': text('v1') } })
    .branch('subtree', 't1')
    .merge('s1', ['p1'], { take: { 'p.txt': 'p1' } })
    .commit('s2', { files: { 's.txt': text('s2') } })
    .switch('main')
    .commit('a3', { files: { 'a.txt': text('a3') } })
    .merge('a4', ['p2'], { take: { 'p.txt': 'p2' } })
    .commit('a5', { files: { 'a.txt': text('a5') } })
    .build();
  const repository = await openRepository(repo.path);
  const label = fc.constantFrom('a1', 'a2', 't1', 't2', 'p1', 'p2', 'v1', 's1', 's2', 'a3', 'a4', 'a5');
  const look = fc.record({ head: label, others: fc.uniqueArray(label, { minLength: 1, maxLength: 6 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(look, { minLength: 2, maxLength: 5 }), async (looks) => {
      for (const { head, others } of looks) {
        const heads = new Set([head, ...others].map((each) => repo.sha(each)));
        const found = await findOrphansOnce(repository, repo.sha(head), heads);
        expect([...found].sort()).toEqual([...(await findOrphans(repository, repo.sha(head), heads))].sort());
      }
    }),
    { numRuns: 40 },
  );
  repo.cleanup();
});
