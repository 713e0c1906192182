// Files that changed too much for a comparison of our own: git finds their hunks, and the commits that hold them are made
// in process all the same.
import { afterAll, expect, test } from 'vitest';
import { END_MARK } from '../../../src/engine/diff/diff-tree-process.ts';
import { GitHunks, pairKey, readBlobHunks } from '../../../src/engine/diff/git-hunks.ts';
import { Kernel } from '../../../src/engine/diff/kernel.ts';
import { PatchMaker } from '../../../src/engine/diff/patch-maker.ts';
import { CHANGE_LIST_FLAGS, DEFAULT_DIFF_LIMITS, DIFF_STREAM_FLAGS } from '../../../src/engine/diff/streamed-commit.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { copied, RING_BYTES, streamCommits, withoutNames } from '../../oracles/diff.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

const random = createRandom(22);
/** Few different lines in another order each time: the shortest edit takes many rounds to find. */
const shuffled = (count: number) => Array.from({ length: count }, () => `line ${random(400)}\n`).join('');
/** Lines that look like what git prints around hunks, and one that comes in many parts. */
const odd = `@@ -1 +1 @@\n+++ b/file\n${END_MARK}\n${'x'.repeat(300_000)}\ndiff --git a/file b/file\n`;

const COMMITS = 6;
let builder = goldenRepo();
for (let n = 0; n < COMMITS; n++)
  builder = builder.commit(`${n}`, {
    files: {
      'large.txt': shuffled(3000) + odd + shuffled(n % 2 === 0 ? 10 : 900) + (n === 3 ? 'no line feed' : ''),
      'other.txt': shuffled(2000),
      'small.txt': `${n}\n`,
    },
  });
const repo = builder.build();
repo.git('repack', '-q', '-adf');
afterAll(() => repo.cleanup());

const LIMITS = [DEFAULT_DIFF_LIMITS, { ...DEFAULT_DIFF_LIMITS, lineBytes: 7 }];
test.each(LIMITS)('commits with such files are made with the hunks that git finds (%o)', async (limits) => {
  const flags = [...DIFF_STREAM_FLAGS, '--stdin', '-M'];
  const expected = streamCommits(repo, flags, ({ files }) => files.map(copied), limits);
  const lists = [...streamCommits(repo, CHANGE_LIST_FLAGS, ({ changes }) => changes ?? [])];
  const maker = new PatchMaker(loadPackIndexes(repo.path), new Kernel(RING_BYTES), limits);
  const git = new GitHunks(await openRepository(repo.path));
  maker.prepare(lists.map(([, changes]) => changes));
  const { unsure } = maker;
  expect(unsure.length).toBe(2 * (COMMITS - 1));
  const made = () => lists.map((_, i) => maker.filesOf(i)?.map(copied) ?? null);
  expect(made().filter((files) => files !== null).length).toBe(1);
  maker.give(await git.read(unsure));
  for (const [i, files] of made().entries())
    expect(withoutNames(files ?? [])).toEqual(withoutNames(expected.get(lists[i]![0])!));
  // Hunks of other files leave the commit to git.
  maker.prepare(lists.map(([, changes]) => changes));
  maker.give(new Map(unsure.map((pair) => [pairKey(pair), Int32Array.of(0, 1, 0, 2)])));
  expect(made().filter((files) => files !== null).length).toBe(1);
  maker.close();
  await git.close();
});

test('each pair has the hunks of a git of its own, and one that cannot be read has none', async () => {
  const repository = await openRepository(repo.path);
  const lists = [...streamCommits(repo, CHANGE_LIST_FLAGS, ({ changes }) => changes ?? []).values()];
  const pairs = lists.flat().filter(({ status }) => status === 'M');
  const git = new GitHunks(repository);
  const found = await git.read(pairs);
  expect(found.size).toBe(new Set(pairs.map(pairKey)).size);
  for (const pair of pairs)
    expect(found.get(pairKey(pair))).toEqual(await readBlobHunks(repository, pair.oldBlob, pair.newBlob));
  const broken = { oldBlob: pairs[1]!.oldBlob, newBlob: '0123456789'.repeat(4) };
  expect([...(await git.read([pairs[0]!, broken, pairs[2]!])).keys()]).not.toContain(pairKey(broken));
  expect((await git.read([pairs[0]!])).get(pairKey(pairs[0]!))).toEqual(found.get(pairKey(pairs[0]!)));
  await git.close();
});
