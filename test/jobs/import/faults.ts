// What can happen to a service: a row each. A fault is over when its function returns; what it broke is started again.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killDatabase, processesOn } from '../../service/running-service.ts';

export interface FaultWorld {
  readonly data: string;
  /** Holds by how many milliseconds the clock of the processes is off. */
  readonly clockFile: string;
  killWorker(signal: NodeJS.Signals): Promise<void>;
  killServer(): Promise<void>;
  /** A whole number below. */
  random(below: number): number;
}

export interface Fault {
  readonly words: string;
  /** False where this machine cannot do it. */
  isPossible(world: FaultWorld): boolean;
  happen(world: FaultWorld): Promise<void>;
}

const always = (): boolean => true;
const HOUR_MILLISECONDS = 3_600_000;

export const mirrorsOf = (data: string): string => join(data, 'mirrors');

/** Mirrors on a disk of their own that is quickly full. Needs the right to mount. */
export function mountMirrors(data: string): boolean {
  mkdirSync(mirrorsOf(data), { recursive: true, mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=700', 'none', mirrorsOf(data)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export function unmountMirrors(data: string): void {
  execFileSync('umount', ['-l', mirrorsOf(data)], { stdio: 'ignore' });
}

const isMounted = ({ data }: FaultWorld): boolean =>
  readFileSync('/proc/mounts', 'utf8').includes(` ${mirrorsOf(data)} tmpfs `);

function killGit({ data }: FaultWorld): void {
  for (const pid of processesOn(data)) {
    try {
      const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (/(^|\/)git(-[a-z-]+)?$/.test(program)) process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}

export const FAULTS = {
  worker: {
    words: 'killed the worker',
    isPossible: always,
    happen: ({ killWorker, random }) => killWorker(random(2) === 0 ? 'SIGTERM' : 'SIGKILL'),
  },
  server: { words: 'killed the server', isPossible: always, happen: ({ killServer }) => killServer() },
  database: {
    words: 'killed the database',
    isPossible: always,
    happen: async ({ data }) => killDatabase(data),
  },
  git: {
    words: 'killed git',
    isPossible: always,
    async happen(world) {
      // Git comes and goes: some of these moments have one.
      for (let times = 0; times < 8; times += 1) {
        killGit(world);
        await sleep(world.random(40));
      }
    },
  },
  mirror: {
    words: 'removed the mirrors',
    isPossible: always,
    async happen({ data }) {
      for (const entity of readdirSync(mirrorsOf(data))) {
        try {
          rmSync(join(mirrorsOf(data), entity), { recursive: true, force: true, maxRetries: 3 });
        } catch {
          // Git writes into it at the same time; what is left is a broken mirror, which is a fault as well.
        }
      }
    },
  },
  disk: {
    words: 'filled the disk of the mirrors',
    isPossible: isMounted,
    async happen({ data }) {
      const filler = join(mirrorsOf(data), 'filler');
      try {
        writeFileSync(filler, Buffer.alloc(64 * 1024 * 1024));
      } catch {
        // Full, as wanted.
      }
      await sleep(1_500);
      rmSync(filler, { force: true });
    },
  },
  clock: {
    words: 'set the clock back',
    isPossible: always,
    async happen({ clockFile, random }) {
      writeFileSync(clockFile, String(-HOUR_MILLISECONDS * (1 + random(48))));
      await sleep(500);
    },
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];
