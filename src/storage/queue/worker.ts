// Runs queued jobs in this process: retries with growing waits, cron, heartbeats, and a shutdown that
// hands running jobs back to the queue.
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerPool } from 'graphile-worker';
import type { TaskName, TaskPayloads } from '../../domain/tasks.ts';
import { type Log, silentLog } from '../../kit/log.ts';
import type { Store } from '../database/handle.ts';
import { RetryingPool } from '../database/retrying-pool.ts';
import { QUEUE_SCHEMA } from './schema.ts';
import {
  beat,
  forgiveHandedBack,
  freeJobsOfSilentWorkers,
  handJobBack,
  isLocked,
  removeWorker,
  shortenWaits,
} from './worker-heartbeat.ts';

export interface JobContext {
  jobId: string;
  jobKey: string;
  /** From 1. */
  attempt: number;
  maxAttempts: number;
  /** Aborted when the worker stops or lost the job: save what is done and throw. */
  signal: AbortSignal;
  log: Log;
}

export type TaskHandler<T extends TaskName> = (payload: TaskPayloads[T], context: JobContext) => Promise<void>;
export type TaskHandlers = { [T in TaskName]: TaskHandler<T> };

export interface CronEntry<T extends TaskName = TaskName> {
  task: T;
  /** Five fields, in UTC. */
  pattern: string;
  payload: TaskPayloads[T];
  /** Distinguishes two entries of one task. */
  identifier?: string;
}

export interface QueueWorkerOptions {
  store: Store;
  /** A task without a handler here is left to other workers. */
  tasks: Partial<TaskHandlers>;
  concurrency?: number;
  cron?: CronEntry[];
  log?: Log;
  beatMilliseconds?: number;
  /** How long a worker may be silent before others take its jobs. */
  silenceMilliseconds?: number;
  /** How long a job may take to end after its signal, before it is handed back regardless. */
  handBackMilliseconds?: number;
  pollMilliseconds?: number;
}

export interface QueueWorker {
  readonly id: string;
  /** Jobs running in this process now. */
  readonly runningCount: number;
  /** Jobs that had not ended when the worker stopped: they are queued again, their handlers may hang. */
  readonly leftJobs: readonly string[];
  stop(): Promise<void>;
}

const STUCK_AFTER_FAILURES = 10;
/** How soon and how often it is looked whether the end of a job is stored. */
const END_LOOK = { everyMs: 10, times: 100 } as const;
/** Between two attempts at a job that fails. */
const LONGEST_WAIT_SECONDS = 600;

interface RunningRunner {
  runner: Runner;
  workerId: string;
  /** Failures to get a job since the last success. */
  countFailures(): number;
}

/** Why a job ended that is queued again. */
const HANDED_BACK = {
  stopping: 'the worker is stopping',
  failed: 'handed back at shutdown',
  late: 'the job did not end in time',
} as const;

class HandedBack extends Error {
  override name = 'HandedBack';
}

interface RunningJob {
  id: string;
  /** Task and key, for messages. */
  name: string;
  workerId: string;
  controller: AbortController;
  /** Settles the job without its handler. */
  giveUp(reason: HandedBack): void;
}

function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const error = meta?.error;
    // The queue knows only failures; at a shutdown this is none.
    if (error instanceof HandedBack)
      log.info({ reason: error.message }, message.replace(/^Failed task (\d+ \(\w+).*/s, 'handed back job $1)'));
    else if (level === 'error' || level === 'warning')
      log[level === 'error' ? 'error' : 'warn']({ err: error }, message);
    else log.debug({}, message);
  });
}

export async function startQueueWorker(options: QueueWorkerOptions): Promise<QueueWorker> {
  const { store } = options;
  const log = options.log ?? silentLog;
  const concurrency = options.concurrency ?? 2;
  const silenceSeconds = (options.silenceMilliseconds ?? 30_000) / 1000;
  const running = new Map<string, RunningJob>();
  const handedBack = new Set<string>();
  let stopping = false;
  // Apart from the store's pool, because the queue expects the driver's own column types, and must get
  // through when jobs hold all other connections.
  const pool = new RetryingPool({
    log,
    connectTimeoutMilliseconds: 15_000,
    config: { connectionString: store.databaseUrl, max: 5, application_name: 'strata queue' },
  });

  const runJob = async (task: TaskName, payload: unknown, job: QueueJob, workerId: string): Promise<void> => {
    // Found by a look that was under way when the others were told: nobody would tell this one.
    if (stopping) {
      await handJobBack(pool, workerId, job.id);
      handedBack.add(job.id);
      throw new HandedBack(HANDED_BACK.stopping);
    }
    const controller = new AbortController();
    const { promise: givenUp, reject: giveUp } = promiseWithReject();
    const jobKey = job.key ?? `job-${job.id}`;
    running.set(job.id, { id: job.id, name: `${task} ${jobKey}`, workerId, controller, giveUp });
    const handler = options.tasks[task] as TaskHandler<TaskName>;
    const context: JobContext = {
      jobId: job.id,
      jobKey,
      attempt: job.attempts,
      maxAttempts: job.max_attempts,
      signal: controller.signal,
      log,
    };
    try {
      await Promise.race([handler(payload as TaskPayloads[TaskName], context), givenUp]);
    } catch (error) {
      if (!stopping) throw error;
      // Before the queue notes a failure: that only touches jobs that are still locked by this worker.
      await handJobBack(pool, workerId, job.id);
      handedBack.add(job.id);
      throw error instanceof HandedBack ? error : new HandedBack(HANDED_BACK.failed, { cause: error });
    } finally {
      running.delete(job.id);
    }
  };

  /**
   * The queue looks for the next job before the end of the last one is stored: one that waits behind it would be found no
   * sooner than by the next regular look.
   */
  const goOnBehind = async (jobId: string, look: () => void): Promise<void> => {
    try {
      for (let times = 0; times < END_LOOK.times; times += 1) {
        await sleep(END_LOOK.everyMs, undefined, { ref: false });
        if (stopping) return;
        if (!(await isLocked(pool, jobId))) return look();
      }
    } catch (error) {
      log.debug({ err: error }, 'whether a job has ended was not found out; the regular look will do');
    }
  };

  const startRunner = async (): Promise<RunningRunner> => {
    const events = new EventEmitter();
    let workerId = '';
    let failures = 0;
    events.on('worker:getJob:error', () => failures++);
    for (const success of ['worker:getJob:empty', 'job:start']) {
      events.on(success, () => {
        failures = 0;
      });
    }
    events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool & { id: string } }) => {
      workerId = workerPool.id;
      events.on('job:complete', ({ job }: { job: { id: string; job_queue_id: number | null } }) => {
        if (job.job_queue_id !== null) void goOnBehind(job.id, () => workerPool.nudge(1));
      });
    });
    const taskList: TaskList = {};
    for (const task of Object.keys(options.tasks) as TaskName[]) {
      taskList[task] = (payload, { job }) => runJob(task, payload, job, workerId);
    }
    const runner = await run({
      pgPool: pool,
      schema: QUEUE_SCHEMA,
      concurrency,
      pollInterval: options.pollMilliseconds ?? 2_000,
      noHandleSignals: true,
      logger: queueLogger(log),
      events,
      taskList,
      // With a delay of 0 the end of each job is awaited at shutdown; without one it is not.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      parsedCronItems: parseCronItems(
        (options.cron ?? []).map(({ task, pattern, payload, identifier }) => ({
          task,
          match: pattern,
          payload: { ...payload },
          identifier: identifier ?? task,
        })),
      ),
    });
    await beat(pool, { id: workerId, concurrency }, { first: true });
    return { runner, workerId, countFailures: () => failures };
  };

  let current = await startRunner().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });

  const leftJobs: string[] = [];
  const handBackMilliseconds = options.handBackMilliseconds ?? 10_000;

  /** Ends the current runner: it signals its jobs, and hands them back when they do not end in time. */
  const stopRunner = async (): Promise<void> => {
    const ended = current.runner.stop().catch((error: unknown) => log.warn({ err: error }, 'stopping the job runner'));
    const reason = new HandedBack(HANDED_BACK.stopping);
    for (const job of running.values()) job.controller.abort(reason);
    const timeout = setTimeout(() => {
      const left = [...running.values()];
      if (left.length === 0) return;
      leftJobs.push(...left.map(({ name }) => name));
      log.warn(
        { jobs: left.map(({ name }) => name) },
        `jobs did not end within ${handBackMilliseconds / 1000} s; they are left and queued again for the next worker`,
      );
      for (const job of left) job.giveUp(new HandedBack(HANDED_BACK.late));
    }, handBackMilliseconds);
    await ended;
    clearTimeout(timeout);
    await forgiveHandedBack(pool, [...handedBack], Object.values(HANDED_BACK)).catch((error: unknown) =>
      log.warn({ err: error }, 'jobs that were handed back may wait for their next attempt'),
    );
  };

  // The queue stops its runner when the database stays away too long; the worker comes back by itself.
  const keepRunning = async (): Promise<void> => {
    while (!stopping) {
      await current.runner.promise.catch((error: unknown) => log.error({ err: error }, 'the job runner has stopped'));
      while (!stopping) {
        await sleep(1_000, undefined, { ref: false });
        try {
          if (stopping) break;
          const before = current.workerId;
          current = await startRunner();
          await removeWorker(pool, before);
          // Asked to stop while the new runner was starting: stop() has only seen the old one.
          if (stopping) await stopRunner();
          break;
        } catch (error) {
          log.error({ err: error }, 'the job runner could not be started again; trying further');
        }
      }
    }
  };
  const kept = keepRunning();

  let beating: Promise<void> | undefined;
  const beatAndFreeJobs = async (): Promise<void> => {
    try {
      const { wasGivenUp } = await beat(pool, { id: current.workerId, concurrency }, { first: false });
      if (wasGivenUp) {
        log.warn({ worker: current.workerId }, 'this worker was silent for too long and others took its jobs');
        for (const job of running.values()) job.controller.abort(new HandedBack('the job was given to another worker'));
      }
      // The queue keeps a failed look-up of its task ids for good, and then finds no job any more. The
      // beat came through, so the database is there, and a new runner gets further.
      if (current.countFailures() >= STUCK_AFTER_FAILURES && !stopping) {
        log.warn({ worker: current.workerId }, 'the job runner gets no jobs; starting it anew');
        // Not awaited: it waits for running jobs, and these need the next beats.
        current.runner.stop().catch(() => undefined);
      }
      await shortenWaits(pool, LONGEST_WAIT_SECONDS);
      const silent = await freeJobsOfSilentWorkers(pool, silenceSeconds);
      if (silent.length > 0) log.warn({ workers: silent }, 'freed the jobs of workers that stopped beating');
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat failed');
    }
  };
  const timer = setInterval(() => {
    beating ??= beatAndFreeJobs().finally(() => {
      beating = undefined;
    });
  }, options.beatMilliseconds ?? 5_000);
  timer.unref();

  const stop = async (): Promise<void> => {
    stopping = true;
    clearInterval(timer);
    await stopRunner();
    await kept;
    await beating;
    await removeWorker(pool, current.workerId).catch((error: unknown) =>
      log.warn({ err: error }, 'removing the worker'),
    );
    await pool.end();
  };

  let stopped: Promise<void> | undefined;
  return {
    get id() {
      return current.workerId;
    },
    get runningCount() {
      return running.size;
    },
    leftJobs,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

interface QueueJob {
  id: string;
  key: string | null;
  attempts: number;
  max_attempts: number;
}

function promiseWithReject(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}
