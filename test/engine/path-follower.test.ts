import { expect, test } from 'vitest';
import { countsLastSpan } from '../../src/engine/git/counts-last-span.ts';
import { followPaths } from '../../src/engine/git/follow-paths.ts';
import { createPathFollower } from '../../src/engine/git/path-follower.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import { type BlobComparer, createBlobComparer } from '../../src/engine/packs/blob-comparer.ts';
import { loadPackIndexes } from '../../src/engine/packs/pack-index.ts';
import { goldenRepo } from '../support/golden-repo.ts';

type Random = (below: number) => number;

/** The same numbers on every run. */
function createRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Some are borne by several files, some by one. */
const NAMES = Array.from({ length: 20 }, (_, i) => (i < 8 ? '__init__.py' : `name${i}.py`));

function fileText(random: Random, lines: readonly string[]): string {
  const ending = random(8) === 0 ? '\r\n' : '\n';
  const isOpenEnded = random(4) === 0 || lines.length === 0;
  const text = lines.join(ending) + (isOpenEnded ? '' : ending);
  return random(15) === 0 ? `${text}\0` : text;
}

/** All files change their folder and many their name: sources that share most of their lines. */
function renameStorm(seed: number) {
  const random = createRandom(seed);
  const pool = Array.from({ length: 6 + seed }, (_, i) => `line ${i} ${'x'.repeat(random(i === 3 ? 200 : 40))}`);
  const originals = Array.from({ length: 14 }, () => (random(9) === 0 ? [] : pool.filter(() => random(3) > 0)));
  const name = () => NAMES[random(NAMES.length)]!;
  const before = originals.map((lines, i) => [`old${i}/${name()}`, fileText(random, lines)] as const);
  const after = originals.map((_, i) => {
    const from = random(originals.length);
    const changed = originals[from]!.filter(() => random(10) > random(8));
    return [`new${i}/${name()}`, random(4) === 0 ? before[from]![1] : fileText(random, changed)] as const;
  });
  const repo = goldenRepo().commit('before', { tree: before }).commit('after', { tree: after }).build();
  return { repo, paths: after.map(([path]) => path), sources: before.map(([path]) => path) };
}

test('a new file has the former path and the hunks that git gives it when asked about that file alone', async () => {
  let renamed = 0;
  for (let seed = 1; seed <= 24; seed++) {
    const { repo, paths, sources } = renameStorm(seed);
    const repository = await openRepository(repo.path);
    const isLastSpanCounted = await countsLastSpan(repository);
    const [commit, parent] = [repo.sha('after'), repo.sha('before')];
    const follow = async (blobs: BlobComparer | null) => {
      const follower = createPathFollower(repository, isLastSpanCounted, blobs);
      const followed = await follower.follow(commit, parent, paths);
      await follower.close();
      blobs?.close();
      return followed;
    };
    const found = await follow(null);
    repo.git('repack', '-q', '-adf');
    const packed = await follow(createBlobComparer(loadPackIndexes(repo.path))!);
    const expected = new Map<string, unknown>();
    for (const path of paths)
      for (const each of await followPaths(repository, commit, parent, [path], sources)) expected.set(...each);
    expect(Object.fromEntries(found), `seed ${seed}`).toEqual(Object.fromEntries(expected));
    expect(Object.fromEntries(packed), `seed ${seed}, packed`).toEqual(Object.fromEntries(expected));
    renamed += found.size;
    repo.cleanup();
  }
  expect(renamed).toBeGreaterThan(150);
}, 60_000);
