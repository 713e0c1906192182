// Which branch is the default one, and where its tip is, however HEAD stands.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBranches } from '../../../src/engine/git/list-commits.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { goldenRepo, isolatedGitEnvironment } from '../../world/golden-repo.ts';

function threeBranches(head: string) {
  return goldenRepo(head)
    .commit('first', { on: 'main', files: { a: '1\n' } })
    .commit('second', { on: 'main', files: { a: '2\n' } })
    .branch('work', 'first')
    .commit('aside', { on: 'work', files: { b: '1\n' } })
    .branch('HEAD-like/deep', 'first')
    .tag('work', 'first')
    .build();
}

test.each([
  ['main', 'main', 'second'],
  // A tag of the same name makes no difference.
  ['work', 'work', 'aside'],
  ['HEAD-like/deep', 'HEAD-like/deep', 'first'],
  // A branch that does not exist.
  ['unborn', 'main', 'second'],
])('HEAD at %s makes %s the default branch, at %s', async (head, branch, tip) => {
  const repo = threeBranches(head);
  const { defaultBranch, head: sha, tips } = await readBranches(await openRepository(repo.path));
  expect([defaultBranch, repo.label(sha ?? '')]).toEqual([branch, tip]);
  expect(Object.fromEntries([...tips].map(([name, at]) => [name, repo.label(at)]))).toEqual({
    main: 'second',
    work: 'aside',
    'HEAD-like/deep': 'first',
  });
  repo.cleanup();
});

test('a HEAD that is detached names no branch, and an empty repository has none', async () => {
  const repo = threeBranches('main');
  repo.git('update-ref', '--no-deref', 'HEAD', repo.sha('first'));
  const { defaultBranch, head } = await readBranches(await openRepository(repo.path));
  expect([defaultBranch, repo.label(head ?? '')]).toEqual([null, 'first']);
  repo.cleanup();
  const empty = goldenRepo().build();
  expect(await readBranches(await openRepository(empty.path))).toEqual({
    defaultBranch: null,
    tips: new Map(),
    head: null,
  });
  empty.cleanup();
});

test('branches of a checkout come before those of its origin', async () => {
  const repo = threeBranches('main');
  const path = repo.clone('--branch', 'work');
  // Its own branch lags behind.
  const args = ['-C', path, 'update-ref', 'refs/heads/work', repo.sha('first')];
  execFileSync('git', args, { env: isolatedGitEnvironment() });
  const { defaultBranch, tips } = await readBranches(await openRepository(path));
  expect([defaultBranch, ...[...tips.keys()].sort()]).toEqual(['work', 'HEAD-like/deep', 'main', 'work']);
  expect(repo.label(tips.get('work') ?? '')).toBe('first');
  repo.cleanup();
});

test('a branch whose commit is gone does not hide the others', async () => {
  const repo = threeBranches('main');
  writeFileSync(join(repo.path, 'refs', 'heads', 'gone'), `${'8'.repeat(40)}\n`);
  writeFileSync(join(repo.path, 'refs', 'heads', 'file'), `${repo.git('rev-parse', 'main:a')}\n`);
  const { defaultBranch, head, tips } = await readBranches(await openRepository(repo.path));
  expect([defaultBranch, repo.label(head ?? '')]).toEqual(['main', 'second']);
  expect([...tips.keys()].sort()).toEqual(['HEAD-like/deep', 'main', 'work']);
  repo.cleanup();
});

test('a default branch whose commit is gone is an error, not an empty repository', async () => {
  const repo = threeBranches('main');
  writeFileSync(join(repo.path, 'refs', 'heads', 'main'), `${'8'.repeat(40)}\n`);
  await expect(readBranches(await openRepository(repo.path))).rejects.toThrow('missing object');
  repo.cleanup();
});
