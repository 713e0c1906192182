// Workers write heartbeats, and free the jobs of those that stopped. Without it the job of
// a killed worker would stay locked for the four hours that the queue itself waits.
import { hostname } from 'node:os';
import type pg from 'pg';
import { QUEUE_SCHEMA } from './schema.ts';

export interface Beat {
  /** True when others took this worker for dead, and its jobs away, since the last beat. */
  wasGivenUp: boolean;
}

/** `first` marks the beat at start, when there is no row yet. */
export async function beat(
  pool: pg.Pool,
  worker: { id: string; concurrency: number },
  options: { first: boolean },
): Promise<Beat> {
  const updated = await pool.query('update workers set beat_at = now() where id = $1', [worker.id]);
  if (updated.rowCount === 1) return { wasGivenUp: false };
  await pool.query(
    'insert into workers (id, host, pid, concurrency) values ($1, $2, $3, $4) on conflict (id) do nothing',
    [worker.id, hostname(), process.pid, worker.concurrency],
  );
  return { wasGivenUp: !options.first };
}

/** Frees the jobs of workers silent for longer than `silenceSeconds`. Returns the ids of those workers. */
export async function freeJobsOfSilentWorkers(pool: pg.Pool, silenceSeconds: number): Promise<string[]> {
  const silent = await pool.query<{ id: string }>(
    `with limits as (select now() - make_interval(secs => $1) as oldest),
          locks as (
            select locked_by, locked_at from ${QUEUE_SCHEMA}._private_jobs where locked_by is not null
            union all
            select locked_by, locked_at from ${QUEUE_SCHEMA}._private_job_queues where locked_by is not null)
     select distinct locked_by as id
       from locks, limits
      where locked_at < oldest
        and not exists (select from workers where workers.id = locked_by and workers.beat_at >= oldest)`,
    [silenceSeconds],
  );
  const ids = silent.rows.map(({ id }) => id);
  if (ids.length > 0) {
    // A lost worker says nothing about its jobs: they are due at once, and the attempt is not one.
    await pool.query(
      `with jobs as (
         update ${QUEUE_SCHEMA}._private_jobs
            set locked_at = null, locked_by = null, attempts = greatest(0, attempts - 1), run_at = least(run_at, now())
          where locked_by = any($1::text[]))
       update ${QUEUE_SCHEMA}._private_job_queues
          set locked_at = null, locked_by = null
        where locked_by = any($1::text[])`,
      [ids],
    );
  }
  await pool.query('delete from workers where beat_at < now() - make_interval(secs => $1)', [silenceSeconds]);
  return ids;
}

/** The queue waits longer after each failure, for hours in the end; nobody expects that of a job that failed twice. */
export async function shortenWaits(pool: pg.Pool, longestSeconds: number): Promise<void> {
  await pool.query(
    `update ${QUEUE_SCHEMA}._private_jobs
        set run_at = now() + make_interval(secs => $1)
      where locked_at is null and attempts > 0 and attempts < max_attempts and last_error is not null
        and run_at > now() + make_interval(secs => $1)`,
    [longestSeconds],
  );
}

export async function removeWorker(pool: pg.Pool, workerId: string): Promise<void> {
  await pool.query('delete from workers where id = $1', [workerId]);
}

/** Gives a running job back as if it had never been taken: unlocked, due now, its attempt not counted. */
export async function handJobBack(pool: pg.Pool, workerId: string, jobId: string): Promise<void> {
  await pool.query(
    `with job as (
       update ${QUEUE_SCHEMA}._private_jobs
          set locked_at = null, locked_by = null, attempts = greatest(0, attempts - 1)
        where id = $2::bigint and locked_by = $1
        returning job_queue_id)
     update ${QUEUE_SCHEMA}._private_job_queues as queues
        set locked_at = null, locked_by = null
       from job
      where queues.id = job.job_queue_id and queues.locked_by = $1`,
    [workerId, jobId],
  );
}

/**
 * For jobs that were handed back and that a look under way took up again: under the same name, so that the queue has noted the
 * end of the first time as a failure of the second. Which it is the last error tells.
 */
export async function forgiveHandedBack(
  pool: pg.Pool,
  jobIds: readonly string[],
  errors: readonly string[],
): Promise<void> {
  if (jobIds.length === 0) return;
  await pool.query(
    `update ${QUEUE_SCHEMA}._private_jobs
        set attempts = greatest(0, attempts - 1), run_at = least(run_at, now()), last_error = null
      where id = any($1::bigint[]) and locked_at is null and attempts > 0 and last_error = any($2::text[])`,
    [jobIds, errors],
  );
}

/** Whether a job is marked as running: until its end is stored. */
export async function isLocked(pool: pg.Pool, jobId: string): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select exists (select from ${QUEUE_SCHEMA}._private_jobs where id = $1::bigint and locked_at is not null)`,
    [jobId],
  );
  return rows[0]!.exists;
}
