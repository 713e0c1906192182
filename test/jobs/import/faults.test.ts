import { expect, it } from 'vitest';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';
import { runFaultRounds } from './fault-rounds.ts';
import { FAULT_NAMES } from './faults.ts';
import { digestOfRepository } from './import-kit.ts';

/** bench/resilience/faults.ts runs as many as one likes. */
const ROUNDS = 10;
const SEED = 20_261_116;

it(`${ROUNDS} faults of all kinds: every import ends whole, every acknowledged write is there`, async () => {
  const paths = [5, 6, 7].map((seed) => randomHistory(seed, { commits: 120, words: 16 }).path);
  const histories = await Promise.all(paths.map(async (path) => ({ path, digest: await digestOfRepository(path) })));
  const lines: string[] = [];
  const result = await runFaultRounds({
    seed: SEED,
    rounds: ROUNDS,
    histories,
    small: goldenRepo()
      .commit('one', { files: { a: 'a line\n' } })
      .build().path,
    report: (line) => lines.push(line),
  }).catch((error: unknown) => {
    throw new Error(`${lines.join('\n')}\n${String(error)}`, { cause: error });
  });
  console.log(`seed ${SEED}: ${JSON.stringify(result)}`);
  expect(result.acknowledged).toBeGreaterThanOrEqual(ROUNDS);
  expect(result.problems).toEqual([]);
  const dealt = Object.values(result.faults);
  // Each kind comes as often as the others.
  expect(dealt.length).toBeGreaterThanOrEqual(FAULT_NAMES.length - 1);
  const rounds = dealt.map((fault) => fault.rounds);
  expect(Math.max(...rounds) - Math.min(...rounds)).toBeLessThanOrEqual(1);
  expect(Math.min(...rounds)).toBeGreaterThan(0);
  // Most faults must fall into a running import, or the test proves little.
  expect(dealt.reduce((sum, { hits }) => sum + hits, 0)).toBeGreaterThan(ROUNDS / 3);
}, 1_200_000);
