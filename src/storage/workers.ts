// Whether somebody works on the queue.
import { sql } from 'kysely';
import type { Database } from './handle.ts';

const SILENT_SECONDS = 20;

export async function hasLivingWorker(db: Database): Promise<boolean> {
  const { rows } = await sql<{ lives: boolean }>`
    select exists (select from workers
                   where beat_at > now() - make_interval(secs => ${SILENT_SECONDS})) as lives`.execute(db);
  return rows[0]?.lives ?? false;
}
