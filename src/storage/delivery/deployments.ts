// Deployments of commits that were released before. One of the same minute is the same deployment.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { NewRow } from '../database/schema.ts';

/** Returns the deployment's id, and whether it is new. */
export async function ensureDeployment(
  db: Database,
  deployment: Omit<NewRow<'deployments'>, 'deployed_at'> & { readonly deployed_at: Date },
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const { rows } = await sql<{ id: number }>`
    select id from deployments
    where entity_id = ${deployment.entity_id} and release_id = ${deployment.release_id}
      and date_trunc('minute', deployed_at, 'UTC') = date_trunc('minute', ${deployment.deployed_at}::timestamptz, 'UTC')
    order by id limit 1`.execute(db);
  if (rows[0] !== undefined) return { id: rows[0].id, isNew: false };
  const { id } = await db.insertInto('deployments').values(deployment).returning('id').executeTakeFirstOrThrow();
  return { id, isNew: true };
}
