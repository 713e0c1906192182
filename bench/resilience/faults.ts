// npm run bench:faults -- [ROUNDS] [SEED]
//
// The fault test at any length: kills of worker, server, database and git, removed mirrors, a full disk and a clock that
// goes back, at random moments of imports of three histories.
import { execFileSync } from 'node:child_process';
import { runFaultRounds } from '../../test/jobs/import/fault-rounds.ts';
import { FAULTS, type FaultName } from '../../test/jobs/import/faults.ts';
import { goldenRepo } from '../../test/world/golden-repo.ts';
import { randomHistory } from '../../test/world/random-history.ts';

const [rounds = '200', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const histories = [5, 6, 7].map((number) => {
  const { path } = randomHistory(number, { commits: 150, words: 16 });
  const analyze = ['bin/strata.mjs', 'analyze', path, '--since', 'all', '--digest'];
  return { path, digest: execFileSync(process.execPath, analyze, { encoding: 'utf8' }).trim() };
});
const startedAt = performance.now();
const result = await runFaultRounds({
  seed: Number(seed),
  rounds: Number(rounds),
  histories,
  small: goldenRepo()
    .commit('one', { files: { a: 'a line\n' } })
    .build().path,
  report: (line) => console.log(line),
});
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(`\nseed ${seed}: ${rounds} rounds in ${minutes} minutes, ${result.acknowledged} acknowledged writes\n`);
console.log('| fault | rounds | in mid-import |\n|---|---:|---:|');
for (const [name, fault] of Object.entries(result.faults)) {
  console.log(`| ${FAULTS[name as FaultName].words} | ${fault.rounds} | ${fault.hits} |`);
}
console.log(`\n${result.problems.length} differences`);
for (const problem of result.problems) console.log(problem);
process.exitCode = result.problems.length === 0 ? 0 : 1;
