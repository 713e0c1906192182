// Whose statistics reports show: contributors in scope, those a user may see, and names to show them by.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { ShownName } from '../database/shown-name.ts';

export interface ContributorCount {
  readonly total: number;
  /** Of these, how many the caller sees. */
  readonly covered: number;
}

export async function countContributors(
  db: Database,
  entityId: number,
  scope: {
    /** Root committers that are asked for, and that may be seen; null: all. */
    readonly people: readonly number[] | null;
    readonly visible: readonly number[] | null;
    readonly teamId: number | null;
    /** Who has commits in one of them; null: in whichever. */
    readonly repoIds: readonly number[] | null;
  },
): Promise<ContributorCount> {
  const { people, visible, teamId, repoIds } = scope;
  const { rows } = await sql<ContributorCount>`
    select count(*) as total,
      count(*) filter (where ${visible}::bigint[] is null or r.id = any(${visible}::bigint[])) as covered
    from committers r
    where r.entity_id = ${entityId} and r.root_committer_id = r.id and r.processing_status = 'processing_stats'
      and not r.is_ai_agent and (${people}::bigint[] is null or r.id = any(${people}::bigint[]))
      and (${teamId}::bigint is null or exists (
        select 1 from team_members m join committers x on x.entity_id = m.entity_id and x.id = m.committer_id
        where m.entity_id = ${entityId} and m.team_id = ${teamId} and x.root_committer_id = r.id))
      and (${repoIds}::bigint[] is null or r.id in (
        select x.root_committer_id from committers x
        where x.entity_id = ${entityId} and x.id in (
          select d.committer_id from daily_commits d
          where d.entity_id = ${entityId} and d.repo_id = any(${repoIds}::bigint[]))))`.execute(db);
  return rows[0]!;
}

/** The same of each team that has contributors: by its id. */
export async function countTeamContributors(
  db: Database,
  entityId: number,
  scope: { readonly people: readonly number[] | null; readonly visible: readonly number[] | null },
): Promise<Map<number, ContributorCount>> {
  const { people, visible } = scope;
  const { rows } = await sql<ContributorCount & { team_id: number }>`
    select m.team_id, count(distinct r.id) as total,
      count(distinct r.id) filter (where ${visible}::bigint[] is null or r.id = any(${visible}::bigint[])) as covered
    from team_members m
    join committers x on x.entity_id = m.entity_id and x.id = m.committer_id
    join committers r on r.entity_id = x.entity_id and r.id = x.root_committer_id
    where m.entity_id = ${entityId} and r.processing_status = 'processing_stats' and not r.is_ai_agent
      and (${people}::bigint[] is null or r.id = any(${people}::bigint[]))
    group by m.team_id`.execute(db);
  return new Map(rows.map(({ team_id, total, covered }) => [team_id, { total, covered }]));
}

export type StatsAccess = 'open' | 'team' | 'private';

/**
 * Root committers whose statistics a user may see who is no admin; null: all. Past memberships give no sight, nor do those
 * that somebody made who could not allow it.
 */
export async function listVisiblePeople(
  db: Database,
  entityId: number,
  {
    userId,
    access,
    today,
  }: {
    readonly userId: number;
    readonly access: StatsAccess;
    /** In the entity's zone, in which memberships end. */
    readonly today: string;
  },
): Promise<readonly number[] | null> {
  if (access === 'open') return null;
  const { rows } = await sql<{ root_id: number }>`
    with self as (
      select c.root_committer_id as root_id from committers c join users u on u.id = ${userId}
      where c.entity_id = ${entityId} and (c.user_id = u.id or lower(c.email) = u.email)
    ), mine as (
      select m.team_id from team_members m
      left join committers c on c.entity_id = m.entity_id and c.id = m.committer_id
      where m.entity_id = ${entityId} and (${access}::text = 'team' or m.role_em = 'manager_role')
        and m.gives_sight and (m.until_on is null or m.until_on > ${today}::date)
        and (c.root_committer_id in (select root_id from self)
          or lower(coalesce(m.email, m.identifier)) = (select email from users where id = ${userId}))
    )
    select root_id from self
    union
    select c.root_committer_id from team_members m
    join teams t on t.entity_id = m.entity_id and t.id = m.team_id and not t.is_default
    join committers c on c.entity_id = m.entity_id and c.id = m.committer_id
    where m.entity_id = ${entityId} and m.team_id in (select team_id from mine)
      and m.gives_sight and (m.until_on is null or m.until_on > ${today}::date)`.execute(db);
  return rows.map(({ root_id }) => root_id);
}

/** Whether a committer is one of these people; `visible` null: whoever it is. */
export const isVisible = (
  { entityId, visible }: { readonly entityId: number; readonly visible: readonly number[] | null },
  committer: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  visible === null
    ? sql<boolean>`true`
    : sql<boolean>`${committer} in (
        select v.id from committers v
        where v.entity_id = ${entityId} and v.root_committer_id = any(${[...visible]}::bigint[]))`;

export async function listCommitterNames(db: Database, entityId: number, ids: readonly number[]): Promise<ShownName[]> {
  const { rows } = await sql<ShownName>`
    select id, coalesce(nullif(full_name, ''), committer_user_name) as short,
      full_name || ' (' || committer_user_name || ')' as long
    from committers where entity_id = ${entityId} and id = any(${ids}::bigint[])`.execute(db);
  return rows;
}
