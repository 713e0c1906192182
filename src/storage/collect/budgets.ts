// What tokens have left, by the hosts' last word, so that a restart forgets no wait.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { TokenKey } from './streams.ts';

export interface TokenBudget {
  readonly resource: string;
  /** Null or 0: the host sets no limit. */
  readonly quota: number | null;
  readonly remaining: number | null;
  readonly reset_at: string | null;
  /** Nothing is requested before. */
  readonly wait_until: string | null;
  readonly wait_reason: string | null;
  /** Waits in a row that the host gave no time for. */
  readonly waits: number;
}

export const readBudgets = (db: Database, token: TokenKey): Promise<TokenBudget[]> =>
  db
    .selectFrom('token_budgets')
    .select(['resource', 'quota', 'remaining', 'reset_at', 'wait_until', 'wait_reason', 'waits'])
    .where('entity_id', '=', token.entityId)
    .where('source', '=', token.source)
    .where('connection_id', '=', token.connectionId)
    .orderBy('resource')
    .execute();

export async function storeBudgets(
  db: Database,
  token: TokenKey,
  budgets: readonly TokenBudget[],
  now: Date,
): Promise<void> {
  if (budgets.length === 0) return;
  await sql`
    insert into token_budgets (entity_id, source, connection_id, resource, quota, remaining, reset_at, wait_until,
      wait_reason, waits, updated_at)
    select ${token.entityId}::bigint, ${token.source}::text, ${token.connectionId}::bigint, t.resource, t.quota, t.remaining,
      t.reset_at, t.wait_until, t.wait_reason, t.waits, ${now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(budgets)}::json) as t(resource text, quota int, remaining int,
      reset_at timestamptz, wait_until timestamptz, wait_reason text, waits int)
    on conflict (entity_id, source, connection_id, resource) do update
      set quota = excluded.quota, remaining = excluded.remaining, reset_at = excluded.reset_at,
          wait_until = excluded.wait_until, wait_reason = excluded.wait_reason, waits = excluded.waits,
          updated_at = excluded.updated_at`.execute(db);
}
