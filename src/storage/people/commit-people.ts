// Finds or makes the committers behind the signatures of commits. An address key belongs to exactly one
// committer; what mailmap says joins committers as root and child. New people are made under a lock per
// entity, so that parallel imports agree on who is who and user names stay unique.
import { sql } from 'kysely';
import { effectiveEntitySettings } from '../../domain/access/entity-settings.ts';
import { type ProcessingStatus, usesSeat } from '../../domain/people/processing-status.ts';
import { readStoredSettings } from '../access/entity-settings.ts';
import { creditUsages } from '../ai/usage-credits.ts';
import { reconcileRollups } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';
import { bindTeamMembers } from '../teams/members.ts';
import { countSeats, lockSeats } from './developers.ts';
import { enqueueReviewsOf } from './enqueue-reviews.ts';
import { lockPeople } from './lock-people.ts';

export interface SignatureSeed {
  readonly name: string;
  readonly email: string;
  /** How a new committer is shown; the name unless given. */
  readonly full_name?: string;
  /** What identifies the person: see personOf in domain/people. */
  readonly address_key: string;
  /** Where the user name of a new committer starts from. */
  readonly user_name: string;
  /** What the address says: a service account, also a host's own, is a bot. */
  readonly kind: 'person' | 'ai_agent' | 'bot' | 'host';
  readonly git_provider_id: string | null;
  /** The address key of the person that mailmap says this is, else null. */
  readonly belongs_to: string | null;
}

export interface KnownSignature {
  readonly signature_id: number;
  readonly committer_id: number;
}

export const signatureKey = (identity: { readonly name: string; readonly email: string }): string =>
  `${identity.email}\0${identity.name}`;

/** Runs in transactions of its own: call it outside of one. */
export async function resolveSignatures(
  db: Database,
  entityId: number,
  seeds: readonly SignatureSeed[],
  defaultStatus: ProcessingStatus,
): Promise<Map<string, KnownSignature>> {
  await detectAgents(db, entityId, seeds, defaultStatus);
  const known = await findSignatures(db, entityId, seeds);
  const apart = await findApart(db, entityId, seeds);
  const missing = seeds.filter((seed) => !known.has(signatureKey(seed)) || apart.has(seed));
  if (missing.length === 0) return known;
  await db.transaction().execute(async (trx) => {
    await lockPeople(trx, entityId);
    const owners = await findOwners(trx, entityId, missing);
    await createCommitters(trx, entityId, missing, owners, defaultStatus);
    await bindTeamMembers(trx, entityId);
    const joined = await joinByMailmap(trx, entityId, missing, owners);
    joined.push(...(await joinByHostAccount(trx, entityId, missing, owners)));
    await enqueueReviewsOf(trx, entityId, joined);
    await sql`
      insert into signatures (entity_id, address_key, name, email)
      select ${entityId}, k, n, e
      from unnest(${missing.map((s) => s.address_key)}::text[], ${missing.map((s) => s.name)}::text[],
                  ${missing.map((s) => s.email)}::text[]) as t(k, n, e)
      on conflict (entity_id, email, name) do nothing`.execute(trx);
  });
  for (const [key, signature] of await findSignatures(db, entityId, missing)) known.set(key, signature);
  return known;
}

/** A person to find by any of several keys, or to make. */
export interface PersonSeed extends SignatureSeed {
  /** Further keys; the first that has an owner says who it is, and those without one go to the same owner. */
  readonly alternatives: readonly string[];
}

/** Finds or makes committers without a signature. Address key → committer. Call it under `lockPeople`. */
export async function makeCommitters(
  db: Database,
  entityId: number,
  people: readonly PersonSeed[],
  defaultStatus: ProcessingStatus,
): Promise<ReadonlyMap<string, number>> {
  const seeds = people.flatMap((person): SignatureSeed[] => [
    person,
    ...person.alternatives.map((address_key) => ({ ...person, address_key, belongs_to: person.address_key })),
  ]);
  const owners = await findOwners(db, entityId, seeds);
  const found = new Map<string, number>();
  for (const { address_key, alternatives } of people) {
    const owner = [address_key, ...alternatives].map((key) => owners.get(key)).find((id) => id !== undefined);
    if (owner !== undefined) found.set(address_key, owner);
  }
  const taken = new Set(owners.keys());
  for (const [key, owner] of found) owners.set(key, owner);
  await createCommitters(db, entityId, seeds, owners, defaultStatus);
  // A key that leads to somebody known is not yet stored as theirs.
  const keys = [...found].filter(([key]) => !taken.has(key));
  if (keys.length > 0) {
    await sql`
      insert into committer_identities (entity_id, committer_id, address_key)
      select ${entityId}, c, k from unnest(${keys.map(([, id]) => id)}::bigint[], ${keys.map(([key]) => key)}::text[])
        as t(c, k)
      on conflict (entity_id, address_key) do nothing`.execute(db);
  }
  return owners;
}

/** Accounts that an earlier version took for bots; a status that a person chose stays. */
async function detectAgents(
  db: Database,
  entityId: number,
  seeds: readonly SignatureSeed[],
  defaultStatus: ProcessingStatus,
): Promise<void> {
  const keys = seeds.filter(isAgent).map(({ address_key }) => address_key);
  if (keys.length === 0) return;
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      update committers c set is_bot = false, is_ai_agent = true,
        processing_status = case when c.is_status_chosen then c.processing_status
          else ${defaultStatus}::processing_status end
      from committer_identities i
      where i.entity_id = ${entityId} and i.address_key = any(${keys})
        and c.entity_id = ${entityId} and c.id = i.committer_id and c.is_bot
      returning c.id`.execute(trx);
    if (rows.length > 0) await reconcileRollups(trx, entityId, { authorIds: rows.map(({ id }) => id) });
    // An earlier version showed the model that signed first.
    const agents = seeds.filter(isAgent);
    await sql`
      update committers c set full_name = t.name
      from unnest(${agents.map(({ address_key }) => address_key)}::text[], ${agents.map(shownAs)}::text[]) as t(key, name)
      join committer_identities i on i.entity_id = ${entityId} and i.address_key = t.key
      where c.entity_id = ${entityId} and c.id = i.committer_id and c.is_ai_agent and c.full_name <> t.name
        and t.name <> ''`.execute(trx);
  });
}

async function findSignatures(
  db: Database,
  entityId: number,
  seeds: readonly SignatureSeed[],
): Promise<Map<string, KnownSignature>> {
  if (seeds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; committer_id: number; name: string; email: string }>`
    select s.id, i.committer_id, s.name, s.email
    from unnest(${seeds.map((s) => s.email)}::text[], ${seeds.map((s) => s.name)}::text[]) as t(email, name)
    join signatures s on s.entity_id = ${entityId} and s.email = t.email and s.name = t.name
    join committer_identities i on i.entity_id = ${entityId} and i.address_key = s.address_key`.execute(db);
  return new Map(
    rows.map((row) => [signatureKey(row), { signature_id: row.id, committer_id: row.committer_id }] as const),
  );
}

/** Seeds that mailmap gives to a person who is not, or not yet, the same committer as theirs. */
async function findApart(db: Database, entityId: number, seeds: readonly SignatureSeed[]): Promise<Set<SignatureSeed>> {
  const mapped = seeds.filter((seed) => seed.belongs_to !== null);
  if (mapped.length === 0) return new Set();
  const { rows } = await sql<{ address_key: string; root_committer_id: number }>`
    select i.address_key, c.root_committer_id
    from committer_identities i join committers c on c.entity_id = i.entity_id and c.id = i.committer_id
    where i.entity_id = ${entityId}
      and i.address_key = any(${mapped.flatMap((seed) => [seed.address_key, seed.belongs_to ?? ''])})`.execute(db);
  const roots = new Map(rows.map((row) => [row.address_key, row.root_committer_id]));
  return new Set(
    mapped.filter((seed) => {
      const [own, wanted] = [roots.get(seed.address_key), roots.get(seed.belongs_to ?? '')];
      return own === undefined || own !== wanted;
    }),
  );
}

/** Address key → committer, for all keys that the seeds name. */
async function findOwners(
  db: Database,
  entityId: number,
  seeds: readonly SignatureSeed[],
): Promise<Map<string, number>> {
  const keys = [...new Set(seeds.flatMap((seed) => [seed.address_key, seed.belongs_to ?? seed.address_key]))];
  const rows = await db
    .selectFrom('committer_identities')
    .select(['address_key', 'committer_id'])
    .where('entity_id', '=', entityId)
    .where('address_key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.address_key, row.committer_id]));
}

/** Makes a committer for every person without one, and gives unowned keys to theirs. */
async function createCommitters(
  db: Database,
  entityId: number,
  seeds: readonly SignatureSeed[],
  owners: Map<string, number>,
  defaultStatus: ProcessingStatus,
): Promise<void> {
  const newcomers = new Map<string, SignatureSeed>();
  for (const seed of seeds) {
    const person = seed.belongs_to ?? seed.address_key;
    if (owners.has(person)) continue;
    // The signature that mailmap leads to names the person; its raw forms come before or after it.
    const named = newcomers.get(person);
    if (named === undefined || (named.belongs_to !== null && seed.belongs_to === null)) newcomers.set(person, seed);
  }
  const people = [...newcomers.values()];
  const userNames = await chooseUserNames(db, entityId, people);
  const statuses = await chooseStatuses(db, entityId, people, defaultStatus);
  if (people.length > 0) {
    const { rows } = await sql<{ id: number; ordinality: number }>`
      with new as materialized (
        select nextval('committers_id_seq') as id, t.*
        from unnest(${userNames}::text[], ${people.map(shownAs)}::text[], ${people.map((p) => p.email)}::text[],
                    ${people.map(isBot)}::boolean[], ${people.map(isAgent)}::boolean[],
                    ${people.map((p) => p.git_provider_id)}::text[], ${statuses}::text[])
             with ordinality as t(user_name, full_name, email, is_bot, is_ai_agent, git_provider_id, status, ordinality)
      ), made as (
        insert into committers (entity_id, id, root_committer_id, processing_status, is_bot, is_ai_agent,
                                committer_user_name, full_name, email, git_provider_id)
        select ${entityId}, id, id, status::processing_status, is_bot, is_ai_agent, user_name, full_name, email,
               git_provider_id
        from new
      )
      select id, ordinality from new order by ordinality`.execute(db);
    for (const [index, person] of [...newcomers.keys()].entries()) owners.set(person, rows[index]!.id);
  }
  const keys = new Map<string, number>();
  for (const person of newcomers.keys()) keys.set(person, owners.get(person)!);
  for (const seed of seeds) {
    if (owners.has(seed.address_key)) continue;
    const owner = owners.get(seed.belongs_to ?? seed.address_key)!;
    owners.set(seed.address_key, owner);
    keys.set(seed.address_key, owner);
  }
  if (keys.size === 0) return;
  await sql`
    insert into committer_identities (entity_id, committer_id, address_key)
    select ${entityId}, c, k from unnest(${[...keys.values()]}::bigint[], ${[...keys.keys()]}::text[]) as t(c, k)
    on conflict (entity_id, address_key) do nothing`.execute(db);
}

const shownAs = ({ full_name, name }: SignatureSeed): string => full_name ?? name;
const isAgent = ({ kind }: SignatureSeed): boolean => kind === 'ai_agent';
const isBot = ({ kind }: SignatureSeed): boolean => kind === 'bot' || kind === 'host';

/**
 * The entity's default, less for bots. No person is processed whom no seat is left for; agents and bots need none
 * while their status is what detection gave them.
 */
async function chooseStatuses(
  db: Database,
  entityId: number,
  people: readonly SignatureSeed[],
  defaultStatus: ProcessingStatus,
): Promise<ProcessingStatus[]> {
  if (people.length === 0 || !usesSeat(defaultStatus)) return people.map(() => defaultStatus);
  const { seat_limit } = effectiveEntitySettings(await readStoredSettings(db, entityId));
  let freeSeats = Number.POSITIVE_INFINITY;
  if (seat_limit !== null) {
    await lockSeats(db, entityId);
    freeSeats = seat_limit - (await countSeats(db, entityId));
  }
  return people.map((person) => {
    if (isBot(person)) return 'limited_processing';
    if (isAgent(person)) return defaultStatus;
    freeSeats -= 1;
    return freeSeats < 0 ? 'not_processing' : defaultStatus;
  });
}

/** The wanted names, with -2, -3 … where they are taken. */
async function chooseUserNames(db: Database, entityId: number, people: readonly SignatureSeed[]): Promise<string[]> {
  if (people.length === 0) return [];
  const wanted = [...new Set(people.map((person) => person.user_name.toLowerCase()))];
  const { rows } = await sql<{ name: string }>`
    select lower(committer_user_name) as name from committers
    where entity_id = ${entityId} and (lower(committer_user_name) = any(${wanted})
      or regexp_replace(lower(committer_user_name), '-\\d+$', '') = any(${wanted}))`.execute(db);
  const taken = new Set(rows.map(({ name }) => name));
  return people.map(({ user_name }) => {
    let name = user_name;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${user_name}-${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** A key that already belonged to somebody else than mailmap says: that committer becomes a child. */
async function joinByMailmap(
  db: Database,
  entityId: number,
  seeds: readonly SignatureSeed[],
  owners: ReadonlyMap<string, number>,
): Promise<number[]> {
  const joined: number[] = [];
  for (const seed of seeds) {
    if (seed.belongs_to === null) continue;
    const child = owners.get(seed.address_key);
    const root = owners.get(seed.belongs_to);
    if (child === undefined || root === undefined || child === root) continue;
    joined.push(...(await joinCommitters(db, entityId, child, root)));
  }
  return joined;
}

/** One account at a host is one person, also after it was renamed: its private address keeps the number. */
async function joinByHostAccount(
  db: Database,
  entityId: number,
  seeds: readonly SignatureSeed[],
  owners: ReadonlyMap<string, number>,
): Promise<number[]> {
  const joined: number[] = [];
  for (const { git_provider_id, address_key } of seeds) {
    const own = owners.get(address_key);
    if (git_provider_id === null || own === undefined) continue;
    const host = address_key.slice(address_key.lastIndexOf('@') + 1);
    const { rows } = await sql<{ id: number }>`
      select c.id from committers c
      where c.entity_id = ${entityId} and c.git_provider_id = ${git_provider_id} and c.id <> ${own}
        and lower(c.email) like ${`%@${host}`} order by c.id limit 1`.execute(db);
    if (rows[0] !== undefined) joined.push(...(await joinCommitters(db, entityId, own, rows[0].id)));
  }
  return joined;
}

/** Makes `child` and all that hangs on its root children of the root of `root`. Returns those that have another root now. */
export async function joinCommitters(
  db: Database,
  entityId: number,
  child: number,
  root: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    update committers set root_committer_id = target.root_committer_id
    from (select root_committer_id from committers where entity_id = ${entityId} and id = ${root}) target,
         (select root_committer_id from committers where entity_id = ${entityId} and id = ${child}) source
    where committers.entity_id = ${entityId} and committers.root_committer_id = source.root_committer_id
      and source.root_committer_id <> target.root_committer_id
    returning committers.id`.execute(db);
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return ids;
  await reconcileRollups(db, entityId, { authorIds: ids });
  await creditUsages(db, entityId, { committerIds: ids });
  return ids;
}
