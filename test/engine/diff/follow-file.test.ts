// Back through commits that leave a file as it is: the same way that git's own answers about trees and parents lead.
import { describe, expect, it } from 'vitest';
import { type BlobComparer, createBlobComparer } from '../../../src/engine/diff/blob-comparer.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { type GoldenRepo, goldenRepo, symlink } from '../../world/golden-repo.ts';
import { createRandom, randomHistory } from '../../world/random-history.ts';

const MANY = 1_000_000;
const latin1 = (path: string): string => Buffer.from(path).toString('latin1');

async function withComparer(repo: GoldenRepo, work: (comparer: BlobComparer) => void): Promise<void> {
  const comparer = createBlobComparer(loadPackIndexes(repo.path))!;
  try {
    work(comparer);
  } finally {
    comparer.close();
    repo.cleanup();
  }
}

/** What git says: of all commits their parents, and what stands at each path. */
function readHistory(repo: GoldenRepo) {
  const parents = new Map(
    repo
      .git('rev-list', '--all', '--parents')
      .split('\n')
      .map((row) => row.split(' '))
      .map(([sha, ...rest]) => [sha!, rest]),
  );
  const files = new Map(
    [...parents.keys()].map((sha) => [
      sha,
      new Map(
        repo
          .git('ls-tree', '-r', '-z', sha)
          .split('\0')
          .filter((row) => row !== '')
          .map((row) => [row.slice(row.indexOf('\t') + 1), row.split(/[ \t]/)[2]!]),
      ),
    ]),
  );
  return { parents, files };
}

const SEEDS = [3, Math.floor(Math.random() * 2 ** 31)];

describe.each(SEEDS)('a random history %i', (seed) => {
  it('is followed as git shows it, from every commit and for every file', async () => {
    const repo = randomHistory(seed, { commits: 60, words: 12 });
    repo.git('repack', '-q', '-adf');
    const { parents, files } = readHistory(repo);
    const random = createRandom(seed);
    await withComparer(repo, (comparer) => {
      let ways = 0;
      for (const [from, tree] of files)
        for (const [path, blob] of tree) {
          const most = random(3) === 0 ? 1 + random(4) : MANY;
          let expected = from;
          for (let passed = 0; passed < most; passed++) {
            const next = parents.get(expected)!.find((parent) => files.get(parent)?.get(path) === blob);
            if (next === undefined) break;
            expected = next;
          }
          expect(comparer.followFile(from, latin1(path), blob, most), `${path} from ${from}`).toBe(expected);
          if (expected !== from) ways++;
        }
      expect(ways).toBeGreaterThan(20);
    });
  });
});

describe('a file', () => {
  it('is not followed where another kind of entry took its place', async () => {
    const repo = goldenRepo()
      .commit('link', { files: { a: symlink('x'), 'b/c': '1\n' } })
      .commit('file', { files: { a: '1\n', keep: '1\n' } })
      .commit('folder', { delete: ['b/c'], files: { b: '1\n' } })
      .commit('last', { files: { other: '2\n' } })
      .build();
    repo.git('repack', '-q', '-adf');
    await withComparer(repo, (comparer) => {
      const blob = repo.git('rev-parse', `${repo.sha('last')}:a`);
      expect(repo.label(comparer.followFile(repo.sha('last'), 'a', blob, MANY))).toBe('file');
      expect(repo.label(comparer.followFile(repo.sha('last'), 'b', blob, MANY))).toBe('folder');
      expect(repo.label(comparer.followFile(repo.sha('file'), 'b/c', blob, MANY))).toBe('link');
    });
  });

  it('is not taken for one whose name begins with its own, which stands before its folder', async () => {
    const repo = goldenRepo()
      .commit('first', { files: { 'ab.c': '2\n', 'ab/x': '1\n' } })
      .commit('second', { files: { 'ab.c': '3\n' } })
      .build();
    repo.git('repack', '-q', '-adf');
    await withComparer(repo, (comparer) => {
      const blob = repo.git('rev-parse', `${repo.sha('second')}:ab/x`);
      expect(repo.label(comparer.followFile(repo.sha('second'), 'ab/x', blob, MANY))).toBe('first');
    });
  });

  it('is followed as far as the packs go', async () => {
    let builder = goldenRepo();
    for (let n = 0; n < 6; n++) builder = builder.commit(`${n}`, { files: { a: '1\n', b: `${n}\n` } });
    const repo = builder.build();
    repo.git('repack', '-q', '-adf');
    const blob = repo.git('rev-parse', `${repo.sha('5')}:a`);
    const tree = repo.git('rev-parse', `${repo.sha('5')}^{tree}`);
    const loose = repo.git('commit-tree', tree, '-p', repo.sha('5'), '-m', 'loose');
    await withComparer(repo, (comparer) => {
      expect(comparer.followFile(loose, 'a', blob, MANY)).toBe(loose);
      expect(repo.label(comparer.followFile(repo.sha('5'), 'a', blob, MANY))).toBe('0');
      expect(repo.label(comparer.followFile(repo.sha('5'), 'a', blob, 2))).toBe('3');
    });
  });

  it('stays where it is when its path is too long', async () => {
    const repo = goldenRepo()
      .commit('0', { files: { a: '1\n' } })
      .commit('1', { files: { b: '1\n' } })
      .build();
    repo.git('repack', '-q', '-adf');
    await withComparer(repo, (comparer) => {
      const blob = repo.git('rev-parse', `${repo.sha('1')}:a`);
      expect(comparer.followFile(repo.sha('1'), 'a'.repeat(5000), blob, MANY)).toBe(repo.sha('1'));
      expect(comparer.followFile(repo.sha('1'), 'a/'.repeat(100), blob, MANY)).toBe(repo.sha('1'));
      expect(repo.label(comparer.followFile(repo.sha('1'), 'a', blob, MANY))).toBe('0');
    });
  });
});
