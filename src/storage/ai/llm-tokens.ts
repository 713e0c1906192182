// Stored tokens of AI providers, and what each was confirmed for.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { NewRow } from '../database/schema.ts';

export interface LlmTokenRow {
  readonly id: number;
  readonly ai_usage_provider_em: string;
  readonly created_at: string;
  readonly global_error_em: string | null;
  readonly last_exceeded_quota_at: string | null;
  readonly last_used_at: string | null;
  readonly tool_em: string | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly error_detail: string | null;
  readonly last_success_on: string | null;
  readonly latest_available_on: string | null;
  readonly next_run_at: string | null;
  readonly seat_count: number;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly git_provider_em: string | null;
  /** Null is the entity. */
  readonly organizations: readonly { readonly id: number | null; readonly name: string | null }[];
}

/** With an organization, those that were confirmed for it or for the whole entity. */
export async function listLlmTokens(
  db: Database,
  entityId: number,
  organizationId: number | null,
): Promise<LlmTokenRow[]> {
  const chosen =
    organizationId === null
      ? sql`true`
      : sql`exists (select 1 from llm_token_resources x where x.entity_id = t.entity_id and x.llm_token_id = t.id
                    and (x.organization_id is null or x.organization_id = ${organizationId}))`;
  const { rows } = await sql<LlmTokenRow>`
    select t.id, t.ai_usage_provider_em, t.created_at, t.global_error_em, t.last_exceeded_quota_at, t.last_used_at,
      t.tool_em, t.settings, t.error_detail, t.last_success_on, t.latest_available_on, t.next_run_at,
      (select count(*) from ai_seat_listings s where s.entity_id = t.entity_id and s.llm_token_id = t.id
        and s.until_on is null) as seat_count,
      u.id as user_id, coalesce(u.full_name, u.email) as user_name,
      (select p.git_provider_em from provider_connections p
       where p.entity_id = t.entity_id and p.user_id = u.id order by p.id limit 1) as git_provider_em,
      coalesce((select json_agg(json_build_object('id', o.id, 'name', o.name) order by r.id)
        from llm_token_resources r
        left join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
        where r.entity_id = t.entity_id and r.llm_token_id = t.id), '[]') as organizations
    from llm_tokens t left join users u on u.id = t.created_by_user_id
    where t.entity_id = ${entityId} and ${chosen}
    order by t.id`.execute(db);
  return rows;
}

export async function insertLlmToken(db: Database, token: NewRow<'llm_tokens'>): Promise<number> {
  const { id } = await db.insertInto('llm_tokens').values(token).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function addLlmTokenResource(
  db: Database,
  entityId: number,
  tokenId: number,
  organizationId: number | null,
): Promise<void> {
  await db
    .insertInto('llm_token_resources')
    .values({ entity_id: entityId, llm_token_id: tokenId, organization_id: organizationId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Over what is set already; it is used at once. */
export async function storeTokenSettings(
  db: Database,
  entityId: number,
  tokenId: number,
  settings: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  await sql`
    update llm_tokens set settings = settings || ${JSON.stringify(settings)}::jsonb, next_run_at = ${now}::timestamptz,
      global_error_em = null, error_detail = null
    where entity_id = ${entityId} and id = ${tokenId}`.execute(db);
}

/** Returns whether there was one. */
export async function deleteLlmToken(db: Database, entityId: number, tokenId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('llm_tokens')
    .where('entity_id', '=', entityId)
    .where('id', '=', tokenId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** For comparing a new secret with those that are there. */
export const readSealedTokens = (
  db: Database,
  entityId: number,
  provider: string,
): Promise<{ id: number; secret_sealed: Buffer }[]> =>
  db
    .selectFrom('llm_tokens')
    .select(['id', 'secret_sealed'])
    .where('entity_id', '=', entityId)
    .where('ai_usage_provider_em', '=', provider)
    .orderBy('id')
    .execute();
