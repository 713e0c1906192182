// Puts work into the queue. Called with a transaction, the job exists exactly when the data change it
// belongs to is committed.
import { type Kysely, sql } from 'kysely';
import type { TaskName, TaskPayloads } from '../../domain/tasks.ts';
import type { Schema } from '../database/schema.ts';
import { QUEUE_SCHEMA } from './schema.ts';

export interface EnqueueOptions {
  /** Jobs of one name run one after another, in every worker: one name per repo, for instance. */
  queueName?: string;
  /** A waiting job with this key is replaced instead of doubled. */
  jobKey?: string;
  /** What happens to a waiting job's time when it is replaced; `preserve_run_at` keeps the earlier one. */
  jobKeyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe';
  runAt?: Date;
  /** Including the first; the wait between them grows from seconds to hours. */
  maxAttempts?: number;
  /** Lower runs first. */
  priority?: number;
}

const queue = sql.id(QUEUE_SCHEMA);

/** Returns the job's id. */
export async function enqueue<T extends TaskName>(
  db: Kysely<Schema>,
  task: T,
  payload: TaskPayloads[T],
  options: EnqueueOptions = {},
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from ${queue}.add_job(
      identifier => ${task}::text,
      payload => ${JSON.stringify(payload)}::json,
      queue_name => ${options.queueName ?? null}::text,
      run_at => ${options.runAt?.toISOString() ?? null}::timestamptz,
      max_attempts => ${options.maxAttempts ?? null}::int,
      job_key => ${options.jobKey ?? null}::text,
      priority => ${options.priority ?? null}::int,
      job_key_mode => ${options.jobKeyMode ?? 'replace'}::text
    )`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`the queue returned no job for ${task}`);
  return id;
}

/** Whether the job still waits or runs. */
export async function isInQueue(db: Kysely<Schema>, jobId: number): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from ${queue}._private_jobs where id = ${jobId}::bigint)`.execute(db);
  return rows[0]!.exists;
}

/**
 * Of an entity: whether a job of these tasks runs or waits. `due` are those that wait for nothing but a worker; one that failed
 * waits for its next try.
 */
export async function hasJobs(
  db: Kysely<Schema>,
  entityId: number,
  tasks: readonly TaskName[],
  which: 'due' | 'all',
): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from ${queue}._private_jobs j join ${queue}._private_tasks t on t.id = j.task_id
      where t.identifier = any(${tasks}::text[]) and (j.payload ->> 'entity_id')::bigint = ${entityId}
        and (j.locked_at is not null
          or (j.attempts < j.max_attempts and (${which === 'all'}::boolean or j.run_at <= now()))))`.execute(db);
  return rows[0]!.exists;
}

/** By their keys: jobs that wait for their time or a worker, or run. Those out of attempts do neither. */
export async function readJobsByKey(
  db: Kysely<Schema>,
  keys: readonly string[],
): Promise<Map<string, { readonly run_at: string; readonly is_running: boolean }>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ key: string; run_at: string; is_running: boolean }>`
    select key, run_at, locked_at is not null as is_running from ${queue}.jobs
    where key = any(${keys}::text[]) and (locked_at is not null or attempts < max_attempts)`.execute(db);
  return new Map(rows.map(({ key, ...job }) => [key, job]));
}

export interface JobCounts {
  waiting: number;
  running: number;
  /** Out of attempts; they stay until somebody looks. */
  failed: number;
  oldest_waiting_seconds: number;
}

/** One row per task that has jobs. */
export async function countJobs(db: Kysely<Schema>): Promise<({ task: string } & JobCounts)[]> {
  const { rows } = await sql<{ task: string } & JobCounts>`
    select task_identifier as task,
           count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
           count(*) filter (where locked_at is not null) as running,
           count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
           coalesce(extract(epoch from now() - min(run_at) filter (
             where locked_at is null and attempts < max_attempts and run_at <= now()))::float8, 0)
             as oldest_waiting_seconds
      from ${queue}.jobs
     group by task_identifier
     order by task_identifier`.execute(db);
  return rows;
}

export interface FailedJob {
  readonly id: number;
  readonly task: string;
  readonly attempts: number;
  readonly last_error: string;
  readonly updated_at: string;
}

/** Jobs out of attempts, the latest first. */
export async function listFailedJobs(db: Kysely<Schema>, limit: number): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id, task_identifier as task, attempts::int as attempts, coalesce(last_error, '') as last_error, updated_at
      from ${queue}.jobs
     where locked_at is null and attempts >= max_attempts
     order by updated_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
