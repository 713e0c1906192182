// What earlier walks keep of commits leads questions to the same answers as reading the commits does.
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { effort, takeEffort } from '../../../src/engine/model/effort.ts';
import { type CollectedAnalysis, collectSlices } from '../../support/collect-analysis.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { createRandom, randomHistory } from '../../world/random-history.ts';

const SEEDS = [31, 32, Math.floor(Math.random() * 2 ** 31)];
const folder = mkdtempSync(join(tmpdir(), 'strata-trails-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(folder, String(folders++));
const filesIn = (trailsIn: string) => readdirSync(trailsIn).map((name) => join(trailsIn, name));

beforeEach(() => {
  takeEffort();
});

/** The history in steps: nearly all of it at first, then commit by commit. */
function stepsOf(repo: GoldenRepo, share = 0.8) {
  const tips = [...new Set(repo.git('for-each-ref', '--format=%(objectname)', 'refs/heads/').split('\n'))];
  const order = repo.git('rev-list', '--topo-order', '--reverse', '--branches').split('\n');
  const heads = [...order.slice(Math.floor(order.length * share)), ...tips];
  const shared = { onDefaultBranch: true, conventionsAt: tips[0]!, threads: 1, withOrigins: true };
  const whole = { ...shared, heads: tips };
  return { whole, steps: heads.map((head, i) => ({ ...shared, heads: [head], notHeads: heads.slice(0, i) })) };
}

function expectSame(sliced: CollectedAnalysis, whole: CollectedAnalysis): void {
  for (const [sha, flows] of whole.flows) expect(sliced.flows.get(sha), sha).toEqual(flows);
  expect(sliced.digest).toBe(whole.digest);
}

describe.each(SEEDS)('random history %d', (seed) => {
  const repo = randomHistory(seed, { commits: 60, words: 40 });
  const { whole: wholeSlice, steps } = stepsOf(repo);

  test('commits are followed by their trails, and none is read', async () => {
    const whole = await collectSlices(repo.path, [wholeSlice]);
    const trailsIn = newFolder();
    const sliced = await collectSlices(
      repo.path,
      steps.map((step) => ({ ...step, trailsIn })),
    );
    expectSame(sliced, whole);
    expect(effort.olderFollowed).toBeGreaterThan(0);
    expect(effort.olderRead).toBe(0);
    // Steps of one commit each would leave a file each.
    expect(filesIn(trailsIn).length).toBeLessThanOrEqual(17);
  });

  test('what a disk has lost or changed is read from git', async () => {
    const random = createRandom(seed);
    const whole = await collectSlices(repo.path, [wholeSlice]);
    const trailsIn = newFolder();
    const events = [];
    for (const step of steps) {
      events.push(...(await collectSlices(repo.path, [{ ...step, trailsIn }])).events);
      for (const path of filesIn(trailsIn)) {
        const bytes = readFileSync(path);
        if (random(4) === 0) truncateSync(path, random(bytes.length + 1));
        else if (random(2) === 0) {
          const at = random(bytes.length + 1);
          bytes[at] = bytes[at]! ^ (1 << random(8));
          writeFileSync(path, bytes);
        }
      }
    }
    const finals = new Map(events.flatMap((event) => (event.kind === 'final' ? [[event.sha, event.flows]] : [])));
    for (const event of whole.events)
      if (event.kind === 'final') expect(finals.get(event.sha), event.sha).toEqual(event.flows);
    expect(effort.olderRead).toBeGreaterThan(0);
  });
});

const MOVED = ['const total = sum(prices);', 'const rest = budget - total;', 'report(total, rest, currency);'];
const sweptLine = (line: string) => line.replace('total', 'sum');
const text = (...lines: readonly string[]) => `${lines.join('\n')}\n`;

test.each([
  ['.git-blame-ignore-revs', (repo: GoldenRepo) => text(repo.sha('swept'))],
  ['.gitattributes', () => text('*.js linguist-generated=true')],
])('a commit is read again where %s judges its lines otherwise than before', async (name, content) => {
  const begin = () =>
    goldenRepo('main')
      .commit('written', { files: { 'a.js': text('start();', ...MOVED), 'b.js': text('begin();') } })
      .commit('moved', { files: { 'a.js': text('start();'), 'b.js': text('begin();', ...MOVED) } })
      .commit('swept', {
        files: { 'b.js': text('begin();', ...MOVED.map(sweptLine)) },
      });
  const known = begin().build();
  const repo = begin()
    .commit('rules', { files: { [name]: content(known) } })
    .commit('deleted', { files: { 'b.js': text('begin();', sweptLine(MOVED[2]!)) } })
    .commit('gone', { files: { 'b.js': text('begin();') } })
    .build();
  const shared = { onDefaultBranch: true, threads: 1, withOrigins: true };
  const [first, last] = [repo.sha('swept'), repo.sha('deleted')];
  const next = { ...shared, conventionsAt: last, heads: [last], notHeads: [first] };
  const plain = await collectSlices(repo.path, [next]);
  const trailsIn = newFolder();
  await collectSlices(repo.path, [{ ...shared, conventionsAt: first, heads: [first], trailsIn }]);
  takeEffort();
  const followed = await collectSlices(repo.path, [{ ...next, trailsIn }]);
  expect(followed.events).toEqual(plain.events);
  expect(effort.olderRead).toBeGreaterThan(0);
  // What was read then is known as it is judged now.
  const end = repo.sha('gone');
  const rest = { ...shared, conventionsAt: end, heads: [end], notHeads: [last] };
  takeEffort();
  const again = await collectSlices(repo.path, [{ ...rest, trailsIn }]);
  expect(effort.olderRead).toBe(0);
  expect(again.events).toEqual((await collectSlices(repo.path, [rest])).events);
  for (const each of [known, repo]) each.cleanup();
});

test('a folder that cannot be written costs nothing but the memory', async () => {
  const repo = randomHistory(5, { commits: 20, words: 20 });
  const { whole: wholeSlice, steps } = stepsOf(repo, 0.5);
  const whole = await collectSlices(repo.path, [wholeSlice]);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const sliced = await collectSlices(
    repo.path,
    steps.map((step) => ({ ...step, trailsIn: join(file, 'trails') })),
  );
  expectSame(sliced, whole);
});
