// How time and memory of `strata analyze` grow with one history: the same measures as bench/engine/engine.ts for branches that
// lie at several ages of it, each compared with the first of them and with git's own growth.
//
//   npm run bench:growth -- REPOSITORY BRANCH… [--threads N]      (youngest branch first)
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Measured, measure } from './process-tree.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { threads: { type: 'string', default: `${Math.min(availableParallelism(), 6)}` } },
});
const [path, ...branches] = positionals;
if (path === undefined || branches.length < 2) {
  throw new Error('growth needs a repository and two branches of it or more, the one with the fewest commits first');
}
const STRATA = fileURLToPath(new URL('../../bin/strata.mjs', import.meta.url));

interface Age {
  readonly commits: number;
  readonly git: Measured;
  readonly ours: Measured;
}

const ages: Age[] = [];
for (const branch of branches) {
  const count = execFileSync('git', ['-C', path, 'rev-list', '--count', branch], { encoding: 'utf8' });
  const analyze = [STRATA, 'analyze', path, '--since', 'all', '--branch', branch, '--threads', values.threads];
  const age: Age = {
    commits: Number(count),
    git: await measure('git', ['-C', path, 'log', '-p', '-U0', '-M', branch]),
    ours: await measure(process.execPath, analyze),
  };
  ages.push(age);
  print(branch, age, ages[0]!);
}

function print(branch: string, { commits, git, ours }: Age, first: Age): void {
  const perCommit = (seconds: number, of: number): string => `${((1e6 * seconds) / of).toFixed(0)} µs`;
  console.log(`${branch}: ${commits} commits`);
  console.log(`  git log   ${git.wall.toFixed(1)} s, ${perCommit(git.wall, commits)} a commit`);
  console.log(
    `  analyze   ${ours.wall.toFixed(1)} s, ${perCommit(ours.wall, commits)} a commit, ${(ours.wall / git.wall).toFixed(2)} of git; ` +
      `${ours.cpu.toFixed(1)} s CPU; ${ours.peak.toFixed(0)} MB, tree ${ours.treePeak.toFixed(0)} MB`,
  );
  if (commits === first.commits) return;
  const by = (read: (age: Age) => number): string => (read({ commits, git, ours }) / read(first)).toFixed(2);
  console.log(
    `  growth    commits ${by((age) => age.commits)} ×, git ${by((age) => age.git.wall)} ×, ` +
      `analyze ${by((age) => age.ours.wall)} × (${by((age) => age.ours.wall / age.commits)} × a commit, ` +
      `${by((age) => age.ours.wall / age.git.wall)} × against git), memory ${by((age) => age.ours.peak)} ×, ` +
      `tree ${by((age) => age.ours.treePeak)} ×`,
  );
}
