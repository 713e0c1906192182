// How the engine compares with git itself, in one run: wall and processor time of a plain `git log -p -U0 -M` in one process
// and of `strata analyze` over the same branch, medians of the rounds; peak memory of the process and of its whole tree;
// each thread's share of the processor time; and what the reading took.
//
// After that, for each repository, the ratio of a warm line-history call to `git log -L` (bench/engine/line-history.ts).
//
//   npm run bench:engine -- REPOSITORY… [--branch NAME] [--rounds 3] [--threads N] [--no-lines] [--no-effort]
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Effort } from '../../src/engine/model/effort.ts';
import { type Measured, measure } from './process-tree.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    branch: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string', default: `${Math.min(availableParallelism(), 6)}` },
    'no-lines': { type: 'boolean', default: false },
    'no-effort': { type: 'boolean', default: false },
  },
});
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const STRATA = here('../../bin/strata.mjs');
const LOADER = here('../typescript.mjs');

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
const medianOf = (runs: readonly Measured[], read: (run: Measured) => number): number => median(runs.map(read));
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1e-9)).toFixed(0)} %`;

for (const path of positionals) {
  const git: Measured[] = [];
  const ours: Measured[] = [];
  const branch = values.branch ?? (await capture('git', ['-C', path, 'rev-parse', '--abbrev-ref', 'HEAD'])).trim();
  const commits = Number(await capture('git', ['-C', path, 'rev-list', '--count', branch]));
  const analyze = [STRATA, 'analyze', path, '--since', 'all', '--branch', branch, '--threads', values.threads];
  // Rounds alternate, so that a busy machine slows both sides alike.
  for (let round = 0; round < Number(values.rounds); round++) {
    git.push(await measure('git', ['-C', path, 'log', '-p', '-U0', '-M', branch]));
    ours.push(await measure(process.execPath, analyze));
  }
  const wall = { git: medianOf(git, (each) => each.wall), ours: medianOf(ours, (each) => each.wall) };
  const cpu = { git: medianOf(git, (each) => each.cpu), ours: medianOf(ours, (each) => each.cpu) };
  console.log(`${path}: ${commits} commits, ${values.threads} threads, median of ${values.rounds}`);
  console.log(`  git log   ${wall.git.toFixed(2)} s wall, ${cpu.git.toFixed(2)} s CPU`);
  console.log(`  analyze   ${wall.ours.toFixed(2)} s wall, ${cpu.ours.toFixed(2)} s CPU (git's included)`);
  console.log(
    `  ratio     ${(wall.ours / wall.git).toFixed(2)} of the wall time, ${(cpu.ours / cpu.git).toFixed(2)} of the CPU time`,
  );
  const [peak, tree] = [medianOf(ours, (each) => each.peak), medianOf(ours, (each) => each.treePeak)];
  console.log(`  memory    ${peak.toFixed(0)} MB peak of the process, ${tree.toFixed(0)} MB of the whole tree (PSS)`);
  const last = ours.at(-1)!;
  const [main = 0, ...others] = last.threads;
  const own = last.threads.reduce((sum, seconds) => sum + seconds, 0);
  const shares = others.filter((seconds) => seconds >= own / 100).map((seconds) => percent(seconds, own));
  console.log(
    `  threads   main ${percent(main, own)}, others ${shares.join(', ')} of ${own.toFixed(1)} s of the process`,
  );
  if (!values['no-effort']) {
    const sha = (await capture('git', ['-C', path, 'rev-parse', `${branch}^{commit}`])).trim();
    const counted = await capture(process.execPath, [
      '--import',
      LOADER,
      here('./count-effort.ts'),
      path,
      sha,
      values.threads,
    ]);
    console.log(`  effort    ${describe(JSON.parse(counted) as Effort)}`);
  }
  if (!values['no-lines'])
    console.log(await capture(process.execPath, ['--import', LOADER, here('./line-history.ts'), path]));
}

function describe(effort: Effort): string {
  const { merges, mergesCompared, treeFilesReached, treeFilesRead, versions, versionsHeld, entriesUnpacked } = effort;
  return [
    `${mergesCompared} of ${merges} merges compared`,
    `${treeFilesRead} of ${treeFilesRead + treeFilesReached} files of their first parents read whole`,
    `${versions} versions of files requested, ${percent(versionsHeld, versions)} still held`,
    `${(entriesUnpacked / Math.max(versions, 1)).toFixed(2)} entries unpacked for each`,
    `${percent(effort.packReads, entriesUnpacked)} of the entries read by a call of their own`,
    `${effort.gitProcesses} git processes`,
  ].join(', ');
}

async function capture(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return text;
}
