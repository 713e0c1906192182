import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
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
  expect(trees.write(files)).toBe(repo.git('rev-parse', `${repo.sha('only')}^{tree}`));

  const some = trees.write(files.filter(({ path }) => path.startsWith('a')));
  const names = await readGit(trees.repository, ['ls-tree', '-r', '--name-only', some]);
  expect(names.toString()).toBe('a.b\na/b.c\na/b/c\na0\n');
  await expect(readGit(repository, ['ls-tree', some]), 'the repository itself lacks it').rejects.toThrow();

  const folder = trees.repository.environment.GIT_ALTERNATE_OBJECT_DIRECTORIES!;
  expect(existsSync(folder)).toBe(true);
  trees.close();
  expect(existsSync(folder)).toBe(false);
  repo.cleanup();
});
