// All branches in one walk say what the default branch says by itself, and the others behind it.
import { describe, expect, test } from 'vitest';
import { collectSlices } from '../../support/collect-analysis.ts';
import { randomHistory } from '../../world/random-history.ts';

const SEEDS = [31, 32, Math.floor(Math.random() * 2 ** 31)];
const CODE = { threads: 2, chunkCommits: 7, pathRules: [{ pattern: '*', category: 'backend' }] } as const;

describe.each(SEEDS)('random history %d', (seed) => {
  const repo = randomHistory(seed, { commits: 60, words: 6 });
  repo.git('repack', '-q', '-adf');
  const tips = [...new Set(repo.git('for-each-ref', '--format=%(objectname)', 'refs/heads/').split('\n'))];
  const times = repo.git('log', '--branches', '--format=%ct').split('\n').map(Number).sort();
  const windows = [
    { since: null, hasTreeThread: true },
    { since: times[times.length >> 1]!, hasTreeThread: false },
  ];
  // Any of them may be the default branch; the first and the last have not the same beside them.
  const runs = [tips[0]!, tips.at(-1)!].flatMap((head) => windows.map((window) => ({ head, ...window })));

  test.each(runs)('$head since $since, tree thread: $hasTreeThread', async ({ head, since, hasTreeThread }) => {
    const others = tips.filter((tip) => tip !== head);
    const shared = { ...CODE, conventionsAt: head, since, hasTreeThread, withOrigins: true };
    const byBranch = await collectSlices(repo.path, [
      { ...shared, heads: [head], onDefaultBranch: true },
      { ...shared, heads: others, notHeads: [head], onDefaultBranch: false },
    ]);
    const atOnce = await collectSlices(repo.path, [
      { ...shared, heads: [head], otherHeads: others, onDefaultBranch: true },
    ]);
    // The files with their duplicates, which are not in the digest.
    expect(new Map([...atOnce.files].sort())).toEqual(new Map([...byBranch.files].sort()));
    for (const [sha, flows] of byBranch.flows) expect(atOnce.flows.get(sha), sha).toEqual(flows);
    const text = (runs: typeof atOnce.origins) => runs.map((run) => JSON.stringify(run)).sort();
    expect(text(atOnce.origins)).toEqual(text(byBranch.origins));
    expect(atOnce.digest).toBe(byBranch.digest);
  });
});
