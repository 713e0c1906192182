// Submitted usage that gets another subject: that of an identity becomes the person's, because calls mean the person, and
// that of a deleted team nobody's. Of a day, subject and model there is one record, so its counts are added to those that
// the subject has: no call sent the one to replace the other.
import { type RawBuilder, sql } from 'kysely';
import { arrayText } from '../../database/array-text.ts';
import type { Database } from '../../database/handle.ts';
import { creditUsages } from '../usage-credits.ts';
import { addedCount, listCounts, SUBMITTED_KEY } from './usage-counts.ts';

interface FoldedDay {
  readonly used_on: string;
  readonly committer_id: number | null;
}

/** `moving`: id of a record, and the committer_id and team_id that it gets. Returns whose days have changed. */
async function foldUsages(db: Database, entityId: number, moving: RawBuilder<unknown>): Promise<FoldedDay[]> {
  const { rows } = await sql<FoldedDay>`
    with moved as (
      delete from ai_usages u using (${moving}) m
      where u.entity_id = ${entityId} and u.id = m.id
      returning u.used_on, m.committer_id, m.team_id, u.llm_model_name, u.model, u.ai_provider_em, u.created_at,
        u.updated_at,
        ${listCounts((name) => `u.${name}`)})
    insert into ai_usages (entity_id, used_on, committer_id, team_id, llm_model_name, model, ai_provider_em, created_at,
      updated_at, ${listCounts((name) => name)})
    select ${entityId}::bigint, used_on, committer_id, team_id, llm_model_name, max(model), max(ai_provider_em), min(created_at),
      max(updated_at), ${listCounts((name) => `sum(${name})`)}
    from moved group by used_on, committer_id, team_id, llm_model_name
    on conflict ${SUBMITTED_KEY} do update
      set updated_at = greatest(ai_usages.updated_at, excluded.updated_at), ${listCounts((name) => `${name} = ${addedCount(name)}`)}
    returning used_on, committer_id`.execute(db);
  return rows;
}

/** A day and model of a person, the root of its identities. */
export interface UsageOfPerson {
  readonly used_on: string;
  readonly committer_id: number;
  readonly llm_model_name: string;
}

/** What was submitted for identities before they were merged becomes the person's own. The caller credits it. */
export async function foldUsagesOfIdentities(
  db: Database,
  entityId: number,
  usages: readonly UsageOfPerson[],
): Promise<void> {
  await foldUsages(
    db,
    entityId,
    sql`
      select u.id, k.committer_id, u.team_id
      from unnest(${arrayText(usages.map(({ used_on }) => used_on))}::date[],
        ${arrayText(usages.map(({ committer_id }) => committer_id))}::bigint[],
        ${usages.map(({ llm_model_name }) => llm_model_name)}::text[]) as k(used_on, committer_id, llm_model_name)
      join committers o on o.entity_id = ${entityId} and o.root_committer_id = k.committer_id and o.id <> k.committer_id
      join ai_usages u on u.entity_id = ${entityId} and u.source_em = 'submitted' and u.committer_id = o.id
        and u.used_on = k.used_on and u.llm_model_name = k.llm_model_name`,
  );
}

/** What was submitted for a team that is deleted counts for the entity, and is replaced and deleted as what names nobody. */
export async function foldUsagesOfTeam(db: Database, entityId: number, teamId: number): Promise<void> {
  const usedBy = await foldUsages(
    db,
    entityId,
    sql`
      select id, null::bigint as committer_id, null::bigint as team_id from ai_usages
      where entity_id = ${entityId} and team_id = ${teamId} and source_em = 'submitted'`,
  );
  if (usedBy.length > 0) await creditUsages(db, entityId, { usedBy });
}
