// How collecting stands, for people: connections and trackers with their budgets, and streams with how far they are.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

export interface TokenOverview {
  readonly source: 'host' | 'tracker';
  readonly id: number;
  readonly kind: string;
  readonly host_key: string;
  readonly owner: string | null;
  readonly error_em: string | null;
  readonly token_expires_at: string | null;
  readonly listed_at: string | null;
}

export async function listTokens(db: Database, entityId: number): Promise<TokenOverview[]> {
  const { rows } = await sql<TokenOverview>`
    select 'host' as source, c.id, c.git_provider_em as kind, c.host_key, u.email as owner, c.error_em, c.token_expires_at,
      c.repos_cached_at as listed_at
    from provider_connections c join users u on u.id = c.user_id where c.entity_id = ${entityId}
    union all
    select 'tracker', t.id, t.kind, t.host_key, t.email, t.error_em, t.token_expires_at, t.verified_at
    from trackers t where t.entity_id = ${entityId} and t.token_sealed is not null
    order by 1, 2`.execute(db);
  return rows;
}

export interface ExpiringToken {
  readonly source: 'host' | 'tracker';
  readonly entity_id: number;
  readonly id: number;
  readonly host_key: string;
  readonly token_expires_at: string;
}

/** Of all entities. */
export async function listExpiringTokens(db: Database, before: Date): Promise<ExpiringToken[]> {
  const { rows } = await sql<ExpiringToken>`
    select 'host' as source, entity_id, id, host_key, token_expires_at from provider_connections
    where token_expires_at < ${before.toISOString()}::timestamptz
    union all
    select 'tracker', entity_id, id, host_key, token_expires_at from trackers
    where token_sealed is not null and token_expires_at < ${before.toISOString()}::timestamptz
    order by 1, 2, 3`.execute(db);
  return rows;
}

export interface BudgetOverview {
  readonly source: string;
  readonly connection_id: number;
  readonly resource: string;
  readonly quota: number | null;
  readonly remaining: number | null;
  readonly reset_at: string | null;
  readonly wait_until: string | null;
  readonly wait_reason: string | null;
}

export const listBudgets = (db: Database, entityId: number): Promise<BudgetOverview[]> =>
  db
    .selectFrom('token_budgets')
    .select(['source', 'connection_id', 'resource', 'quota', 'remaining', 'reset_at', 'wait_until', 'wait_reason'])
    .where('entity_id', '=', entityId)
    .orderBy('source')
    .orderBy('connection_id')
    .orderBy('resource')
    .execute();

export interface StreamOverview {
  readonly id: number;
  /** Repo, tracker or organization. */
  readonly place: string;
  readonly stream: string;
  readonly mode: string;
  readonly items_total: number;
  readonly walk_items: number;
  readonly walk_expected: number | null;
  readonly walk_started_at: string | null;
  readonly is_walking: boolean;
  readonly next_due_at: string | null;
  readonly watermark: string | null;
  readonly finished_at: string | null;
  readonly failure_em: string | null;
  readonly failure_detail: string;
  readonly failures: number;
  readonly calls_total: number;
}

export async function listStreams(db: Database, entityId: number): Promise<StreamOverview[]> {
  const { rows } = await sql<StreamOverview>`
    select s.id, coalesce(g.slug || '/' || r.slug, t.name, o.slug, s.organization_external_id, '') as place, s.stream, s.mode,
      s.items_total, s.walk_items, s.walk_expected, s.walk_started_at, s.cursor is not null as is_walking, s.next_due_at,
      s.watermark, s.finished_at, s.failure_em, s.failure_detail, s.failures, s.calls_total
    from sync_streams s
    left join repos r on r.entity_id = s.entity_id and r.id = s.repo_id
    left join organizations g on g.entity_id = r.entity_id and g.id = r.organization_id
    left join trackers t on t.entity_id = s.entity_id and t.id = s.tracker_id
    left join (
      select entity_id, external_id, min(slug) as slug from provider_organizations where entity_id = ${entityId}
      group by 1, 2) o on o.entity_id = s.entity_id and o.external_id = s.organization_external_id
    where s.entity_id = ${entityId}
    order by 2, s.priority, s.stream, s.mode desc`.execute(db);
  return rows;
}

export interface DenialOverview {
  readonly stream_id: number;
  readonly source: string;
  readonly connection_id: number;
  readonly failure_em: string;
  readonly detail: string;
  readonly denied_until: string;
}

export const listDenials = (db: Database, entityId: number, now: Date): Promise<DenialOverview[]> =>
  db
    .selectFrom('stream_denials')
    .select(['stream_id', 'source', 'connection_id', 'failure_em', 'detail', 'denied_until'])
    .where('entity_id', '=', entityId)
    .where('denied_until', '>', now.toISOString())
    .orderBy('stream_id')
    .execute();
