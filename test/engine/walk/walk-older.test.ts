// Slices over commits of an earlier run in a packed repository, where older versions are compared in process.
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { analyzeSlice } from '../../../src/engine/walk/analyze.ts';
import { collectSlices } from '../../support/collect-analysis.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom, randomHistory } from '../../world/random-history.ts';

const SEEDS = [21, 22, Math.floor(Math.random() * 2 ** 31)];

describe.each(SEEDS)('random history %d', (seed) => {
  const repo = randomHistory(seed, { commits: 60, words: 40 });
  repo.git('repack', '-q', '-adf');

  test('each commit by itself asks of the older ones what all at once ask', async () => {
    const tips = [...new Set(repo.git('for-each-ref', '--format=%(objectname)', 'refs/heads/').split('\n'))];
    const order = repo.git('rev-list', '--topo-order', '--reverse', '--branches').split('\n');
    const shared = { onDefaultBranch: true, conventionsAt: tips[0]!, threads: 1, withOrigins: true };
    const whole = await collectSlices(repo.path, [{ ...shared, heads: tips }]);
    const from = Math.floor(order.length * 0.8);
    const heads = [...order.slice(from), ...tips];
    const slices = heads.map((head, i) => ({ ...shared, heads: [head], notHeads: heads.slice(0, i) }));
    const sliced = await collectSlices(repo.path, slices);
    for (const [sha, flows] of whole.flows) expect(sliced.flows.get(sha), sha).toEqual(flows);
    expect(sliced.digest).toBe(whole.digest);
  });
});

test('lines of older commits keep the marks of the tools that wrote them', async () => {
  const random = createRandom(3);
  const builder = goldenRepo();
  const lines = ['first'];
  for (let number = 0; number < 30; number++) {
    lines.splice(random(lines.length + 1), random(2), `line ${number}`, `other ${number}`);
    const mark = number % 3 === 0 ? '\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n' : '\n';
    builder.commit(`c${number}`, { files: { 'a.ts': `${lines.join('\n')}\n` }, message: `change ${number}${mark}` });
  }
  const repo = builder.commit('end', { files: { 'a.ts': 'nothing is left\n' } }).build();
  repo.git('repack', '-q', '-adf');
  const head = repo.git('rev-parse', 'HEAD');
  const shared = { onDefaultBranch: true, conventionsAt: head, threads: 1, heads: [head] };
  const whole = await collectSlices(repo.path, [shared]);
  const last = await collectSlices(repo.path, [{ ...shared, notHeads: [repo.git('rev-parse', 'HEAD~1')] }]);
  expect(last.flows.get(head)).toEqual(whole.flows.get(head));
  expect(whole.flows.get(head)?.some(({ ai_lines }) => ai_lines > 0)).toBe(true);
});

test('one that is called off among the older commits ends there with the reason', async () => {
  const builder = goldenRepo();
  const later: string[] = [];
  for (let number = 0; number < 300; number++) {
    later.push(`line ${number}`);
    builder.commit(`c${number}`, { files: { 'a.ts': `first\n${later.join('\n')}\n` } });
  }
  const young = later.filter((_, number) => number !== 200);
  // The one asks of a line that is found on the way, the other of one at the very beginning.
  const repo = builder
    .commit('near', { files: { 'a.ts': `first\n${young.join('\n')}\n` } })
    .commit('far', { files: { 'a.ts': `${young.join('\n')}\n` } })
    .build();
  repo.git('repack', '-q', '-adf');
  const [head, known] = [repo.sha('far'), repo.sha('c299')];
  const stop = new AbortController();
  const options = { heads: [head], notHeads: [known], onDefaultBranch: true, conventionsAt: head, threads: 1 };
  const events = analyzeSlice(await openRepository(repo.path), { ...options, signal: stop.signal });
  const finals: string[] = [];
  const read = async () => {
    for await (const event of events) {
      if (event.kind !== 'final') continue;
      finals.push(repo.label(event.sha));
      stop.abort(new Error('called off'));
    }
  };
  await expect(read()).rejects.toThrow('called off');
  expect(finals).toEqual(['near']);
});
