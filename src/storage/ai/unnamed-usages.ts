// Reports of use that were stored before their models were: the names that they bear, and the models of those.
import { sql } from 'kysely';
import { bumpDataVersion } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';

/** Rows at a time: whoever stores usage waits for no more. */
const PAGE = 10_000;

export async function listEntitiesWithUnnamed(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('ai_usages').select('entity_id').distinct().where('model', 'is', null).execute();
  return rows.map(({ entity_id }) => entity_id);
}

/** Of the rows after an id, some at a time, in the caller's transaction. Returns the last id; null when there are none left. */
export async function nameUsages(
  db: Database,
  entityId: number,
  after: number,
  modelOf: (name: string) => string,
): Promise<number | null> {
  const rows = await db
    .selectFrom('ai_usages')
    .select(['id', 'llm_model_name'])
    .where('entity_id', '=', entityId)
    .where('model', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute();
  if (rows.length === 0) return null;
  await sql`
    update ai_usages set model = t.model
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map((row) => modelOf(row.llm_model_name))}::text[]) as t(id, model)
    where ai_usages.entity_id = ${entityId} and ai_usages.id = t.id and ai_usages.model is null`.execute(db);
  await bumpDataVersion(db, entityId);
  return rows.at(-1)!.id;
}
