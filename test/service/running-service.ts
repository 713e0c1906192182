// Starts `strata` as real processes, the way a user does, and looks at what they leave behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STRATA = join(process.cwd(), 'bin', 'strata.mjs');

export interface Finished {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

/** Only what a user's shell has; above all none of the test runner's own variables. */
const ENVIRONMENT = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

export function spawnStrata(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [STRATA, ...args], {
    env: { ...ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    text.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.err += chunk;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...text }));
  });
  return { child: child as ChildProcess, text, finished };
}

export const runStrata = (args: readonly string[], environment: Record<string, string> = {}): Promise<Finished> =>
  spawnStrata(args, environment).finished;

export interface RunningService {
  readonly child: ChildProcess;
  readonly text: { readonly out: string; readonly err: string };
  readonly credentials: { readonly base_url: string; readonly token: string; readonly entity: string };
  /** Milliseconds from the start of the process to its ready line. */
  readonly readyAfterMs: number;
  readonly finished: Promise<Finished>;
  get(path: string, token?: string): Promise<Response>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Finished>;
}

export async function startService(
  data: string,
  args: readonly string[] = ['--port', '0'],
  environment: Record<string, string> = {},
): Promise<RunningService> {
  const startedAtMs = performance.now();
  const { child, text, finished } = spawnStrata(['serve', '--data', data, ...args], environment);
  let ended: Finished | undefined;
  finished.then((result) => {
    ended = result;
  });
  while (!text.out.includes('is ready')) {
    if (ended) throw new Error(`strata serve ended with ${ended.code}:\n${ended.err}`);
    if (performance.now() - startedAtMs > 120_000) throw new Error(`strata serve is not ready:\n${text.err}`);
    await sleep(20);
  }
  const readyAfterMs = Math.round(performance.now() - startedAtMs);
  const credentials = JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8'));
  // The file follows the last process that wrote it; this process names its own address.
  const address = /API +(\S+)\/api\/v1/.exec(text.out)![1]!;
  return {
    child,
    text,
    credentials: { ...credentials, base_url: address },
    readyAfterMs,
    finished,
    get: (path, token = credentials.token) =>
      fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } }),
    end: (signal) => {
      child.kill(signal);
      return finished;
    },
  };
}

/** A fresh data folder that the database's user can reach, and its removal. */
export function makeDataFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'strata-service-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Ids of all living processes that work in the folder or have its name on their command line. */
export function processesOn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isInside = readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
        return isInside || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false; // it has just ended
      }
    });
}

/** Ids of the worker processes of the services on a data folder. */
export const workersOn = (folder: string): number[] =>
  processesOn(folder).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('worker');
    } catch {
      return false; // it has just ended
    }
  });

export function killDatabase(data: string): void {
  try {
    process.kill(
      Number(readFileSync(join(data, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]),
      'SIGKILL',
    );
  } catch {
    // It was not running at that moment, which is a moment too.
  }
}
