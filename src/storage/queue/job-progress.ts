// How far a background job is, for whoever waits for it. Rows outlive their job, so that the last
// word can be read; housekeeping removes old ones.
import type { Kysely } from 'kysely';
import type { JsonValue, Row, Schema } from '../database/schema.ts';

export interface Progress {
  stage: string;
  done?: number;
  total?: number | null;
  detail?: JsonValue;
}

export async function reportProgress(db: Kysely<Schema>, jobKey: string, progress: Progress): Promise<void> {
  const now = new Date();
  await db
    .insertInto('job_progress')
    .values({
      job_key: jobKey,
      stage: progress.stage,
      done: progress.done ?? 0,
      total: progress.total ?? null,
      detail: JSON.stringify(progress.detail ?? {}),
      started_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('job_key').doUpdateSet((row) => ({
        stage: row.ref('excluded.stage'),
        done: row.ref('excluded.done'),
        total: row.ref('excluded.total'),
        detail: row.ref('excluded.detail'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute();
}

export function readProgress(db: Kysely<Schema>, jobKey: string): Promise<Row<'job_progress'> | undefined> {
  return db.selectFrom('job_progress').selectAll().where('job_key', '=', jobKey).executeTakeFirst();
}

/** Returns how many rows it removed. */
export async function removeProgressBefore(db: Kysely<Schema>, before: Date): Promise<number> {
  const result = await db.deleteFrom('job_progress').where('updated_at', '<', before.toISOString()).executeTakeFirst();
  return Number(result.numDeletedRows);
}
