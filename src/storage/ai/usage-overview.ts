// Where usage comes from, and how much of what counts belongs to nobody who is known: that is in the sums of the entity,
// and in no person's.
import { sql } from 'kysely';
import type { UsageSource } from '../../domain/ai/usage-sources.ts';
import type { Database } from '../database/handle.ts';

export interface UnknownShare {
  readonly identity_count: number;
  readonly cents_cost: number;
  /** Of the cost of all usage; null where there is none. */
  readonly cost_percent: number | null;
  readonly lines_added: number;
  readonly lines_percent: number | null;
}

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((1000 * part) / whole) / 10;

export async function readUnknownShare(db: Database, entityId: number, since: string): Promise<UnknownShare> {
  const { rows } = await sql<{
    identity_count: number;
    cost: number;
    all_cost: number;
    lines: number;
    all_lines: number;
  }>`
    select count(distinct u.identity_id) filter (where u.committer_id is null) as identity_count,
      coalesce(sum(u.cost_microcents) filter (where u.is_cost_chosen and u.committer_id is null and u.team_id is null), 0)::float8 as cost,
      coalesce(sum(u.cost_microcents) filter (where u.is_cost_chosen), 0)::float8 as all_cost,
      coalesce(sum(u.lines_added) filter (where u.is_activity_chosen and u.committer_id is null and u.team_id is null), 0)::float8 as lines,
      coalesce(sum(u.lines_added) filter (where u.is_activity_chosen), 0)::float8 as all_lines
    from ai_usages u where u.entity_id = ${entityId} and u.used_on >= ${since}::date`.execute(db);
  const { identity_count, cost, all_cost, lines, all_lines } = rows[0]!;
  return {
    identity_count,
    cents_cost: cost / 1_000_000,
    cost_percent: percent(cost, all_cost),
    lines_added: lines,
    lines_percent: percent(lines, all_lines),
  };
}

export interface UsageSourceRow {
  readonly source_em: UsageSource;
  readonly ai_provider_em: string;
  readonly tool_em: string | null;
  readonly latest_on: string;
  readonly record_count: number;
  readonly counted_record_count: number;
  readonly person_count: number;
}

export async function listUsageSources(db: Database, entityId: number, since: string): Promise<UsageSourceRow[]> {
  const { rows } = await sql<UsageSourceRow>`
    select u.source_em, u.ai_provider_em, u.tool_em, max(u.used_on) as latest_on, count(*) as record_count,
      count(*) filter (where u.is_activity_chosen or u.is_cost_chosen) as counted_record_count,
      count(distinct coalesce(u.committer_id, -u.identity_id)) as person_count
    from ai_usages u where u.entity_id = ${entityId} and u.used_on >= ${since}::date
    group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}
