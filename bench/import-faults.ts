// node --import ./bench/typescript.mjs bench/import-faults.ts [ROUNDS] [SEED]
//
// The fault test at any length: kill -9 of worker, server and database at random moments of imports.
import { execFileSync } from 'node:child_process';
import { runFaultRounds } from '../test/jobs/import/fault-rounds.ts';
import { goldenRepo } from '../test/world/golden-repo.ts';
import { randomHistory } from '../test/world/random-history.ts';

const [rounds = '500', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const repo = randomHistory(5, { commits: 150, words: 16 });
const analyze = ['bin/strata.mjs', 'analyze', repo.path, '--since', 'all', '--digest'];
const startedAt = performance.now();
const result = await runFaultRounds({
  seed: Number(seed),
  rounds: Number(rounds),
  repository: repo.path,
  small: goldenRepo()
    .commit('one', { files: { a: 'a line\n' } })
    .build().path,
  digest: execFileSync(process.execPath, analyze, { encoding: 'utf8' }).trim(),
  report: (line) => console.log(line),
});
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(`seed ${seed}: ${rounds} rounds in ${minutes} minutes, ${JSON.stringify(result)}`);
