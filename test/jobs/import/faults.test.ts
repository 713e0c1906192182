import { expect, it } from 'vitest';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';
import { runFaultRounds } from './fault-rounds.ts';
import { digestOfRepository } from './import-kit.ts';

/** bench/import-faults.ts runs as many as one likes. */
const ROUNDS = 20;
const SEED = 20_261_115;

it(`${ROUNDS} kills of worker, server and database: every import ends whole, every acknowledged write is there`, async () => {
  const repo = randomHistory(5, { commits: 150, words: 16 });
  const lines: string[] = [];
  const result = await runFaultRounds({
    seed: SEED,
    rounds: ROUNDS,
    repository: repo.path,
    small: goldenRepo()
      .commit('one', { files: { a: 'a line\n' } })
      .build().path,
    digest: await digestOfRepository(repo.path),
    report: (line) => lines.push(line),
  }).catch((error: unknown) => {
    throw new Error(`${lines.join('\n')}\n${String(error)}`, { cause: error });
  });
  console.log(`seed ${SEED}: ${JSON.stringify(result)}`);
  expect(result.acknowledged).toBeGreaterThanOrEqual(ROUNDS);
  for (const count of Object.values(result.kills)) expect(count).toBeGreaterThan(2);
  // Most kills must fall into a running import, or the test proves little.
  expect(result.hits).toBeGreaterThan(ROUNDS / 3);
}, 1_200_000);
