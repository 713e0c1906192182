// The jobs of `strata serve` in a process of their own. An import keeps every processor busy for minutes, and in the
// process of the API it would hold up requests; here it also runs at a lower priority than they do.
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../kit/log.ts';
import type { ChildMessage, ParentMessage } from '../kit/parent-channel.ts';

export interface WorkerProcessOptions {
  /** What `strata worker` is started with. */
  readonly script: string;
  readonly args: readonly string[];
  readonly log: Log;
  /** Waits before a worker that ended by itself is started again: the first, and the longest. */
  readonly restartMilliseconds?: { readonly first: number; readonly longest: number };
}

export interface WorkerProcess {
  /** Jobs that had not ended when the worker stopped. */
  readonly leftJobs: readonly string[];
  listensAt(address: string): void;
  stop(): Promise<void>;
}

const RESTART_MILLISECONDS = { first: 1_000, longest: 60_000 };
/** A worker that ran for so long did not fail at its start: the waits begin anew. */
const STABLE_MILLISECONDS = 60_000;

interface RunningChild {
  readonly child: ChildProcess;
  readonly startedAt: number;
  /** True when it works, false when it ended before. */
  readonly ready: Promise<boolean>;
  /** Its exit code or signal. */
  readonly ended: Promise<number | string>;
}

/** Resolves when the worker works. One that ends by itself later is started again. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const { log } = options;
  const restart = options.restartMilliseconds ?? RESTART_MILLISECONDS;
  const leftJobs: string[] = [];
  let address: string | null = null;
  const stopping = new AbortController();

  const start = (): RunningChild => {
    const child = fork(options.script, ['worker', ...options.args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    // A child that cannot be started has no exit; one that is gone takes no message.
    child.on('error', (error) => log.warn({ err: error }, 'the worker process'));
    const ended = new Promise<number | string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? code ?? 1));
      child.once('error', () => child.pid === undefined && resolve('not started'));
    });
    const ready = new Promise<boolean>((resolve) => {
      ended.then(() => resolve(false));
      child.on('message', (message: ChildMessage) => {
        if (message.kind === 'ready') {
          if (address !== null) say(child, { kind: 'listens at', address });
          resolve(true);
        } else leftJobs.push(...message.leftJobs);
      });
    });
    return { child, startedAt: performance.now(), ready, ended };
  };

  let current = start();
  if (!(await current.ready)) throw new Error(`the worker process did not start: it ended with ${await current.ended}`);

  const keepRunning = async (): Promise<void> => {
    for (let wait = restart.first; ; wait = Math.min(wait * 2, restart.longest)) {
      const how = await current.ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - current.startedAt > STABLE_MILLISECONDS) wait = restart.first;
      log.error({ ended: how, wait_seconds: wait / 1000 }, 'the worker process has ended; it is started again');
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      current = start();
    }
  };
  const kept = keepRunning();

  return {
    leftJobs,
    listensAt(at) {
      address = at;
      say(current.child, { kind: 'listens at', address });
    },
    async stop() {
      stopping.abort();
      say(current.child, { kind: 'stop' });
      await kept;
    },
  };
}

/** A child that has just ended misses what is said to it. */
function say(child: ChildProcess, message: ParentMessage): void {
  if (child.connected) child.send(message, () => undefined);
}
