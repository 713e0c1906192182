// Finds committers by whatever a caller knows of them: user name, id at the code host, or an address.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

export interface FoundCommitter {
  /** As it was asked for. */
  readonly identifier: string;
  /** The root committer: a child identity stands for the person it belongs to. */
  readonly id: number;
  readonly committer_user_name: string;
}

/**
 * One row per identifier that is known. A user name goes before an id at the host, that before an address
 * of the committer, that before an address that only its commits bear.
 */
export async function findCommittersByIdentifier(
  db: Database,
  entityId: number,
  identifiers: readonly string[],
): Promise<FoundCommitter[]> {
  if (identifiers.length === 0) return [];
  const { rows } = await sql<FoundCommitter>`
    with wanted as (select distinct unnest(${identifiers}::text[]) as identifier),
    found as (
      select w.identifier, 1 as rank, c.id from wanted w
      join committers c on c.entity_id = ${entityId} and c.committer_user_name = w.identifier
      union all
      select w.identifier, 2, c.id from wanted w
      join committers c on c.entity_id = ${entityId} and c.git_provider_id = w.identifier
      union all
      select w.identifier, case when lower(c.email) = lower(w.identifier) then 3 else 4 end, c.id from wanted w
      join committers c on c.entity_id = ${entityId}
        and (lower(c.email) = lower(w.identifier) or lower(c.provider_email) = lower(w.identifier))
      union all
      select w.identifier, 5, i.committer_id from wanted w
      join committer_identities i on i.entity_id = ${entityId} and i.address_key = lower(w.identifier)
      union all
      select w.identifier, 6, i.committer_id from wanted w
      join signatures s on s.entity_id = ${entityId} and lower(s.email) = lower(w.identifier)
      join committer_identities i on i.entity_id = ${entityId} and i.address_key = s.address_key
    ), best as (
      select distinct on (identifier) identifier, id from found order by identifier, rank, id
    )
    select b.identifier, r.id, r.committer_user_name
    from best b
    join committers c on c.entity_id = ${entityId} and c.id = b.id
    join committers r on r.entity_id = ${entityId} and r.id = c.root_committer_id`.execute(db);
  return rows;
}
