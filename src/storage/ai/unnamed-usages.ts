// Reports of use that were stored before their models were: the names that they bear, and the models of those.
import { sql } from 'kysely';
import { bumpDataVersion } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';

export interface UnnamedUsages {
  readonly entity_id: number;
  readonly llm_model_name: string;
}

export const listUnnamedUsages = (db: Database): Promise<UnnamedUsages[]> =>
  db
    .selectFrom('ai_usages')
    .select(['entity_id', 'llm_model_name'])
    .distinct()
    .where('model', 'is', null)
    .orderBy('entity_id')
    .orderBy('llm_model_name')
    .execute();

/** Runs in the caller's transaction. */
export async function nameUsages(
  db: Database,
  { entity_id, llm_model_name }: UnnamedUsages,
  model: string,
): Promise<void> {
  // First, as whoever stores usage does: no two can wait for each other.
  await bumpDataVersion(db, entity_id);
  await sql`
    update ai_usages set model = ${model}
    where entity_id = ${entity_id} and llm_model_name = ${llm_model_name} and model is null`.execute(db);
}
