// Runs a command and samples from /proc what it and its children take: processor time of each thread, resident memory, and
// the memory of the whole tree in which what processes share counts once (PSS).
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Measured {
  readonly wall: number;
  /** Of the process and all that it started. */
  readonly cpu: number;
  /** Of the process's own threads, the main one first, then the busiest. */
  readonly threads: readonly number[];
  /** Largest resident memory of the process, and PSS of the whole tree; in MB. */
  readonly peak: number;
  readonly treePeak: number;
}

const SAMPLE_MS = 100;
/** To sum up the memory of a large process takes a while, in which it may not map any: of a processor this is taken at most. */
const SAMPLING_SHARE = 0.02;
const TICKS_PER_SECOND = 100;

export async function measure(command: string, args: readonly string[]): Promise<Measured> {
  const startedAt = performance.now();
  // The shell's `times` count what has ended, also of the children's children.
  const script = '"$0" "$@" >/dev/null; code=$?; times >&3; exit $code';
  const child = spawn('sh', ['-c', script, command, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  let times = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    times += chunk.toString();
  });
  let peak = 0;
  let treePeak = 0;
  let main = 0;
  const threads = new Map<number, number>();
  let nextAt = 0;
  const timer = setInterval(() => {
    main ||= childrenByParent().get(child.pid ?? 0)?.[0] ?? 0;
    if (main === 0) return;
    readThreads(main, threads);
    peak = Math.max(peak, readMegabytes(`/proc/${main}/status`, 'VmHWM'));
    const beganAt = performance.now();
    if (beganAt < nextAt) return;
    let sum = 0;
    for (const pid of descendants(main, childrenByParent())) sum += readMegabytes(`/proc/${pid}/smaps_rollup`, 'Pss');
    treePeak = Math.max(treePeak, sum);
    const endedAt = performance.now();
    nextAt = endedAt + (endedAt - beganAt) / SAMPLING_SHARE;
  }, SAMPLE_MS);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  // The second line is the user and system time of the shell's children, with theirs.
  const spent = (times.trim().split('\n')[1] ?? '').split(' ').map(minutesToSeconds);
  const others = [...threads].filter(([tid]) => tid !== main).map(([, seconds]) => seconds);
  return {
    wall: (performance.now() - startedAt) / 1000,
    cpu: spent.reduce((sum, seconds) => sum + seconds, 0),
    threads: [threads.get(main) ?? 0, ...others.sort((a, b) => b - a)],
    peak,
    treePeak,
  };
}

function minutesToSeconds(text: string): number {
  const match = /^(\d+)m([\d.]+)s$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : 0;
}

/** Null when the process has ended meanwhile. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

function readThreads(pid: number, threads: Map<number, number>): void {
  let names: string[] = [];
  try {
    names = readdirSync(`/proc/${pid}/task`);
  } catch {
    return;
  }
  for (const name of names) {
    const stat = readText(`/proc/${pid}/task/${name}/stat`);
    if (stat === null) continue;
    const fields = fieldsOf(stat);
    threads.set(Number(name), (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND);
  }
}

function readMegabytes(path: string, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readText(path) ?? '');
  return Number(found?.[1] ?? 0) / 1024;
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readText(`/proc/${name}/stat`);
    if (stat === null) continue;
    const parent = Number(fieldsOf(stat)[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function descendants(root: number, children: ReadonlyMap<number, readonly number[]>): number[] {
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}
