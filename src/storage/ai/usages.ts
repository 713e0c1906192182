// AI usage as it is submitted: one row per day, committer or team, and model. What is collected has rows of its own
// (collected-usages.ts).
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import { creditUsages } from './usage-credits.ts';
import { sumUsageWeeks } from './usage-weeks.ts';

/** Null means: not reported. */
export interface UsageCounts {
  readonly lines_added: number | null;
  readonly lines_deleted: number | null;
  readonly prompted_suggest_count: number | null;
  readonly prompted_accept_count: number | null;
  readonly tab_suggest_count: number | null;
  readonly tab_accept_count: number | null;
  readonly cost_microcents: number | null;
}

const USAGE_COUNTS = [
  'lines_added',
  'lines_deleted',
  'prompted_suggest_count',
  'prompted_accept_count',
  'tab_suggest_count',
  'tab_accept_count',
  'cost_microcents',
] as const satisfies readonly (keyof UsageCounts)[];

export interface UsageSubject {
  /** YYYY-MM-DD. */
  readonly used_on: string;
  readonly committer_id: number | null;
  readonly team_id: number | null;
  readonly llm_model_name: string;
}

export interface UsageChange extends UsageSubject, UsageCounts {
  readonly ai_provider_em: string;
  /** Add to what is stored; else the counts that were given take its place. */
  readonly adds: boolean;
}

export type StoredUsage = UsageSubject & UsageCounts;

const names = (write: (name: string) => string): RawBuilder<unknown> => sql.raw(USAGE_COUNTS.map(write).join(', '));
const SUM = names(
  (name) =>
    `${name} = case when excluded.${name} is null then ai_usages.${name} else coalesce(ai_usages.${name}, 0) + excluded.${name} end`,
);
const REPLACE = names((name) => `${name} = coalesce(excluded.${name}, ai_usages.${name})`);

/** No two changes may have the same subject. Returns the rows as they are now, in no particular order. */
export async function storeUsages(
  db: Database,
  entityId: number,
  changes: readonly UsageChange[],
  now: Date,
): Promise<StoredUsage[]> {
  const stored: StoredUsage[] = [];
  for (const adds of [false, true]) {
    const part = changes.filter((change) => change.adds === adds);
    if (part.length === 0) continue;
    const { rows } = await sql<StoredUsage>`
      insert into ai_usages (entity_id, used_on, committer_id, team_id, llm_model_name, ai_provider_em,
                             ${names((name) => name)}, created_at, updated_at)
      select ${entityId}::bigint, x.used_on, x.committer_id, x.team_id, x.llm_model_name, x.ai_provider_em,
             ${names((name) => `x.${name}`)}, ${now}::timestamptz, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(part)}::json) as x(
        used_on date, committer_id bigint, team_id bigint, llm_model_name text, ai_provider_em text,
        ${names((name) => `${name} bigint`)})
      on conflict (entity_id, used_on, committer_id, team_id, llm_model_name) where source_em = 'submitted' do update
        set ai_provider_em = excluded.ai_provider_em, updated_at = excluded.updated_at, ${adds ? SUM : REPLACE}
      returning used_on, committer_id, team_id, llm_model_name, ${names((name) => name)}`.execute(db);
    stored.push(...rows);
  }
  await creditUsages(db, entityId, { usedBy: stored });
  await sumUsageWeeks(db, entityId, stored);
  return stored;
}

/** Returns whether there was such a row. */
export async function deleteUsage(db: Database, entityId: number, subject: UsageSubject): Promise<boolean> {
  const { rows } = await sql<{ committer_id: number | null; used_on: string }>`
    delete from ai_usages
    where entity_id = ${entityId} and source_em = 'submitted' and used_on = ${subject.used_on}::date
      and committer_id is not distinct from ${subject.committer_id}::bigint
      and team_id is not distinct from ${subject.team_id}::bigint
      and lower(llm_model_name) = lower(${subject.llm_model_name}::text)
    returning committer_id, used_on`.execute(db);
  await creditUsages(db, entityId, { usedBy: rows });
  await sumUsageWeeks(db, entityId, rows);
  return rows.length > 0;
}
