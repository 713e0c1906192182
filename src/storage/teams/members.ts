// Members of teams. A membership names a committer, or an identifier that will become one; whoever reads
// members goes through the committer's root, so that merged people stay in their teams.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';
import { findCommittersByIdentifier } from '../people/find-committers.ts';
import { holdsSeat } from '../people/holds-seat.ts';

export type RoleEm = Row<'team_members'>['role_em'];
export type TeamMemberRow = Row<'team_members'>;

export interface DeveloperTeamRow {
  /** The root committer. */
  readonly committer_id: number;
  readonly role_em: RoleEm;
  readonly team_id: number;
  readonly team_name: string;
  readonly team_slug: string;
}

/** Teams that people are in on a day. The team of everybody is not listed. */
export async function listTeamsOfDevelopers(
  db: Database,
  entityId: number,
  rootIds: readonly number[],
  day: string,
): Promise<DeveloperTeamRow[]> {
  if (rootIds.length === 0) return [];
  const { rows } = await sql<DeveloperTeamRow>`
    select distinct c.root_committer_id as committer_id, m.role_em, t.id as team_id, t.name as team_name,
           t.slug as team_slug
    from committers c
    join team_members m on m.entity_id = ${entityId} and m.committer_id = c.id
    join teams t on t.entity_id = ${entityId} and t.id = m.team_id
    where c.entity_id = ${entityId} and c.root_committer_id = any(${rootIds})
      and (m.from_on is null or m.from_on <= ${day}::date) and (m.until_on is null or m.until_on > ${day}::date)
    order by team_name, role_em`.execute(db);
  return rows;
}

export interface NewMember {
  /** Null while nobody is known by the identifier. */
  readonly committer_id: number | null;
  /** In lower case. */
  readonly identifier: string;
  readonly email: string | null;
}

/** All memberships of a team, ended ones too, with the root of each known member. */
export async function readMemberships(
  db: Database,
  entityId: number,
  teamId: number,
): Promise<(TeamMemberRow & { root_id: number | null })[]> {
  const { rows } = await sql<TeamMemberRow & { root_id: number | null }>`
    select m.*, c.root_committer_id as root_id
    from team_members m left join committers c on c.entity_id = ${entityId} and c.id = m.committer_id
    where m.entity_id = ${entityId} and m.team_id = ${teamId} order by m.id`.execute(db);
  return rows;
}

export type NewMembership = NewMember & Pick<TeamMemberRow, 'from_on' | 'until_on'>;

export interface MembershipPlace extends Pick<TeamMemberRow, 'entity_id' | 'team_id' | 'role_em' | 'gives_sight'> {
  readonly created_at: Date;
}

export async function insertMembers(
  db: Database,
  { entity_id, team_id, role_em, gives_sight, created_at }: MembershipPlace,
  members: readonly NewMembership[],
): Promise<void> {
  if (members.length === 0) return;
  const column = (name: keyof NewMembership) => members.map((member) => member[name]);
  await sql`
    insert into team_members (entity_id, team_id, role_em, gives_sight, created_at,
      committer_id, identifier, email, from_on, until_on)
    select ${entity_id}::bigint, ${team_id}::bigint, ${role_em}::text, ${gives_sight}::boolean, ${created_at}::timestamptz, x.*
    from unnest(${column('committer_id')}::bigint[], ${column('identifier')}::text[], ${column('email')}::text[],
      ${column('from_on')}::date[], ${column('until_on')}::date[]) as x`.execute(db);
}

/** What can be changed of a membership; rows come with all of it. */
export type MembershipState = Pick<TeamMemberRow, 'entity_id' | 'id' | 'from_on' | 'until_on' | 'gives_sight'>;

/** Each row once. */
export async function changeMembers(db: Database, rows: readonly MembershipState[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await sql`
    update team_members set from_on = x.from_on, until_on = x.until_on, gives_sight = x.gives_sight
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ from_on }) => from_on)}::date[],
      ${rows.map(({ until_on }) => until_on)}::date[], ${rows.map(({ gives_sight }) => gives_sight)}::boolean[])
      as x(id, from_on, until_on, gives_sight)
    where team_members.entity_id = ${first.entity_id} and team_members.id = x.id`.execute(db);
}

export async function deleteMembers(
  db: Database,
  rows: readonly Pick<TeamMemberRow, 'entity_id' | 'id'>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const ids = rows.map(({ id }) => id);
  await db.deleteFrom('team_members').where('entity_id', '=', first.entity_id).where('id', 'in', ids).execute();
}

export async function markInvited(
  db: Database,
  rows: readonly Pick<TeamMemberRow, 'entity_id' | 'id'>[],
  invited_at: Date,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const ids = rows.map(({ id }) => id);
  await db
    .updateTable('team_members')
    .set({ invited_at })
    .where('entity_id', '=', first.entity_id)
    .where('id', 'in', ids)
    .execute();
}

/** Gives memberships that wait for somebody to the people who are known by now. */
export async function bindTeamMembers(db: Database, entityId: number): Promise<void> {
  const { rows } = await sql<{ identifier: string }>`
    select distinct identifier from team_members
    where entity_id = ${entityId} and committer_id is null`.execute(db);
  const found = await findCommittersByIdentifier(
    db,
    entityId,
    rows.map(({ identifier }) => identifier),
  );
  if (found.length === 0) return;
  await sql`
    update team_members set committer_id = found.id
    from unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(({ identifier }) => identifier)}::text[])
         as found(id, identifier)
    where team_members.entity_id = ${entityId} and team_members.committer_id is null
      and team_members.identifier = found.identifier`.execute(db);
}

export interface ShownMemberRow {
  readonly team_id: number;
  readonly role_em: RoleEm;
  readonly committer_user_name: string | null;
  readonly full_name: string | null;
  readonly email: string | null;
  readonly from_on: string | null;
  /** The last day. */
  readonly end_date: string | null;
  readonly is_known: boolean;
}

/** Who is in the teams on a day or will be, each person once per role; everybody for the team of everybody. */
export async function listMembers(
  db: Database,
  entityId: number,
  teamIds: readonly number[],
  day: string,
): Promise<ShownMemberRow[]> {
  const { rows } = await sql<ShownMemberRow>`
    with shown as (
      select distinct on (m.team_id, m.role_em, coalesce(r.id::text, m.identifier))
             m.team_id, m.role_em, m.from_on, m.until_on - 1 as end_date, r.id is not null as is_known, r.full_name,
             coalesce(r.committer_user_name, case when m.email is null then m.identifier end) as committer_user_name,
             coalesce(m.email, r.provider_email, nullif(r.email, '')) as email
      from team_members m
      left join committers c on c.entity_id = ${entityId} and c.id = m.committer_id
      left join committers r on r.entity_id = ${entityId} and r.id = c.root_committer_id
      where m.entity_id = ${entityId} and m.team_id = any(${teamIds})
        and (m.until_on is null or m.until_on > ${day}::date)
      order by m.team_id, m.role_em, coalesce(r.id::text, m.identifier), m.id
    )
    select * from shown
    union all
    select t.id, 'committer_role', null, null, true, r.full_name, r.committer_user_name,
           coalesce(r.provider_email, nullif(r.email, ''))
    from teams t join committers r on r.entity_id = ${entityId} and r.id = r.root_committer_id
    where t.entity_id = ${entityId} and t.is_default and t.id = any(${teamIds})
    order by team_id, role_em, committer_user_name nulls last, email`.execute(db);
  return rows;
}

export interface TeamCountsRow {
  readonly team_id: number;
  readonly committers_total_count: number;
  readonly committers_active_count: number;
  readonly committers_seated: readonly string[];
}

/** Developers of the teams on a day with all their identities; seats count only while they are paid. */
export async function countMembers(
  db: Database,
  entityId: number,
  teamIds: readonly number[],
  day: string,
  areSeatsPaid: boolean,
): Promise<TeamCountsRow[]> {
  const { rows } = await sql<TeamCountsRow>`
    with people as (
      select m.team_id, c.root_committer_id as root_id
      from team_members m join committers c on c.entity_id = ${entityId} and c.id = m.committer_id
      where m.entity_id = ${entityId} and m.team_id = any(${teamIds}) and m.role_em = 'committer_role'
        and (m.from_on is null or m.from_on <= ${day}::date) and (m.until_on is null or m.until_on > ${day}::date)
      union
      select t.id, r.id
      from teams t join committers r on r.entity_id = ${entityId} and r.id = r.root_committer_id
      where t.entity_id = ${entityId} and t.is_default and t.id = any(${teamIds})
    )
    select p.team_id, count(*) as committers_total_count,
           count(*) filter (where r.processing_status <> 'not_processing' and (c.id = r.id or ${areSeatsPaid}))
             as committers_active_count,
           coalesce(array_agg(r.committer_user_name order by r.committer_user_name)
             filter (where ${holdsSeat('r')} and c.id = r.id and ${areSeatsPaid}), '{}')
             as committers_seated
    from people p
    join committers r on r.entity_id = ${entityId} and r.id = p.root_id
    join committers c on c.entity_id = ${entityId} and c.root_committer_id = r.id
    group by p.team_id`.execute(db);
  return rows;
}

/** Addresses that mail can reach people at, by root committer; a host's stand-in address is none. */
export async function findAddresses(
  db: Database,
  entityId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; email: string }>`
    select distinct on (r.id) r.id, lower(e.email) as email
    from committers r
    join committers c on c.entity_id = ${entityId} and c.root_committer_id = r.id
    cross join lateral (values (1, c.provider_email), (2, c.email)) as e(rank, email)
    where r.entity_id = ${entityId} and r.id = any(${ids})
      and e.email like '%_@_%._%' and e.email !~* 'no-?reply'
    order by r.id, (c.id = r.id) desc, e.rank, c.id`.execute(db);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Which of the addresses belong to users with a role in the entity. */
export async function findJoined(db: Database, entityId: number, emails: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`
    select u.email from users u join memberships m on m.user_id = u.id
    where m.entity_id = ${entityId} and u.email = any(${emails})`.execute(db);
  return new Set(rows.map(({ email }) => email));
}
