// How a run of commits is read: whatever is compared at once, each commit comes once and in order, and what is
// listed ahead of the comparisons stays within its bounds.
import { expect, test } from 'vitest';
import { createPathAttributes } from '../../../src/engine/categories/git-attributes.ts';
import { Kernel } from '../../../src/engine/diff/kernel.ts';
import { PatchMaker } from '../../../src/engine/diff/patch-maker.ts';
import { DEFAULT_DIFF_LIMITS, type ListedChange } from '../../../src/engine/diff/streamed-commit.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { closeReader, createReader, readChunk } from '../../../src/engine/walk/read-chunk.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

/** Notes how many changes it is given at a time. */
class WatchedMaker extends PatchMaker {
  readonly changesAtOnce: number[] = [];
  override prepare(commits: readonly (readonly ListedChange[])[]): number {
    this.changesAtOnce.push(commits.flat().length);
    return super.prepare(commits);
  }
}

test('commits that change many files each are listed few at a time', async () => {
  const [commits, files] = [70, 1900];
  let builder = goldenRepo();
  for (let n = 0; n < commits; n++) {
    const changed = Array.from({ length: files }, (_, i) => [`folder/file ${i}.txt`, `${n % 2}\n`] as const);
    builder = builder.commit(`${n}`, { files: changed });
  }
  const repo = builder.build();
  repo.git('repack', '-q', '-ad');
  const patches = new WatchedMaker(loadPackIndexes(repo.path), new Kernel(4 << 20), DEFAULT_DIFF_LIMITS);
  const reader = createReader({
    repository: await openRepository(repo.path),
    patches,
    classifier: createClassifier({}),
    context: { attributes: createPathAttributes([]) },
    isIndexed: () => false,
    limits: DEFAULT_DIFF_LIMITS,
    batchBytes: 1 << 18,
  });
  const shas = repo.git('rev-list', 'main').split('\n');
  const chunk = shas.map((sha, index) => {
    return {
      index,
      sha,
      parents: shas.slice(index + 1, index + 2),
      answersOnly: false,
      isStepped: false,
      isFirstParent: false,
    };
  });
  const read: number[][] = [];
  await readChunk(reader, chunk, async (batch) => {
    for (const { index, files: changed } of batch.commits) read.push([index, changed.length]);
  });
  await closeReader(reader);
  patches.close();
  repo.cleanup();
  expect(read).toEqual(shas.map((_, index) => [index, files]));
  expect(patches.changesAtOnce.reduce((sum, count) => sum + count)).toBe(commits * files);
  expect(Math.max(...patches.changesAtOnce)).toBeLessThan(100_000);
  // Windows are not made one commit long for it.
  expect(patches.changesAtOnce.length).toBeLessThan(6);
});
