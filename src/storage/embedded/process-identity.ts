// Which processes live. A process id alone is not enough, because the system reuses ids: the start
// time is kept with it. A zombie counts as dead, since it no longer runs anything.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Written into file names, so it holds only characters that every file system takes. */
export type ProcessMark = string;

interface LinuxStat {
  state: string;
  startTicks: string;
}

function readLinuxStat(pid: number): LinuxStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name is in brackets and may hold spaces and brackets itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = readLinuxStat(pid);
    return stat && !isDeadState(stat.state) ? stat.startTicks : undefined;
  }
  if (!isSignalable(pid)) return undefined;
  if (process.platform === 'win32') return '0';
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return started.replace(/\D+/g, '') || undefined;
  } catch {
    return undefined;
  }
}

const isDeadState = (state: string): boolean => state === 'Z' || state === 'X' || state === 'x';

export function isProcessAlive(pid: number): boolean {
  return startTimeOf(pid) !== undefined;
}

let own: ProcessMark | undefined;

export function ownProcessMark(): ProcessMark {
  own ??= `${process.pid}-${startTimeOf(process.pid) ?? '0'}`;
  return own;
}

export function isMarkAlive(mark: ProcessMark): boolean {
  if (mark === ownProcessMark()) return true;
  const [pid, startTime] = mark.split('-');
  return startTimeOf(Number(pid)) === startTime;
}

/**
 * Ids of the living processes whose working folder is `folder`: every PostgreSQL process stays in its
 * data folder. `undefined` where the system does not say.
 */
export function processesLivingIn(folder: string): number[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const living: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (readlinkSync(`/proc/${name}/cwd`) === folder && isProcessAlive(Number(name))) living.push(Number(name));
    } catch {
      // Gone, a zombie, or another user's: none of them can be a server of ours.
    }
  }
  return living;
}
