// Jobs that wait behind a running one of the same named queue. Nobody else can begin them, so that the running one may do their
// work along with its own.
import { type Kysely, sql } from 'kysely';
import type { TaskName, TaskPayloads } from '../../domain/tasks.ts';
import type { Schema } from '../database/schema.ts';
import { QUEUE_SCHEMA } from './schema.ts';

export interface WaitingJob<T extends TaskName> {
  readonly id: number;
  /** Grows when the job is asked for again. */
  readonly revision: number;
  readonly payload: TaskPayloads[T];
}

const queue = sql.id(QUEUE_SCHEMA);

/** The oldest that are due and have not failed: one that has is tried alone, so that it spoils nothing else. */
export async function listWaitingJobs<T extends TaskName>(
  db: Kysely<Schema>,
  { task, queueName, most }: { readonly task: T; readonly queueName: string; readonly most: number },
): Promise<readonly WaitingJob<T>[]> {
  const { rows } = await sql<WaitingJob<T>>`
    select j.id, j.revision, j.payload
    from ${queue}._private_jobs j
    join ${queue}._private_tasks t on t.id = j.task_id
    join ${queue}._private_job_queues q on q.id = j.job_queue_id
    where t.identifier = ${task} and q.queue_name = ${queueName} and j.locked_at is null and j.attempts = 0
      and j.run_at <= now()
    order by j.id limit ${most}`.execute(db);
  return rows;
}

/**
 * Within the transaction that has done their work. One that was asked for again meanwhile stays, and so does one that somebody
 * holds: they are about to ask for it again.
 */
export async function endWaitingJobs(db: Kysely<Schema>, jobs: readonly WaitingJob<TaskName>[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    delete from ${queue}._private_jobs where id in (
      select j.id from ${queue}._private_jobs j
      join unnest(${jobs.map(({ id }) => id)}::bigint[], ${jobs.map(({ revision }) => revision)}::int[]) as d(id, revision)
        on j.id = d.id and j.revision = d.revision and j.locked_at is null
      for update of j skip locked)`.execute(db);
}
