import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../src/storage/database/handle.ts';
import { countJobs, enqueue } from '../../../src/storage/queue/queue.ts';
import { type QueueWorkerOptions, startQueueWorker, type TaskHandler } from '../../../src/storage/queue/worker.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
beforeEach(async () => {
  database = await createTestDatabase();
  store = database.store;
});
const cleanUps: (() => Promise<unknown> | boolean)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await database.drop();
});

type Handler = TaskHandler<'refresh_repos'>;

async function startWorker(handler: Handler, options: Partial<QueueWorkerOptions> = {}) {
  const worker = await startQueueWorker({
    store,
    tasks: { refresh_repos: handler },
    beatMilliseconds: 200,
    silenceMilliseconds: 1_000,
    pollMilliseconds: 100,
    ...options,
  });
  cleanUps.push(() => worker.stop());
  return worker;
}

async function startChild(): Promise<{ child: ChildProcess; says: (text: string) => Promise<void> }> {
  const script = fileURLToPath(new URL('../../support/queue-child.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, database.databaseUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUps.push(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const says = (text: string): Promise<void> => until(() => output.includes(text), `the child to say ${text}`);
  await says('ready');
  return { child, says };
}

async function until(condition: () => boolean | Promise<boolean>, what: string, milliseconds = 15_000): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${milliseconds} ms in vain for ${what}`);
    await sleep(10);
  }
}

const readJobs = async (): Promise<
  { key: string; attempts: number; locked_by: string | null; last_error: string | null }[]
> =>
  (await store.pool.query('select key, attempts, locked_by, last_error from strata_queue._private_jobs order by id'))
    .rows;

test('a job runs once, with its payload, and leaves the queue', async () => {
  const seen: unknown[] = [];
  await startWorker(async (payload, { jobKey, attempt }) => void seen.push({ payload, jobKey, attempt }));
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'a' });
  await until(async () => (await readJobs()).length === 0, 'the job to end');
  expect(seen).toEqual([{ payload: {}, jobKey: 'a', attempt: 1 }]);
});

test('a job enqueued in a transaction that rolls back does not exist', async () => {
  await expect(
    store.db.transaction().execute(async (transaction) => {
      await enqueue(transaction, 'refresh_repos', {}, { jobKey: 'undone' });
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect(await readJobs()).toEqual([]);
  await store.db.transaction().execute((transaction) => enqueue(transaction, 'refresh_repos', {}, { jobKey: 'kept' }));
  expect((await readJobs()).map(({ key }) => key)).toEqual(['kept']);
});

test('a job with the key of a waiting one replaces it, and can be taken out', async () => {
  const later = new Date(Date.now() + 3_600_000);
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'same', runAt: later });
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'same', runAt: later });
  expect(await countJobs(store.db)).toEqual([
    { task: 'refresh_repos', waiting: 1, running: 0, failed: 0, oldest_waiting_seconds: 0 },
  ]);
});

test('a job that waits behind another in its queue begins when that has ended, not when the queue is looked at next', async () => {
  const seen: string[] = [];
  const handler: Handler = async (_payload, { jobKey, attempt }) => {
    seen.push(jobKey);
    if (jobKey === 'first') await enqueue(store.db, 'refresh_repos', {}, { queueName: 'one', jobKey: 'second' });
    if (jobKey === 'second' && attempt === 1) {
      await enqueue(store.db, 'refresh_repos', {}, { queueName: 'one', jobKey: 'third' });
      throw new Error('this one fails, and is repeated later');
    }
  };
  await startWorker(handler, { pollMilliseconds: 600_000 });
  await enqueue(store.db, 'refresh_repos', {}, { queueName: 'one', jobKey: 'first' });
  await until(() => seen.length === 3, 'the jobs behind the first');
  expect(seen).toEqual(['first', 'second', 'third']);
});

test('jobs of one queue name never run at the same time, those of different names do', async () => {
  const running = new Map<string, number>();
  let mostInOneQueue = 0;
  let mostAtAll = 0;
  let done = 0;
  const handler: Handler = async (_payload, { jobKey }) => {
    const queue = jobKey.split('/')[0] ?? '';
    running.set(queue, (running.get(queue) ?? 0) + 1);
    mostInOneQueue = Math.max(mostInOneQueue, ...running.values());
    mostAtAll = Math.max(
      mostAtAll,
      [...running.values()].reduce((sum, count) => sum + count, 0),
    );
    await sleep(40);
    running.set(queue, (running.get(queue) ?? 0) - 1);
    done++;
  };
  await startWorker(handler, { concurrency: 4 });
  await startWorker(handler, { concurrency: 4 });
  for (let index = 0; index < 12; index++) {
    const queueName = `repo-${index % 2}`;
    await enqueue(store.db, 'refresh_repos', {}, { jobKey: `${queueName}/${index}`, queueName });
  }
  await until(() => done === 12, 'all jobs');
  expect(mostInOneQueue).toBe(1);
  expect(mostAtAll).toBe(2);
});

test('a failed job is tried again later, and gives up after its last attempt', async () => {
  const attempts: number[] = [];
  await startWorker(async (_payload, { attempt }) => {
    attempts.push(attempt);
    throw new Error('not today');
  });
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'failing', maxAttempts: 2 });
  await until(async () => (await readJobs())[0]?.last_error === 'not today', 'the first failure');
  const { rows } = await store.pool.query(
    'select extract(epoch from run_at - now())::float8 as wait from strata_queue._private_jobs',
  );
  expect(rows[0].wait).toBeGreaterThan(0.5);
  await until(() => attempts.length === 2, 'the second attempt');
  await until(async () => (await countJobs(store.db))[0]?.failed === 1, 'the job to be given up');
  expect(attempts).toEqual([1, 2]);
});

test('the job of a killed worker goes on in another one, as if it had never been begun', async () => {
  const { child, says } = await startChild();
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'orphan', queueName: 'repo-1' });
  await says('started orphan');
  child.kill('SIGKILL');
  const killedAt = Date.now();
  const attempts: number[] = [];
  await startWorker(async (_payload, { attempt }) => void attempts.push(attempt));
  await until(() => attempts.length > 0, 'the job to be taken over');
  expect(attempts).toEqual([1]);
  expect(Date.now() - killedAt).toBeLessThan(6_000);
  await until(async () => (await readJobs()).length === 0, 'the job to end');
});

test('a job that failed often waits ten minutes at most', async () => {
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'unlucky', maxAttempts: 25 });
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'planned', runAt: new Date(Date.now() + 7_200_000) });
  await store.pool.query(
    `update strata_queue._private_jobs set attempts = 9, last_error = 'x', run_at = now() + interval '2 hours'
      where key = 'unlucky'`,
  );
  await startWorker(async () => undefined);
  const waits = async () =>
    (
      await store.pool.query(
        `select key, round(extract(epoch from run_at - now()) / 60)::int as minutes from strata_queue._private_jobs
          order by key`,
      )
    ).rows;
  await until(async () => (await waits())[1]?.minutes < 60, 'the wait to be shortened');
  expect(await waits()).toEqual([
    { key: 'planned', minutes: 120 },
    { key: 'unlucky', minutes: 10 },
  ]);
});

test('the job of a living worker is left alone, however long it takes', async () => {
  const { says } = await startChild();
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'slow' });
  await says('started slow');
  let stolen = 0;
  await startWorker(async () => void stolen++);
  await sleep(2_500);
  expect(stolen).toBe(0);
});

test('a worker that stops hands its job back without using up an attempt, even when the job does not listen', async () => {
  const { child, says } = await startChild();
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'stubborn', queueName: 'repo-1' });
  await says('started stubborn');
  expect((await readJobs())[0]?.attempts).toBe(1);
  child.kill('SIGTERM');
  await says('stopped');
  expect(await readJobs()).toEqual([{ key: 'stubborn', attempts: 0, locked_by: null, last_error: null }]);
  const attempts: number[] = [];
  const startedAt = Date.now();
  await startWorker(async (_payload, { attempt }) => void attempts.push(attempt));
  await until(() => attempts.length > 0, 'the job to be taken up');
  expect(attempts).toEqual([1]);
  expect(Date.now() - startedAt).toBeLessThan(900);
});

test('a job learns of the shutdown by its signal', async () => {
  let sawSignal = false;
  let started = false;
  const worker = await startWorker(async (_payload, { signal }) => {
    started = true;
    await new Promise<void>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        sawSignal = true;
        reject(signal.reason);
      });
    });
  });
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'listening' });
  await until(() => started, 'the job to start');
  const stopStartedAt = Date.now();
  await worker.stop();
  expect(sawSignal).toBe(true);
  expect(Date.now() - stopStartedAt).toBeLessThan(2_000);
  expect((await readJobs())[0]).toMatchObject({ attempts: 0, locked_by: null });
});

test('a job that a look under way takes up again when it is handed back has not failed', async () => {
  let started = false;
  const worker = await startWorker(async (_payload, { signal }) => {
    started = true;
    await new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'again' });
  await until(() => started, 'the job to start');
  // As if another look of the same worker came between: it has the job locked before the end of the first time is noted.
  await store.pool.query(`
    create function take_again() returns trigger language plpgsql as $$ begin
      if old.locked_by is not null and new.locked_by is null and new.attempts < old.attempts then
        new.locked_by = old.locked_by; new.locked_at = old.locked_at; new.attempts = old.attempts;
      end if;
      return new;
    end $$;
    create trigger take_again before update on strata_queue._private_jobs for each row execute function take_again()`);
  try {
    await worker.stop();
    expect(await readJobs()).toEqual([{ key: 'again', attempts: 0, locked_by: null, last_error: null }]);
  } finally {
    await store.pool.query('drop trigger take_again on strata_queue._private_jobs; drop function take_again');
  }
});

test('a job that a worker finds while it stops is handed back without being begun', async () => {
  let started = false;
  const worker = await startWorker(
    async (_payload, { signal }) => {
      started = true;
      await new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    { concurrency: 1, pollMilliseconds: 20 },
  );
  let stopping: Promise<void> = Promise.resolve();
  const stopStartedAt = Date.now();
  await store.db.transaction().execute(async (trx) => {
    // The look for a job that is under way waits here, and finds the job after the worker was told to stop.
    await sql`lock table strata_queue._private_jobs in access exclusive mode`.execute(trx);
    await enqueue(trx, 'refresh_repos', {}, { jobKey: 'late' });
    await sleep(200);
    stopping = worker.stop();
    await sleep(50);
  });
  await stopping;
  expect(started).toBe(false);
  expect(Date.now() - stopStartedAt).toBeLessThan(3_000);
  expect((await readJobs())[0]).toMatchObject({ key: 'late', attempts: 0, locked_by: null });
});

test('a cron entry is known to the queue', async () => {
  await startWorker(async () => undefined, {
    cron: [{ task: 'refresh_repos', pattern: '17 3 * * *', payload: {}, identifier: 'nightly' }],
  });
  await until(async () => {
    const { rowCount } = await store.pool.query(
      `select from strata_queue._private_known_crontabs where identifier = 'nightly'`,
    );
    return rowCount === 1;
  }, 'the entry');
});

test('a worker survives a cut of all its connections', async () => {
  const seen: string[] = [];
  await startWorker(async (_payload, { jobKey }) => void seen.push(jobKey));
  await store.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'strata queue'`);
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'after' });
  await until(() => seen.includes('after'), 'the job');
});

test('a worker whose queue could not be read at its start recovers', async () => {
  const rename = (from: string, to: string) => store.pool.query(`alter table strata_queue.${from} rename to ${to}`);
  await enqueue(store.db, 'refresh_repos', {}, { jobKey: 'patient' });
  await rename('_private_tasks', 'hidden');
  const seen: string[] = [];
  await startWorker(async (_payload, { jobKey }) => void seen.push(jobKey));
  await sleep(300);
  await rename('hidden', '_private_tasks');
  await until(() => seen.includes('patient'), 'the job');
});
