// The files that say how a project wants to be read are found wherever they count, and nowhere else.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConventions } from '../../src/engine/conventions.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import { goldenRepo, symlink } from '../support/golden-repo.ts';

const REVISION = 'a'.repeat(40);

test('attributes of all folders and the revisions to ignore at the top are read, and the tree is handed out once', async () => {
  const repo = goldenRepo()
    .commit('only', {
      files: {
        '.gitattributes': '*.a generated\n',
        'deep/er/.gitattributes': '*.b generated\n',
        'x.gitattributes': '*.c generated\n',
        'tab\t.gitattributes': '*.d generated\n',
        '.gitattributes.txt': '*.e generated\n',
        'link/.gitattributes': symlink('*.f generated'),
        '.git-blame-ignore-revs': `# why\n${REVISION} # this one\nnot a revision\n`,
        'deep/.git-blame-ignore-revs': `${'b'.repeat(40)}\n`,
      },
    })
    .build();
  const { attributes, ignoredRevisions, takeListing } = await readConventions(
    await openRepository(repo.path),
    repo.sha('only'),
  );
  expect(attributes.map(({ path, content }) => [path, content.toString()])).toEqual([
    ['.gitattributes', '*.a generated\n'],
    ['deep/er/.gitattributes', '*.b generated\n'],
    ['link/.gitattributes', '*.f generated'],
  ]);
  expect([...ignoredRevisions]).toEqual([REVISION]);
  expect(takeListing()?.toString().split('\0')).toHaveLength(9);
  expect(takeListing()).toBe(null);
  repo.cleanup();
});

test('of a tree that cannot be listed the revisions to ignore are read still', async () => {
  const repo = goldenRepo()
    .commit('only', { files: { 'a/b': '1\n', '.git-blame-ignore-revs': `${REVISION}\n` } })
    .build();
  const lost = repo.git('rev-parse', `${repo.sha('only')}:a`);
  rmSync(join(repo.path, 'objects', lost.slice(0, 2), lost.slice(2)));
  const { attributes, ignoredRevisions, takeListing } = await readConventions(
    await openRepository(repo.path),
    repo.sha('only'),
  );
  expect([attributes, [...ignoredRevisions], takeListing()]).toEqual([[], [REVISION], null]);
  repo.cleanup();
});
