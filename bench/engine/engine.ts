// How the engine compares with git itself, in one run: wall and CPU time of a plain `git log -p -U0 -M` in
// one process and of `strata analyze` over the same branch, medians of the rounds, and peak memory.
//
// After that, for each repository, the ratio of a warm line-history call to `git log -L` (bench/engine/line-history.ts).
//
//   npm run bench:engine -- REPOSITORY… [--rounds 3] [--threads N] [--no-lines]
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    threads: { type: 'string', default: `${Math.min(availableParallelism(), 6)}` },
    'no-lines': { type: 'boolean', default: false },
  },
});
const STRATA = fileURLToPath(new URL('../../bin/strata.mjs', import.meta.url));

interface Measured {
  readonly wall: number;
  readonly cpu: number;
  /** Largest resident memory of the process itself, and of it with all its children; in MB. */
  readonly peak: number;
  readonly peakWithChildren: number;
}

/** Runs a command under a shell's `times`, and samples resident memory from /proc while it runs. */
async function measure(command: string, args: readonly string[]): Promise<Measured> {
  const startedAt = performance.now();
  const script = '"$0" "$@" >/dev/null; code=$?; times >&3; exit $code';
  const child = spawn('sh', ['-c', script, command, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  let times = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    times += chunk.toString();
  });
  let peak = 0;
  let peakWithChildren = 0;
  const timer = setInterval(() => {
    const resident = residentOfTree(child.pid ?? 0);
    peak = Math.max(peak, resident.largest);
    peakWithChildren = Math.max(peakWithChildren, resident.sum);
  }, 50);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  // The second line is the user and system time of the shell's children, with theirs.
  const [, user = 0, system = 0] = [0, ...(times.trim().split('\n')[1] ?? '').split(' ').map(minutesToSeconds)];
  return { wall: (performance.now() - startedAt) / 1000, cpu: user + system, peak, peakWithChildren };
}

function minutesToSeconds(text: string): number {
  const match = /^(\d+)m([\d.]+)s$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : 0;
}

function residentOfTree(root: number): { largest: number; sum: number } {
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        .replace(/^\d+ \(.*\) /s, '')
        .split(' ');
      parents.set(Number(name), Number(stat[1]));
      resident.set(Number(name), (Number(stat[21]) * 4096) / 1e6);
    } catch {
      // ended meanwhile
    }
  }
  let largest = 0;
  let sum = 0;
  for (const [pid, size] of resident) {
    let up: number | undefined = pid;
    while (up !== undefined && up !== root && up > 1) up = parents.get(up);
    if (up !== root) continue;
    largest = Math.max(largest, size);
    sum += size;
  }
  return { largest, sum };
}

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

for (const path of positionals) {
  const git: Measured[] = [];
  const ours: Measured[] = [];
  const branch = (await capture('git', ['-C', path, 'rev-parse', '--abbrev-ref', 'HEAD'])).trim();
  const commits = Number(await capture('git', ['-C', path, 'rev-list', '--count', 'HEAD']));
  // Rounds alternate, so that a busy machine slows both sides alike.
  for (let round = 0; round < Number(values.rounds); round++) {
    git.push(await measure('git', ['-C', path, 'log', '-p', '-U0', '-M', 'HEAD']));
    ours.push(
      await measure(process.execPath, [
        STRATA,
        'analyze',
        path,
        '--since',
        'all',
        '--branch',
        branch,
        '--threads',
        values.threads,
      ]),
    );
  }
  const wall = { git: median(git.map((each) => each.wall)), ours: median(ours.map((each) => each.wall)) };
  const cpu = { git: median(git.map((each) => each.cpu)), ours: median(ours.map((each) => each.cpu)) };
  console.log(`${path}: ${commits} commits, ${values.threads} threads, median of ${values.rounds}`);
  console.log(`  git log   ${wall.git.toFixed(2)} s wall, ${cpu.git.toFixed(2)} s CPU`);
  console.log(`  analyze   ${wall.ours.toFixed(2)} s wall, ${cpu.ours.toFixed(2)} s CPU (git's included)`);
  console.log(
    `  ratio     ${(wall.ours / wall.git).toFixed(2)} of the wall time, ${(cpu.ours / cpu.git).toFixed(2)} of the CPU time`,
  );
  console.log(
    `  memory    ${median(ours.map((each) => each.peak)).toFixed(0)} MB peak, ${median(ours.map((each) => each.peakWithChildren)).toFixed(0)} MB with git's processes`,
  );
  console.log(`  speed     ${(commits / wall.ours).toFixed(0)} commits/s`);
  if (!values['no-lines']) {
    const bench = fileURLToPath(new URL('./line-history.ts', import.meta.url));
    const loader = fileURLToPath(new URL('../typescript.mjs', import.meta.url));
    console.log(await capture(process.execPath, ['--import', loader, bench, path]));
  }
}

async function capture(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return text;
}
