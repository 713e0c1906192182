// Whom providers and tools name in their reports of use: kept as they name them, and matched with committers by the rules
// that hold everywhere (find-committers.ts). A match moves what the identity reported to the person.
import { sql } from 'kysely';
import type { IdentityKind, IdentityStatus } from '../../domain/ai/usage-sources.ts';
import type { Database } from '../database/handle.ts';
import { findCommittersByIdentifier } from '../people/find-committers.ts';
import { CREDITS, creditUsages } from './usage-credits.ts';
import { noteUsageWeeks } from './usage-weeks.ts';

export interface NamedIdentity {
  readonly ai_provider_em: string;
  readonly kind_em: IdentityKind;
  readonly value: string;
  readonly display_name?: string | null;
}

export interface IdentityRow {
  readonly id: number;
  readonly committer_id: number | null;
}

/** The same for the same identity, in any case. */
export const identityKey = ({ ai_provider_em, kind_em, value }: NamedIdentity): string =>
  JSON.stringify([ai_provider_em, kind_em, value.trim().toLowerCase()]);

/** Makes unknown ones known, by `identityKey`; each is seen on the day. */
export async function noteIdentities(
  db: Database,
  entityId: number,
  identities: readonly NamedIdentity[],
  day: string,
): Promise<Map<string, IdentityRow>> {
  const named = [...new Map(identities.map((each) => [identityKey(each), each])).values()];
  if (named.length === 0) return new Map();
  const { rows } = await sql<IdentityRow & NamedIdentity>`
    insert into ai_identities (entity_id, ai_provider_em, kind_em, value, value_key, display_name, first_seen_on, last_seen_on)
    select ${entityId}::bigint, x.ai_provider_em, x.kind_em, x.value, lower(x.value), x.display_name, ${day}::date, ${day}::date
    from json_to_recordset(${JSON.stringify(named.map((each) => ({ ...each, value: each.value.trim() })))}::json)
      as x(ai_provider_em text, kind_em text, value text, display_name text)
    order by 2, 3, 5
    on conflict (entity_id, ai_provider_em, kind_em, value_key) do update
      set first_seen_on = least(ai_identities.first_seen_on, excluded.first_seen_on),
        last_seen_on = greatest(ai_identities.last_seen_on, excluded.last_seen_on),
        display_name = coalesce(excluded.display_name, ai_identities.display_name)
    returning id, committer_id, ai_provider_em, kind_em, value`.execute(db);
  return new Map(rows.map((row) => [identityKey(row), { id: row.id, committer_id: row.committer_id }]));
}

/** What a committer may be known by, for one way of naming. */
const identifiersOf = (kind: string, value: string): string[] =>
  kind === 'login'
    ? [value, `${value}@users.noreply.github.com`]
    : kind === 'email' || kind === 'user_id'
      ? [value]
      : [];

/** Matches what is unmatched with committers that are known by now. Returns how many were. */
export async function matchIdentities(db: Database, entityId: number): Promise<number> {
  const waiting = await db
    .selectFrom('ai_identities')
    .select(['id', 'kind_em', 'value'])
    .where('entity_id', '=', entityId)
    .where('status_em', '=', 'unmatched')
    .where('is_chosen', '=', false)
    .orderBy('id')
    .execute();
  const names = new Set(waiting.flatMap(({ kind_em, value }) => identifiersOf(kind_em, value)));
  const found = new Map(
    (await findCommittersByIdentifier(db, entityId, [...names])).map((row) => [row.identifier, row.id]),
  );
  let count = 0;
  for (const { id, kind_em, value } of waiting) {
    const committerId = identifiersOf(kind_em, value)
      .map((name) => found.get(name))
      .find((each) => each !== undefined);
    if (committerId === undefined) continue;
    await setIdentity(db, entityId, id, { status_em: 'matched', committer_id: committerId, is_chosen: false });
    count += 1;
  }
  return count;
}

/** Whoever the rows move to is credited anew. */
const NO_CREDITS = sql.raw(CREDITS.map((name) => `${name} = null`).join(', '));

/** Sets who an identity is, and moves its rows there. Returns whether there is such an identity. */
export async function setIdentity(
  db: Database,
  entityId: number,
  identityId: number,
  to: { readonly status_em: IdentityStatus; readonly committer_id: number | null; readonly is_chosen: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ai_identities')
    .set(to)
    .where('entity_id', '=', entityId)
    .where('id', '=', identityId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const { rows } = await sql<{ committer_id: number | null; used_on: string }>`
    with before as (
      select id, committer_id from ai_usages
      where entity_id = ${entityId} and identity_id = ${identityId}
        and committer_id is distinct from ${to.committer_id}::bigint
    ), moved as (
      update ai_usages set committer_id = ${to.committer_id}::bigint, ${NO_CREDITS}
      from before where ai_usages.entity_id = ${entityId} and ai_usages.id = before.id
      returning before.committer_id, ai_usages.used_on
    )
    select distinct committer_id, used_on from moved`.execute(db);
  const touched = rows.flatMap(({ committer_id, used_on }) => [
    { committer_id, used_on },
    { committer_id: to.committer_id, used_on },
  ]);
  if (touched.length > 0) {
    await creditUsages(db, entityId, { usedBy: touched });
    await noteUsageWeeks(db, entityId, touched);
  }
  await fillSeats(db, entityId);
  return true;
}

/** Whoever is known of those that providers list holds a seat. */
export async function fillSeats(db: Database, entityId: number): Promise<void> {
  await sql`delete from ai_seats where entity_id = ${entityId} and exists (
    select from ai_seat_listings l where l.entity_id = ai_seats.entity_id and l.ai_provider_em = ai_seats.ai_provider_em)`.execute(
    db,
  );
  await sql`
    insert into ai_seats (entity_id, committer_id, ai_provider_em, from_on, until_on)
    select l.entity_id, i.committer_id, l.ai_provider_em, l.from_on,
      case when bool_or(l.until_on is null) then null else max(l.until_on) end
    from ai_seat_listings l
    join ai_identities i on i.entity_id = l.entity_id and i.id = l.identity_id
    where l.entity_id = ${entityId} and i.committer_id is not null and i.status_em = 'matched'
    group by 1, 2, 3, 4
    on conflict (entity_id, committer_id, ai_provider_em, from_on) do update set until_on = excluded.until_on`.execute(
    db,
  );
}

export interface ListedIdentity {
  readonly id: number;
  readonly ai_provider_em: string;
  readonly kind_em: string;
  readonly value: string;
  readonly display_name: string | null;
  readonly status_em: string;
  readonly committer_user_name: string | null;
  readonly first_seen_on: string;
  readonly last_seen_on: string;
  readonly row_count: number;
  readonly cost_microcents: number;
  readonly lines_added: number;
  readonly has_seat: boolean;
}

/** With what counts of theirs in the last days, most cost first. */
export async function listIdentities(
  db: Database,
  entityId: number,
  filter: { readonly status: string | null; readonly since: string },
): Promise<ListedIdentity[]> {
  const { rows } = await sql<ListedIdentity>`
    select i.id, i.ai_provider_em, i.kind_em, i.value, i.display_name, i.status_em, c.committer_user_name,
      i.first_seen_on, i.last_seen_on, coalesce(u.row_count, 0) as row_count,
      coalesce(u.cost_microcents, 0)::bigint as cost_microcents, coalesce(u.lines_added, 0)::bigint as lines_added,
      exists (select from ai_seat_listings l where l.entity_id = i.entity_id and l.identity_id = i.id
        and l.until_on is null) as has_seat
    from ai_identities i
    left join committers c on c.entity_id = i.entity_id and c.id = i.committer_id
    left join lateral (
      select count(*) as row_count, sum(case when u.is_cost_chosen then u.cost_microcents end) as cost_microcents,
        sum(case when u.is_activity_chosen then u.lines_added end) as lines_added
      from ai_usages u
      where u.entity_id = i.entity_id and u.identity_id = i.id and u.used_on >= ${filter.since}::date
        and (u.is_activity_chosen or u.is_cost_chosen)) u on true
    where i.entity_id = ${entityId} and (${filter.status}::text is null or i.status_em = ${filter.status}::text)
    order by 11 desc, 12 desc, i.id
    limit 2000`.execute(db);
  return rows;
}
