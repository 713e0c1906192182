// Long histories and large trees have their duplicates looked for in a thread of their own: it must say what the main thread would have
// said, whatever the number of threads that read the commits.
import { expect, test } from 'vitest';
import type { AnalyzeOptions } from '../../../../src/engine/walk/analyze.ts';
import { collectAnalysis, collectSlices } from '../../../support/collect-analysis.ts';
import { randomHistory } from '../../../world/random-history.ts';

const CODE: AnalyzeOptions = { threads: 3, chunkCommits: 7, pathRules: [{ pattern: '*', category: 'backend' }] };

test.each([
  [24, {}],
  [25, { duplicateIndexBytes: 1500 }],
])('history %i has the same duplicates, and the same lack of room, in a thread of their own', async (seed, options) => {
  const repo = randomHistory(seed, { commits: 60, words: 4 });
  const [inside, own] = await Promise.all(
    [false, true].map((hasTreeThread) => collectAnalysis(repo.path, { ...CODE, ...options, hasTreeThread })),
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

test('new commits are judged while the older ones are walked', async () => {
  const repo = randomHistory(26, { commits: 80, words: 4 });
  repo.git('repack', '-q', '-adf');
  const head = repo.git('rev-parse', 'HEAD');
  const older = repo.git('rev-parse', 'HEAD~12');
  const [inside, own] = await Promise.all(
    [false, true].map((hasTreeThread) =>
      collectSlices(repo.path, [
        { ...CODE, hasTreeThread, conventionsAt: head, heads: [head], notHeads: [older], onDefaultBranch: true },
      ]),
    ),
  );
  expect(own!.files).toEqual(inside!.files);
  expect([...own!.files.values()].some(({ duplicate_lines }) => duplicate_lines > 0)).toBe(true);
  expect(own!.digest).toBe(inside!.digest);
  repo.cleanup();
});

test('an analysis that is ended early ends its threads', async () => {
  const repo = randomHistory(28, { commits: 60, words: 4 });
  const ended = new AbortController();
  ended.abort(new Error('enough'));
  const options = { ...CODE, hasTreeThread: true, signal: ended.signal };
  await expect(collectAnalysis(repo.path, options)).rejects.toThrow('enough');
  repo.cleanup();
});
