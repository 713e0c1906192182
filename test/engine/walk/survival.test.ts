// Survival by line events equals what `git blame` at two dates says, and the two published definitions differ where a pull
// request rewrites its own lines.
import { afterAll, expect, test } from 'vitest';
import {
  readLineEvents,
  standingByBlame,
  standingByEvents,
  survivalByLine,
  survivalByPullRequest,
  survivedPercent,
  survivedPercentByEvents,
} from '../../oracles/survival.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

const built: GoldenRepo[] = [];
afterAll(() => {
  for (const repo of built) repo.cleanup();
});
const DAY = 86_400;
const START = 1_704_100_000;

test.each([5, 6])('of a generated history is that of blame at the two dates (seed %i)', async (seed) => {
  const random = createRandom(seed);
  const builder = goldenRepo();
  const files = Array.from({ length: 4 }, (_, file) =>
    Array.from({ length: 40 }, (__, n) => `const first${file}${n} = read(${n});`),
  );
  for (let number = 0; number < 50; number++) {
    const file = random(files.length);
    const lines = files[file]!;
    for (let times = 1 + random(4); times > 0; times--) {
      const kind = random(4);
      if (kind === 0) lines.splice(random(lines.length), 1 + random(4));
      else if (kind === 1) lines.push(...lines.splice(random(lines.length), 1 + random(3)));
      else lines.splice(random(lines.length), random(2), `const value${number}x${times} = call(${random(1000)});`);
    }
    builder.commit(`c${number}`, {
      at: START + number * DAY,
      files: Object.fromEntries(files.map((text, n) => [`src/f${n}.ts`, `${text.join('\n')}\n`])),
    });
  }
  const repo = builder.build();
  built.push(repo);
  const events = await readLineEvents(repo.path, repo.sha('c49'));
  const [before, after] = [repo.sha('c20'), repo.sha('c49')];
  for (const head of [before, after]) {
    const byEvents = [...standingByEvents(events, repo.git, head)].filter(([, count]) => count > 0).toSorted();
    expect(byEvents).toEqual([...standingByBlame(events, repo.git, head)].toSorted());
  }
  const percent = survivedPercent(standingByBlame(events, repo.git, before), standingByBlame(events, repo.git, after));
  const ours = survivedPercent(standingByEvents(events, repo.git, before), standingByEvents(events, repo.git, after));
  expect(ours).toBeCloseTo(percent, 6);
  const standing = standingByBlame(events, repo.git, before);
  const since = survivedPercentByEvents(events, repo.git, { first: before, head: after, before: standing });
  expect(since).toBeCloseTo(percent, 6);
  expect(percent).toBeGreaterThan(20);
  expect(percent).toBeLessThan(99);
  // Every commit is its own change here.
  const byLine = survivalByLine(events, [3, 7, 21]);
  expect(survivalByPullRequest(events, repo.git, after, [3, 7, 21])).toEqual(byLine);
});

test('by pull request, what a branch rewrites of itself was never there', async () => {
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, n) => `const ${word}${n} = computeTheValueOf('${word}', ${n});\n`).join('');
  const repo = goldenRepo()
    .commit('base', { at: START, files: { 'README.md': 'Words.\n' } })
    .branch('topic')
    .commit('t1', { at: START + DAY, files: { 'src/a.ts': lines('alpha', 10) } })
    .commit('t2', { at: START + 2 * DAY, files: { 'src/a.ts': lines('alpha', 5) } })
    .switch('main')
    .merge('join', ['t2'], { at: START + 3 * DAY, take: { 'src/a.ts': 't2' } })
    .commit('later', { at: START + 5 * DAY, files: { 'src/a.ts': lines('alpha', 4) } })
    .commit('end', { at: START + 40 * DAY, files: { 'README.md': 'Words.\nMore.\n' } })
    .build();
  built.push(repo);
  const events = await readLineEvents(repo.path, repo.sha('end'));
  const at = (points: { age_days: number; at_risk: number; died: number; survival_percent: number | null }[]) =>
    points.map(({ age_days, survival_percent }) => [age_days, survival_percent]);
  // 11 lines with the first of the README, the last one was followed for no day; 5 die after a day and one after four
  expect(at(survivalByLine(events, [1, 7]))).toEqual([
    [1, 54.5],
    [7, 45.5],
  ]);
  // of 6 that were merged one dies after two days
  expect(at(survivalByPullRequest(events, repo.git, repo.sha('end'), [1, 7]))).toEqual([
    [1, 100],
    [7, 83.3],
  ]);
});
