import { expect, test } from 'vitest';
import { type BlobComparer, createBlobComparer } from '../../../src/engine/diff/blob-comparer.ts';
import { readBlobHunks } from '../../../src/engine/diff/git-hunks.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { createPathFollower } from '../../../src/engine/trace/path-follower.ts';
import { createRenameFinder } from '../../../src/engine/trace/renames.ts';
import { formerByGit } from '../../oracles/former-path.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

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
  return { repo, paths: after.map(([path]) => path) };
}

test('a new file has the former path and the hunks that git gives it when asked about that file alone', async () => {
  let renamed = 0;
  for (let seed = 1; seed <= 24; seed++) {
    const { repo, paths } = renameStorm(seed);
    const repository = await openRepository(repo.path);
    const [commit, parent] = [repo.sha('after'), repo.sha('before')];
    const follow = async (blobs: BlobComparer | null) => {
      const follower = createPathFollower(repository, blobs);
      const followed = await follower.follow(commit, parent, paths);
      await follower.close();
      blobs?.close();
      return followed;
    };
    const found = await follow(null);
    repo.git('repack', '-q', '-adf');
    const packed = await follow(createBlobComparer(loadPackIndexes(repo.path))!);
    const finder = createRenameFinder(repository, null);
    const changes = await finder.changes(commit, parent);
    await finder.close();
    for (const path of paths) {
      const { path: former, blob } = found.get(path) ?? {};
      const expected = formerByGit(repo, { commit, parent, changes }, path);
      expect({ former, blob }, `seed ${seed}: ${path}`).toEqual({ former: expected?.path, blob: expected?.blob });
    }
    for (const [path, { blob, hunks }] of found)
      expect([...hunks], `seed ${seed}: ${path}`).toEqual([
        ...(await readBlobHunks(repository, blob, changes.get(path)!.newBlob)),
      ]);
    expect(Object.fromEntries(packed), `seed ${seed}, packed`).toEqual(Object.fromEntries(found));
    renamed += found.size;
    repo.cleanup();
  }
  expect(renamed).toBeGreaterThan(150);
}, 180_000);

test('the only file of the same name is preferred to one that is more alike', async () => {
  const lines = (changed: number) =>
    Array.from({ length: 100 }, (_, i) => (i < changed ? `changed ${i}\n` : `line ${i}\n`)).join('');
  const repo = goldenRepo()
    .commit('before', { tree: { 'a/name.py': lines(20), 'b/other.py': lines(2), 'c/far.py': lines(60) } })
    .commit('after', { tree: { 'd/name.py': lines(0), 'd/far.py': lines(1) } })
    .build();
  const repository = await openRepository(repo.path);
  repo.git('repack', '-q', '-adf');
  for (const blobs of [null, createBlobComparer(loadPackIndexes(repo.path))]) {
    const follower = createPathFollower(repository, blobs);
    const found = await follower.follow(repo.sha('after'), repo.sha('before'), ['d/name.py', 'd/far.py']);
    await follower.close();
    blobs?.close();
    expect([...found].map(([path, former]) => [path, former.path])).toEqual([
      ['d/name.py', 'a/name.py'],
      // Its namesake is too different.
      ['d/far.py', 'b/other.py'],
    ]);
  }
  const blamed = repo.git('blame', '--porcelain', repo.sha('after'), '--', 'd/name.py').match(/^filename .*$/gm);
  expect([...new Set(blamed)].sort()).toEqual(['filename a/name.py', 'filename d/name.py']);
  repo.cleanup();
});

test('a binary file compared as text has the hunks that git gives it, packed or loose, also when it is renamed', async () => {
  const binary = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `line ${from + i} \0\x01\n`).join('');
  const repo = goldenRepo()
    .commit('before', { files: { changed: binary(0, 60), old: binary(100, 160), same: binary(200, 210), gone: 'x\n' } })
    .commit('after', {
      rename: { old: 'new' },
      delete: ['gone'],
      files: { changed: `${binary(5, 30)}more\n${binary(31, 70)}`, new: binary(103, 170), fresh: binary(300, 310) },
    })
    .build();
  const repository = await openRepository(repo.path);
  const [commit, parent] = [repo.sha('after'), repo.sha('before')];
  const asked = ['changed', 'same', 'fresh', 'gone', 'none']
    .map((path) => ({ newPath: path, oldPath: path }))
    .concat({ newPath: 'new', oldPath: 'old' }, { newPath: 'fresh', oldPath: 'changed' });
  const compare = async (blobs: BlobComparer | null) => {
    const follower = createPathFollower(repository, blobs);
    const found = await follower.compareAsText(commit, parent, asked);
    expect(await follower.compareAsText(commit, parent, [{ newPath: 'changed', oldPath: 'old' }])).toEqual(new Map());
    await follower.close();
    blobs?.close();
    return Object.fromEntries(found);
  };
  const byGit = await compare(null);
  expect(Object.keys(byGit).sort()).toEqual(['changed', 'new']);
  expect([...byGit.changed!.hunks]).toEqual([0, 5, 0, 0, 30, 1, 25, 1, 60, 0, 55, 10]);
  repo.git('repack', '-q', '-adf');
  expect(await compare(createBlobComparer(loadPackIndexes(repo.path))!)).toEqual(byGit);
  repo.cleanup();
});
