// Queries on the settings of an entity and of its repos. Only values that differ from the default have a row.
import { sql } from 'kysely';
import { effectiveEntitySettings } from '../../domain/access/entity-settings.ts';
import type { UsageSource } from '../../domain/ai/usage-sources.ts';
import type { Database } from '../database/handle.ts';
import type { JsonValue } from '../database/schema.ts';

export async function readStoredSettings(db: Database, entityId: number): Promise<Record<string, JsonValue>> {
  const rows = await db
    .selectFrom('entity_settings')
    .select(['key', 'value'])
    .where('entity_id', '=', entityId)
    .execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** Which source of usage goes before which. */
export async function readUsageSourceOrder(db: Database, entityId: number): Promise<readonly UsageSource[]> {
  return effectiveEntitySettings(await readStoredSettings(db, entityId)).ai_usage_source_order;
}

/** Whether telemetry of a shared token may say whose use it is. */
export async function trustsNamesInTelemetry(db: Database, entityId: number): Promise<boolean> {
  return effectiveEntitySettings(await readStoredSettings(db, entityId)).ai_telemetry_people === 'named';
}

export async function storeSetting(
  db: Database,
  setting: { entity_id: number; key: string; value: unknown },
  now: Date,
): Promise<void> {
  await db
    .insertInto('entity_settings')
    .values({ ...setting, value: JSON.stringify(setting.value), updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['entity_id', 'key']).doUpdateSet((row) => ({
        value: row.ref('excluded.value'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute();
}

export async function deleteSetting(db: Database, setting: { entity_id: number; key: string }): Promise<void> {
  await db
    .deleteFrom('entity_settings')
    .where('entity_id', '=', setting.entity_id)
    .where('key', '=', setting.key)
    .execute();
}

/** What the repo has instead of its entity's values. */
export async function readRepoSettings(db: Database, entityId: number, repoId: number): Promise<JsonValue> {
  const row = await db
    .selectFrom('repos')
    .select('settings')
    .where('entity_id', '=', entityId)
    .where('id', '=', repoId)
    .executeTakeFirst();
  return row?.settings ?? {};
}

/** `undefined` removes the repo's own value. */
export async function storeRepoSetting(
  db: Database,
  setting: { entity_id: number; repo_id: number; key: string; value: unknown },
): Promise<void> {
  const { entity_id, repo_id, key, value } = setting;
  await db
    .updateTable('repos')
    .set({
      settings:
        value === undefined
          ? sql`settings - ${key}::text`
          : sql`settings || jsonb_build_object(${key}::text, ${JSON.stringify(value)}::jsonb)`,
    })
    .where('entity_id', '=', entity_id)
    .where('id', '=', repo_id)
    .execute();
}
