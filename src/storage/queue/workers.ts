// Whether somebody works on the queue.
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
