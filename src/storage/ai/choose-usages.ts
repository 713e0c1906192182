// Which reports of use count. Of one person (or identity, or team), day and provider, one source counts for activity and
// one for cost: the first in the entity's order that reports any. Telemetry that may be of either provider of a tool counts
// as that of the one which reports the day. Rows of the others stay, to explain. Whatever changes reports or who is whose
// identity calls this through creditUsages.
import { sql } from 'kysely';
import { ACTIVITY_COUNTS, COST_COUNTS, MANY_TOOLS, SHARED_TOOL } from '../../domain/ai/usage-sources.ts';
import { readUsageSourceOrder } from '../access/entity-settings.ts';
import type { Database } from '../database/handle.ts';

/** Of the days; of the people; of all. */
export type ChoiceScope =
  | { readonly days: readonly string[] }
  | { readonly committerIds: readonly number[] }
  | 'entity';

export interface ChangedChoice {
  readonly committer_id: number | null;
  readonly used_on: string;
}

const anyOf = (names: readonly string[]) => sql.raw(names.map((name) => `t.${name} is not null`).join(' or '));

/** Whether a source other than telemetry reports the person's day for the provider. */
const isReported = (provider: string) =>
  sql`bool_or(s.source_em <> 'otlp' and s.ai_provider_em = ${provider}) over person_day`;

/** Returns whose rows now count otherwise. */
export async function chooseUsages(db: Database, entityId: number, scope: ChoiceScope): Promise<ChangedChoice[]> {
  if (!(await hasSeveralSources(db, entityId))) return [];
  const order = await readUsageSourceOrder(db, entityId);
  const ofScope =
    scope === 'entity'
      ? sql`true`
      : 'days' in scope
        ? sql`t.used_on = any(${[...new Set(scope.days)]}::date[])`
        : sql`o.root_committer_id in (
            select x.root_committer_id from committers x
            where x.entity_id = ${entityId} and x.id = any(${scope.committerIds}::bigint[]))`;
  const { rows } = await sql<ChangedChoice>`
    with seen as (
      select t.id, t.source_em, t.used_on, t.ai_provider_em, o.root_committer_id as root_id, t.team_id,
        i.kind_em || ' ' || i.value_key as unknown_person,
        t.source_em = 'otlp' and t.tool_em = ${SHARED_TOOL.tool} and t.ai_provider_em = ${SHARED_TOOL.assumed} as is_assumed,
        case when t.ai_provider_em = any(${[...MANY_TOOLS]}::text[]) then t.tool_em end as tool_em,
        array_position(${[...order]}::text[], t.source_em) as rank,
        ${anyOf(ACTIVITY_COUNTS)} as has_activity, ${anyOf(COST_COUNTS)} as has_cost
      from ai_usages t left join committers o on o.entity_id = t.entity_id and o.id = t.committer_id
      left join ai_identities i on i.entity_id = t.entity_id and i.id = t.identity_id and t.committer_id is null
      where t.entity_id = ${entityId} and ${ofScope}
    ), placed as (
      select s.*,
        case when s.is_assumed and ${isReported(SHARED_TOOL.other)} and not ${isReported(SHARED_TOOL.assumed)}
          then ${SHARED_TOOL.other} else s.ai_provider_em end as provider
      from seen s
      window person_day as (partition by s.used_on, s.root_id, s.team_id, s.unknown_person)
    ), ranked as (
      select s.id, s.source_em,
        first_value(s.source_em) over (
          partition by s.used_on, s.root_id, s.team_id, s.unknown_person, s.provider, s.tool_em
          order by s.has_activity desc, s.rank) as activity_source,
        first_value(s.source_em) over (
          partition by s.used_on, s.root_id, s.team_id, s.unknown_person, s.provider, s.tool_em
          order by s.has_cost desc, s.rank) as cost_source
      from placed s
    )
    update ai_usages set is_activity_chosen = n.source_em = n.activity_source, is_cost_chosen = n.source_em = n.cost_source
    from ranked n
    where ai_usages.entity_id = ${entityId} and ai_usages.id = n.id
      and (ai_usages.is_activity_chosen, ai_usages.is_cost_chosen)
        is distinct from (n.source_em = n.activity_source, n.source_em = n.cost_source)
    returning ai_usages.committer_id, ai_usages.used_on`.execute(db);
  return rows;
}

/** Most entities have one; both questions are answered by an index. */
async function hasSeveralSources(db: Database, entityId: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from ai_usages where entity_id = ${entityId} and source_em <> 'submitted')
      or exists (select from ai_usages where entity_id = ${entityId} and not (is_activity_chosen and is_cost_chosen))
      as has`.execute(db);
  return rows[0]?.has === true;
}
