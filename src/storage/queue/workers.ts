// Who works on the queue.
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import { isProcessAlive } from '../embedded/process-identity.ts';

const SILENT_SECONDS = 20;

/** A worker of this machine that was killed is known at once; one of another machine by its silence. */
export async function hasLivingWorker(db: Database): Promise<boolean> {
  const { rows } = await sql<{ host: string; pid: number }>`
    select host, pid from workers
     where beat_at > now() - make_interval(secs => ${SILENT_SECONDS})`.execute(db);
  return rows.some(({ host, pid }) => host !== hostname() || isProcessAlive(pid));
}

export interface ListedWorker {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly concurrency: number;
  readonly started_at: string;
  readonly beat_at: string;
}

/** Those that gave a sign of life lately. */
export async function listWorkers(db: Database): Promise<ListedWorker[]> {
  const { rows } = await sql<ListedWorker>`
    select id, host, pid, concurrency, started_at, beat_at from workers
     where beat_at > now() - make_interval(secs => ${SILENT_SECONDS})
     order by started_at, id`.execute(db);
  return rows;
}
