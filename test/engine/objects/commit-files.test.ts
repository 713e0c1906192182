// Which blob stands under a path of a commit: found in packs without git, and the same as git says.
import { expect, test } from 'vitest';
import { createBlobComparer } from '../../../src/engine/diff/blob-comparer.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { createCommitFiles } from '../../../src/engine/objects/commit-files.ts';
import { createFileSource, type FileSource } from '../../../src/engine/objects/file-source.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

test('files of a commit are found in its trees, from packs without git as by git', async () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`src/deep/down/file ${i}.ts`, `${i}\n`]));
  const repo = goldenRepo()
    .commit('first', { files: { ...many, top: 'one\n', 'é/ü': 'two\n' } })
    .commit('second', { files: { top: 'other\n', 'src/deep/down/file 7.ts': 'seven\n' }, delete: ['é/ü'] })
    .build();
  repo.git('repack', '-q', '-adf');
  const paths = [
    'top',
    'src/deep/down/file 7.ts',
    'src/deep/down/file 39.ts',
    'é/ü',
    'src/deep',
    'src/nothing',
    'top/a',
  ];
  const read = async (source: FileSource) => {
    const files = createCommitFiles(source);
    const asked = ['first', 'second'].flatMap((name) => paths.map((path) => files.blobAt(repo.sha(name), path)));
    return Promise.all(asked);
  };
  const byGit = createFileSource(await openRepository(repo.path), null);
  const blobs = createBlobComparer(loadPackIndexes(repo.path));
  const noGit = () => Promise.reject(new Error('git was asked'));
  const fromPacks = await read({ blobs, objects: { read: noGit, close: () => {} } });
  const found = ['first', 'second'].flatMap((name) =>
    paths.map((path, i) =>
      i < 3 || (i === 3 && name === 'first') ? repo.git('rev-parse', `${repo.sha(name)}:${path}`) : null,
    ),
  );
  expect(fromPacks).toEqual(found);
  expect(await read(byGit)).toEqual(found);
  byGit.objects.close();
  blobs?.close();
  repo.cleanup();
});
