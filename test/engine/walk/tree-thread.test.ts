// Long histories have their duplicates looked for in a thread of their own: it must say what the main thread would have
// said, whatever the number of threads that read the commits.
import { expect, test } from 'vitest';
import type { AnalyzeOptions } from '../../../src/engine/walk/analyze.ts';
import { collectAnalysis } from '../../support/collect-analysis.ts';
import { randomHistory } from '../../world/random-history.ts';

const CODE: AnalyzeOptions = { threads: 3, chunkCommits: 7, pathRules: [{ pattern: '*', category: 'backend' }] };

test.each([
  [24, {}],
  [25, { duplicateIndexBytes: 1500 }],
])('history %i has the same duplicates, and the same lack of room, in a thread of their own', async (seed, options) => {
  const repo = randomHistory(seed, { commits: 60, words: 4 });
  const [inside, own] = await Promise.all(
    [Number.POSITIVE_INFINITY, 0].map((treeThreadFrom) =>
      collectAnalysis(repo.path, { ...CODE, ...options, treeThreadFrom }),
    ),
  );
  expect([...own!.files].map(([key, file]) => [key, file])).toEqual([...inside!.files]);
  const limitsOf = ({ commits }: typeof own & {}) => [...commits].map(([sha, { limits }]) => [sha, limits]);
  expect(limitsOf(own!)).toEqual(limitsOf(inside!));
  const duplicates = [...own!.files.values()].map(({ duplicate_lines }) => duplicate_lines);
  expect('duplicateIndexBytes' in options || duplicates.some((count) => count > 0)).toBe(true);
  const isFull = [...own!.commits.values()].some(({ limits }) => limits.length > 0);
  expect(isFull).toBe('duplicateIndexBytes' in options);
  repo.cleanup();
});

test('an analysis that is ended early ends its threads', async () => {
  const repo = randomHistory(28, { commits: 60, words: 4 });
  const ended = new AbortController();
  ended.abort(new Error('enough'));
  const options = { ...CODE, treeThreadFrom: 0, signal: ended.signal };
  await expect(collectAnalysis(repo.path, options)).rejects.toThrow('enough');
  repo.cleanup();
});
