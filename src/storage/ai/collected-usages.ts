// Usage that collectors, telemetry and files bring: a day of a source is replaced as a whole, because providers revise
// what they reported. Twice is once, and days may come in any order.
import { type RawBuilder, sql } from 'kysely';
import type { CollectedUsage } from '../../domain/ai/collector.ts';
import { usageModel } from '../../domain/ai/models.ts';
import { MOST_OF } from '../../domain/ai/usage-limits.ts';
import { ACTIVITY_COUNTS, COST_COUNTS, type UsageSource } from '../../domain/ai/usage-sources.ts';
import type { Database } from '../database/handle.ts';
import { identityKey, matchIdentities, noteIdentities } from './identities.ts';
import { creditUsages } from './usage-credits.ts';
import { noteUsageWeeks } from './usage-weeks.ts';

/** What is replaced: all rows of the source on a day, of one token where it has one. */
export interface CollectedDay {
  readonly source: Exclude<UsageSource, 'submitted'>;
  readonly llm_token_id: number | null;
  /** YYYY-MM-DD */
  readonly used_on: string;
  /** Only rows of these tools; of all when left out. */
  readonly tools?: readonly string[];
}

const COUNTS = [...ACTIVITY_COUNTS, ...COST_COUNTS];
const names = (write: (name: string) => string): RawBuilder<unknown> => sql.raw(COUNTS.map(write).join(', '));

const ofPlace = ({ source, llm_token_id, tools }: Omit<CollectedDay, 'used_on'>): RawBuilder<unknown> =>
  sql`u.source_em = ${source} and u.llm_token_id is not distinct from ${llm_token_id}::bigint
    and (${tools === undefined} or u.tool_em = any(${[...(tools ?? [])]}::text[]))`;

/** Returns how many rows the day has now. The caller bumps the version of the data, once for all days. */
export async function replaceCollectedDay(
  db: Database,
  entityId: number,
  day: CollectedDay,
  usages: readonly CollectedUsage[],
  now: Date,
): Promise<number> {
  const merged = mergeUsages(usages);
  const named = merged.flatMap(({ identity, ai_provider_em }) =>
    identity === null ? [] : [{ ...identity, ai_provider_em }],
  );
  if (named.length > 0) {
    await noteIdentities(db, entityId, named, day.used_on);
    await matchIdentities(db, entityId);
  }
  const identities = await noteIdentities(db, entityId, named, day.used_on);
  const { rows: removed } = await sql<{ committer_id: number | null; used_on: string }>`
    delete from ai_usages u
    where u.entity_id = ${entityId} and u.used_on = ${day.used_on}::date and ${ofPlace(day)}
    returning u.committer_id, u.used_on`.execute(db);
  const rows = merged.map(({ identity, ...usage }) => {
    const known =
      identity === null ? null : identities.get(identityKey({ ...identity, ai_provider_em: usage.ai_provider_em }))!;
    const { model } = usageModel(usage.llm_model_name);
    return { ...limitCounts(usage), model, identity_id: known?.id ?? null, committer_id: known?.committer_id ?? null };
  });
  const { rows: stored } = await sql<{ committer_id: number | null; used_on: string }>`
    insert into ai_usages (entity_id, used_on, source_em, llm_token_id, identity_id, committer_id, ai_provider_em, tool_em,
      llm_model_name, model, ${names((name) => name)}, is_cost_estimate, collected_at, created_at, updated_at)
    select ${entityId}::bigint, ${day.used_on}::date, ${day.source}, ${day.llm_token_id}::bigint, x.identity_id,
      x.committer_id, x.ai_provider_em, x.tool_em, x.llm_model_name, x.model, ${names((name) => `x.${name}`)},
      coalesce(x.is_cost_estimate, false), ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(
      identity_id bigint, committer_id bigint, ai_provider_em text, tool_em text, llm_model_name text, model text,
      ${names((name) => `${name} bigint`)}, is_cost_estimate boolean)
    returning committer_id, used_on`.execute(db);
  const touched = [...removed, ...stored];
  await creditUsages(db, entityId, { usedBy: touched });
  await noteUsageWeeks(db, entityId, touched);
  return stored.length;
}

/** What replacing the days would remove of people whom the new usage does not name on them. */
export async function countUnnamed(
  db: Database,
  entityId: number,
  place: Omit<CollectedDay, 'used_on'>,
  days: ReadonlyMap<string, readonly CollectedUsage[]>,
): Promise<{ readonly removed_rows: number; readonly removed_people: number }> {
  const named = [...days].flatMap(([day, usages]) =>
    usages.map(({ identity }) => ({
      day,
      kind_em: identity?.kind_em ?? null,
      value_key: identity?.value.trim().toLowerCase() ?? null,
    })),
  );
  const { rows } = await sql<{ removed_rows: number; removed_people: number }>`
    with named as (
      select distinct x.day, x.kind_em, x.value_key
      from json_to_recordset(${JSON.stringify(named)}::json) as x(day date, kind_em text, value_key text))
    select count(*)::int as removed_rows, count(distinct (i.kind_em, i.value_key)) filter (where i.id is not null)::int as removed_people
    from ai_usages u left join ai_identities i on i.entity_id = u.entity_id and i.id = u.identity_id
    where u.entity_id = ${entityId} and ${ofPlace(place)} and u.used_on in (select day from named)
      and not exists (
        select from named n where n.day = u.used_on
          and (n.kind_em, n.value_key) is not distinct from (i.kind_em, i.value_key))`.execute(db);
  return rows[0]!;
}

/** Sums of reports that are accepted one by one stay what can be stored and summed again. */
function limitCounts<U extends Partial<CollectedUsage>>(usage: U): U {
  const over = COUNTS.filter((name) => (usage[name] ?? 0) > MOST_OF[name]);
  return over.length === 0 ? usage : { ...usage, ...Object.fromEntries(over.map((name) => [name, MOST_OF[name]])) };
}

type Summed = { -readonly [N in keyof CollectedUsage]: CollectedUsage[N] };

/** Adds up what has the same key: a provider may list a person once per terminal or team. */
export function mergeUsages(usages: readonly CollectedUsage[]): CollectedUsage[] {
  const merged = new Map<string, Summed>();
  for (const usage of usages) {
    const { identity, ai_provider_em, tool_em, llm_model_name } = usage;
    const who = identity === null ? null : identityKey({ ...identity, ai_provider_em });
    const key = JSON.stringify([who, ai_provider_em, tool_em, llm_model_name]);
    const known = merged.get(key);
    if (known === undefined) {
      merged.set(key, { ...usage });
      continue;
    }
    for (const name of COUNTS) {
      const value = usage[name];
      if (value !== undefined && value !== null) known[name] = (known[name] ?? 0) + value;
    }
    known.is_cost_estimate = known.is_cost_estimate === true || usage.is_cost_estimate === true;
  }
  return [...merged.values()];
}
