// Whom an identifier means: the one place that decides it. An identifier is a user name, an id or login at a code host or
// tracker, or an e-mail address, in any case.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

export interface FoundCommitter {
  /** As the caller wrote it. */
  readonly identifier: string;
  /** The root committer: an identity stands for the person it belongs to. */
  readonly id: number;
  readonly committer_user_name: string;
  /** The committer that the identifier names, the root itself or one of its identities. */
  readonly identity_id: number;
}

/**
 * One row per identifier that is known. A user name goes before an id at the host, that before an address
 * of the committer, that before an address that only its commits bear. Two user names may differ only in case;
 * the one written exactly so goes first.
 */
export async function findCommittersByIdentifier(
  db: Database,
  entityId: number,
  identifiers: readonly string[],
): Promise<FoundCommitter[]> {
  const named = await findCommittersByUserName(db, entityId, identifiers);
  const known = new Set(named.map(({ identifier }) => identifier));
  const others = identifiers.filter((identifier) => !known.has(identifier));
  return others.length === 0 ? named : [...named, ...(await searchCommitters(db, entityId, others))];
}

/** Those that are written exactly so. Nothing goes before that, and lists of a thousand hold little else. */
async function findCommittersByUserName(
  db: Database,
  entityId: number,
  identifiers: readonly string[],
): Promise<FoundCommitter[]> {
  if (identifiers.length === 0) return [];
  const names = [...new Set(identifiers)];
  // What the caller knows does not travel back.
  const { rows } = await sql<{ place: number; id: number; identity_id: number | null; root_name: string | null }>`
    select wanted.place::integer, c.root_committer_id as id, nullif(c.id, c.root_committer_id) as identity_id,
      case when c.root_committer_id <> c.id then (
        select r.committer_user_name from committers r
        where r.entity_id = c.entity_id and r.id = c.root_committer_id) end as root_name
    from unnest(${names}::text[]) with ordinality as wanted(name, place)
    join committers c on c.entity_id = ${entityId} and c.committer_user_name = wanted.name`.execute(db);
  return rows.map(({ place, id, identity_id, root_name }) => {
    const identifier = names[place - 1]!;
    return { identifier, id, committer_user_name: root_name ?? identifier, identity_id: identity_id ?? id };
  });
}

async function searchCommitters(
  db: Database,
  entityId: number,
  identifiers: readonly string[],
): Promise<FoundCommitter[]> {
  const { rows } = await sql<FoundCommitter>`
    with wanted as (
      select distinct identifier, lower(identifier) as key from unnest(${identifiers}::text[]) as t(identifier)
    ), found as (
      select w.identifier, case when c.committer_user_name = w.identifier then 0 else 1 end as rank, c.id
      from wanted w join committers c on c.entity_id = ${entityId} and lower(c.committer_user_name) = w.key
      union all
      select w.identifier, 2, c.id
      from wanted w join committers c on c.entity_id = ${entityId} and lower(c.git_provider_id) = w.key
      union all
      select w.identifier, 2, a.committer_id
      from wanted w join host_accounts a on a.entity_id = ${entityId} and lower(a.external_id) = w.key
        and a.committer_id is not null
      union all
      select w.identifier, 3, a.committer_id
      from wanted w join host_accounts a on a.entity_id = ${entityId} and lower(a.login) = w.key
        and a.committer_id is not null
      union all
      select w.identifier, 3, c.id
      from wanted w join committers c on c.entity_id = ${entityId} and lower(c.email) = w.key
      union all
      select w.identifier, 4, c.id
      from wanted w join committers c on c.entity_id = ${entityId} and lower(c.provider_email) = w.key
      union all
      select w.identifier, 5, i.committer_id
      from wanted w join committer_identities i on i.entity_id = ${entityId} and i.address_key = w.key
      union all
      select w.identifier, 6, i.committer_id
      from wanted w
      join signatures s on s.entity_id = ${entityId} and lower(s.email) = w.key
      join committer_identities i on i.entity_id = ${entityId} and i.address_key = s.address_key
    ), best as (
      select distinct on (identifier) identifier, id from found order by identifier, rank, id
    )
    select b.identifier, r.id, r.committer_user_name, c.id as identity_id
    from best b
    join committers c on c.entity_id = ${entityId} and c.id = b.id
    join committers r on r.entity_id = ${entityId} and r.id = c.root_committer_id`.execute(db);
  return rows;
}
