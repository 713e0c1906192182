import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiffTreeProcess, END_MARK } from '../../../src/engine/diff/diff-tree-process.ts';
import { openRepository, readGit } from '../../../src/engine/git/run-git.ts';
import { listTree, regularFiles } from '../../../src/engine/git/tree-listing.ts';
import { ScratchTrees } from '../../../src/engine/objects/scratch-trees.ts';
import { executable, goldenRepo } from '../../world/golden-repo.ts';

test('a scratch tree of all files is the tree that git made of them, and goes with its folder', async () => {
  const repo = goldenRepo()
    .commit('only', {
      // A folder sorts as if its name ended with a slash: behind `a.b`, before `a0`.
      files: [
        ['a.b', '1\n'],
        ['a/b/c', '2\n'],
        ['a/b.c', '3\n'],
        ['a0', executable('4\n')],
        ['tab\tname', '5\n'],
        ['"quoted"', '6\n'],
        [Buffer.from('b\xff/z', 'latin1'), '7\n'],
      ],
    })
    .build();
  const repository = await openRepository(repo.path);
  const listing = await listTree(repository, repo.sha('only'));
  const trees = new ScratchTrees(repository);
  const files = regularFiles(listing!);
  expect(trees.add(files)).toBe(repo.git('rev-parse', `${repo.sha('only')}^{tree}`));

  const some = trees.add(files.filter(({ path }) => path.startsWith('a')));
  trees.flush();
  const names = await readGit(trees.repository, ['ls-tree', '-r', '--name-only', some]);
  expect(names.toString()).toBe('a.b\na/b.c\na/b/c\na0\n');
  await expect(readGit(repository, ['ls-tree', some]), 'the repository itself lacks it').rejects.toThrow();

  const folder = trees.repository.environment.GIT_ALTERNATE_OBJECT_DIRECTORIES!;
  expect(existsSync(folder)).toBe(true);
  trees.close();
  expect(existsSync(folder)).toBe(false);
  repo.cleanup();
});

test('a git that runs already finds trees that are added later, in packs that git takes for whole', async () => {
  const repo = goldenRepo()
    .commit('only', { files: [['a', '1\n']] })
    .build();
  const repository = await openRepository(repo.path);
  const blob = repo.git('rev-parse', `${repo.sha('only')}:a`);
  const trees = new ScratchTrees(repository);
  const git = new DiffTreeProcess(trees.repository, ['diff-tree', '--stdin', '--name-status']);
  const empty = trees.add([]);
  /** More than fits a block of a zlib stream: some 40 bytes a file. */
  const many = Array.from({ length: 3000 }, (_, i) => ({ path: `file-${i}`, mode: '100644', blob }));
  for (const files of [many.slice(0, 1), many.slice(0, 1), many]) {
    const tree = trees.add(files);
    trees.flush();
    let printed = '';
    await git.request([`${empty} ${tree}`], (chunk) => {
      printed += chunk.toString();
      return printed.endsWith(`${END_MARK}\n`);
    });
    expect(printed.match(/^A\t/gm)).toHaveLength(files.length);
  }
  await git.close();
  const packs = join(trees.repository.environment.GIT_ALTERNATE_OBJECT_DIRECTORIES!, 'pack');
  const names = readdirSync(packs).filter((name) => name.endsWith('.idx'));
  expect(names, 'what is known already is not written again').toHaveLength(2);
  for (const name of names) await readGit(repository, ['verify-pack', join(packs, name)]);
  trees.close();
  repo.cleanup();
});
