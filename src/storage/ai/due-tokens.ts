// Tokens of AI providers as the collector sees them: which are due, how far each has read, and what went wrong.
import { sql } from 'kysely';
import type { CommitCount, Seat } from '../../domain/ai/collector.ts';
import type { Database } from '../database/handle.ts';
import { fillSeats, identityKey, noteIdentities } from './identities.ts';

export const listDueTokens = async (db: Database, now: Date): Promise<{ entity_id: number; id: number }[]> =>
  (
    await sql<{ entity_id: number; id: number }>`
      select t.entity_id, t.id from llm_tokens t join entities e on e.id = t.entity_id and e.state = 'active'
      where t.next_run_at <= ${now}::timestamptz
        and (t.global_error_em is null or t.global_error_em in ('rate_limited', 'unreachable', 'unexpected_answer'))
      order by t.next_run_at limit 500`.execute(db)
  ).rows;

export interface CollectedToken {
  readonly ai_usage_provider_em: string;
  readonly tool_em: string | null;
  readonly secret_sealed: Buffer;
  readonly settings: Readonly<Record<string, string>>;
  readonly last_success_on: string | null;
  readonly backfilled_on: string | null;
  /** Of what the token was confirmed for, the first organization. */
  readonly organization: string | null;
}

export async function readCollectedToken(db: Database, entityId: number, id: number): Promise<CollectedToken | null> {
  const { rows } = await sql<CollectedToken>`
    select t.ai_usage_provider_em, t.tool_em, t.secret_sealed, t.settings, t.last_success_on, t.backfilled_on,
      (select o.slug from llm_token_resources r
       join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
       where r.entity_id = t.entity_id and r.llm_token_id = t.id order by r.id limit 1) as organization
    from llm_tokens t where t.entity_id = ${entityId} and t.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export interface TokenProgress {
  readonly last_used_at?: Date;
  readonly last_run_at?: Date;
  readonly next_run_at?: Date;
  readonly last_success_on?: string;
  readonly latest_available_on?: string;
  readonly backfilled_on?: string;
  readonly last_exceeded_quota_at?: Date;
  readonly global_error_em?: string | null;
  readonly error_detail?: string | null;
}

export async function noteTokenProgress(db: Database, entityId: number, id: number, to: TokenProgress): Promise<void> {
  await db.updateTable('llm_tokens').set(to).where('entity_id', '=', entityId).where('id', '=', id).execute();
}

/** The seats that a provider lists now; who is no longer listed has none from today on. */
export async function replaceSeats(
  db: Database,
  token: { readonly entityId: number; readonly tokenId: number; readonly provider: string },
  seats: readonly Seat[],
  today: string,
): Promise<void> {
  const { entityId, tokenId, provider } = token;
  const named = seats.map(({ identity }) => ({ ...identity, ai_provider_em: provider }));
  const identities = await noteIdentities(db, entityId, named, today);
  const rows = seats.map(({ identity, from_on, last_activity_on }) => ({
    identity_id: identities.get(identityKey({ ...identity, ai_provider_em: provider }))!.id,
    from_on,
    last_activity_on,
  }));
  await sql`
    update ai_seat_listings set until_on = greatest(${today}::date, from_on)
    where entity_id = ${entityId} and llm_token_id = ${tokenId} and until_on is null
      and not identity_id = any(${rows.map(({ identity_id }) => identity_id)}::bigint[])`.execute(db);
  await sql`
    update ai_seat_listings set last_activity_on = x.last_activity_on
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(identity_id bigint, last_activity_on date)
    where ai_seat_listings.entity_id = ${entityId} and llm_token_id = ${tokenId} and until_on is null
      and ai_seat_listings.identity_id = x.identity_id and x.last_activity_on is not null`.execute(db);
  await sql`
    insert into ai_seat_listings (entity_id, llm_token_id, identity_id, ai_provider_em, from_on, last_activity_on)
    select distinct on (x.identity_id) ${entityId}::bigint, ${tokenId}::bigint, x.identity_id, ${provider},
      coalesce(x.from_on, ${today}::date), x.last_activity_on
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(identity_id bigint, from_on date, last_activity_on date)
    where not exists (
      select from ai_seat_listings l where l.entity_id = ${entityId} and l.llm_token_id = ${tokenId}
        and l.identity_id = x.identity_id and l.until_on is null)
    order by x.identity_id
    on conflict (entity_id, llm_token_id, identity_id, from_on) do update set until_on = null`.execute(db);
  await fillSeats(db, entityId);
}

/** What a provider counts of commits; a later count takes the place of an earlier one. */
export async function storeCommitCounts(
  db: Database,
  token: { readonly entityId: number; readonly provider: string; readonly tool: string },
  commits: readonly CommitCount[],
  now: Date,
): Promise<void> {
  if (commits.length === 0) return;
  await sql`
    insert into ai_commit_claims (entity_id, sha, source_em, ai_provider_em, tool_em, llm_model_name, ai_lines, all_lines, claimed_at)
    select distinct on (x.sha) ${token.entityId}::bigint, x.sha, 'provider_commit', ${token.provider}, ${token.tool},
      x.llm_model_name, x.ai_lines, x.all_lines, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(commits)}::json) as x(
      sha text, llm_model_name text, ai_lines bigint, all_lines bigint)
    order by x.sha
    on conflict (entity_id, sha, source_em, tool_em) do update
      set ai_lines = excluded.ai_lines, all_lines = excluded.all_lines, applied_at = null
      where (ai_commit_claims.ai_lines, ai_commit_claims.all_lines) is distinct from (excluded.ai_lines, excluded.all_lines)`.execute(
    db,
  );
}
