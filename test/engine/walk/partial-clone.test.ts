// Partial clones: what is there is read from packs as in a whole clone, and what is away is known without git.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { effort } from '../../../src/engine/model/effort.ts';
import { collectAnalysis } from '../../support/collect-analysis.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';

const options = { threads: 1, withOrigins: true } as const;
const NO_BLOB = '0'.repeat(40);
/** In the fourth one, a branch shares no commit with the default branch, and is left out. */
const SEEDS = [11, 12, 13, 337_598, Math.floor(Math.random() * 2 ** 31)];

const partialClone = (repo: ReturnType<typeof randomHistory>, filter: string): string => {
  repo.git('config', 'uploadpack.allowFilter', 'true');
  return repo.clone('--bare', '--no-local', `--filter=${filter}`);
};

describe.each(SEEDS)('random history %d', (seed) => {
  const repo = randomHistory(seed, { commits: 60, words: 30 });

  const shares = (branch: string): boolean => {
    try {
      return repo.git('merge-base', 'main', branch) !== '';
    } catch {
      return false;
    }
  };
  const counted = repo.git('for-each-ref', '--format=%(refname)', 'refs/heads').split('\n').filter(shares);
  /** Changed blobs by commit with one parent at most, as git lists them. */
  const changedBlobs = new Map(
    repo
      .git('log', ...counted, '--no-merges', '--raw', '--no-renames', '--no-abbrev', '--format=#%H')
      .split('#')
      .slice(1)
      .map((text) => [text.slice(0, 40), text.slice(40).match(/\b[0-9a-f]{40}\b/g) ?? []] as const),
  );

  test.each(['blob:limit=200', 'blob:limit=60', 'blob:none'])(
    'cloned with %s says the same of what is there',
    async (filter) => {
      const partial = partialClone(repo, filter);
      const here = new Set(
        repo.git(`--git-dir=${partial}`, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n'),
      );
      const whole = await collectAnalysis(repo.path, options);
      const { files } = await collectAnalysis(partial, options);
      const isAway = (blob: string) => blob !== NO_BLOB && !here.has(blob);
      let compared = 0;
      for (const [sha, blobs] of changedBlobs) {
        const filesOf = (from: typeof files) =>
          [...from].filter(([key]) => key.startsWith(sha)).map(([, file]) => file);
        const counts = (from: typeof files) =>
          filesOf(from).map(({ path, added, removed, limited }) => ({ path, added, removed, limited }));
        if (blobs.some(isAway))
          expect(
            filesOf(files).some(({ limited }) => limited === 'object_missing'),
            sha,
          ).toBe(true);
        else expect(counts(files), sha).toEqual(counts(whole.files));
        compared++;
      }
      expect(compared).toBeGreaterThan(20);
    },
  );

  test('one that lacks nothing has the facts of the whole', async () => {
    const whole = await collectAnalysis(repo.path, options);
    expect((await collectAnalysis(partialClone(repo, 'blob:limit=1m'), options)).digest).toBe(whole.digest);
  });
});

test('git is not asked for what packs of a partial clone show', async () => {
  const builder = goldenRepo();
  for (let n = 0; n < 20; n++) builder.commit(`c${n}`, { files: { a: `${n}\n`, b: `${'x'.repeat(999)}${n}\n` } });
  builder
    .branch('side')
    .commit('side', { files: { c: 'side\n' } })
    .switch('main')
    .commit('main', { files: { a: 'm\n' } });
  const repo = builder.merge('join', ['side'], { files: { a: 'joined\n' } }).build();
  const partial = partialClone(repo, 'blob:limit=500');
  expect(readdirSync(join(partial, 'objects', 'pack')).some((name) => name.endsWith('.promisor'))).toBe(true);
  const processesOf = async (path: string) => {
    const before = effort.gitProcesses;
    await collectAnalysis(path, options);
    return effort.gitProcesses - before;
  };
  expect(await processesOf(partial)).toBeLessThanOrEqual(await processesOf(repo.clone('--bare', '--no-local')));
});

test.each(['blob:none', 'tree:0'])('a mailmap that a clone with %s lacks ends nothing', async (filter) => {
  const repo = goldenRepo()
    .commit('mapped', { files: { '.mailmap': 'Ada King <ada@king.test> <ada@example.com>\n', a: 'one line\n' } })
    .build();
  const { commits } = await collectAnalysis(partialClone(repo, filter), options);
  expect([...commits.values()].map(({ author }) => author.name)).toEqual(['Ada Lovelace']);
  repo.cleanup();
});
