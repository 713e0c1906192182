// The files that say how a project wants to be read are found wherever they count, and nowhere else.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConventions } from '../../../src/engine/categories/conventions.ts';
import { limited, openRepository } from '../../../src/engine/git/run-git.ts';
import { listTree } from '../../../src/engine/git/tree-listing.ts';
import { goldenRepo, isolatedGitEnvironment, symlink } from '../../world/golden-repo.ts';

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

test('a large file of attributes is left out, and many do not add up', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [`d${i}/.gitattributes`, `#${i}${' '.repeat(1 << 20)}\n`]),
  );
  const repo = goldenRepo()
    .commit('only', { files: { ...files, '.gitattributes': ' '.repeat(5 << 20) } })
    .build();
  const { attributes } = await readConventions(await openRepository(repo.path), repo.sha('only'));
  expect(attributes.map(({ path }) => path)).not.toContain('.gitattributes');
  expect(attributes.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(20 << 20);
  repo.cleanup();
});

test('of trees that hold each other many times over nothing is listed', async () => {
  const repo = goldenRepo()
    .commit('only', { files: { a: '1\n' } })
    .build();
  const makeTree = (entries: string[]): string =>
    execFileSync('git', ['-C', repo.path, 'mktree'], {
      env: isolatedGitEnvironment(),
      input: `${entries.join('\n')}\n`,
      encoding: 'utf8',
    }).trim();
  const blob = repo.git('rev-parse', `${repo.sha('only')}:a`);
  let tree = makeTree(Array.from({ length: 10 }, (_, i) => `100644 blob ${blob}\tf${i}`));
  for (let depth = 0; depth < 9; depth++)
    tree = makeTree(Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\td${i}`));
  expect(await listTree(await openRepository(repo.path), tree)).toBe(null);
  repo.cleanup();
}, 120_000);

test('git is started with a limit of its memory', () => {
  const [program, args] = limited('sh', ['-c', 'ulimit -d; echo "$0 $1"', 'a', 'b c']);
  const [limit, rest] = execFileSync(program, args, { encoding: 'utf8' }).split('\n');
  expect(Number(limit)).toBeGreaterThanOrEqual(1 << 20);
  expect(rest).toBe('a b c');
});
