// Who can be sent a survey: members of teams and committers, and how much these used AI tools lately.
import { sql } from 'kysely';
import { aiCohort } from '../../domain/ai/cohort.ts';
import type { Database } from '../database/handle.ts';

export interface Member {
  readonly team_id: number;
  readonly is_default: boolean;
  /** The root committer; null while no commit of the member is known. */
  readonly committer_id: number | null;
  readonly identifier: string;
  readonly email: string | null;
}

/**
 * Members of all teams on that day; of the default team, which has everybody whose statistics are kept,
 * only where it is among the wanted.
 */
export async function listMembersOn(
  db: Database,
  entityId: number,
  today: string,
  wantedTeamIds: readonly number[],
): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select m.team_id, t.is_default, c.root_committer_id as committer_id, m.identifier, m.email
    from team_members m
    join teams t on t.entity_id = m.entity_id and t.id = m.team_id
    left join committers c on c.entity_id = m.entity_id and c.id = m.committer_id
    where m.entity_id = ${entityId}
      and (m.from_on is null or m.from_on <= ${today}::date) and (m.until_on is null or m.until_on > ${today}::date)
    union all
    select t.id, true, c.id, c.committer_user_name, null
    from teams t join committers c on c.entity_id = t.entity_id
    where t.entity_id = ${entityId} and t.is_default and t.id = any (${[...wantedTeamIds]}::bigint[])
      and c.id = c.root_committer_id and not c.is_bot and not c.is_ai_agent
      and c.processing_status <> 'not_processing'
    order by 2, 1, 4`.execute(db);
  return rows;
}

export interface Person {
  readonly id: number;
  readonly committer_user_name: string;
  readonly full_name: string;
}

export async function listPeople(db: Database, entityId: number, ids: readonly number[]): Promise<Map<number, Person>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Person>`
    select id, committer_user_name, full_name from committers
    where entity_id = ${entityId} and id = any (${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((person) => [person.id, person]));
}

/** Cohort of each committer in the ISO week that begins on that Monday. */
export async function readCohorts(
  db: Database,
  entityId: number,
  committerIds: readonly number[],
  monday: string,
): Promise<Map<number, string>> {
  if (committerIds.length === 0) return new Map();
  const ids = [...committerIds];
  const { rows } = await sql<{ committer_id: number; interactions: number; active_days: number }>`
    with week as (select ${monday}::date as first_on, ${monday}::date + 7 as until_on),
    usage as (
      select c.root_committer_id as committer_id, u.used_on as day,
             case when prompted_suggest_count is null and tab_accept_count is null
                  then ceil(coalesce(lines_added, 0) / 20.0)
                  else coalesce(prompted_suggest_count, 0) + coalesce(tab_accept_count, 0) end as interactions
      from ai_usages u join committers c on c.entity_id = u.entity_id and c.id = u.committer_id, week
      where u.entity_id = ${entityId} and u.is_activity_chosen and c.root_committer_id = any (${ids}::bigint[])
        and u.used_on >= week.first_on and u.used_on < week.until_on
    ), days as (
      select committer_id, day, interactions from usage
      union all
      select c.root_committer_id, d.authored_on, 0
      from daily_commits d join committers c on c.entity_id = d.entity_id and c.id = d.committer_id, week
      where d.entity_id = ${entityId} and c.root_committer_id = any (${ids}::bigint[])
        and d.authored_on >= week.first_on and d.authored_on < week.until_on
    )
    select committer_id, sum(interactions)::float8 as interactions, count(distinct day)::int as active_days
    from days group by committer_id`.execute(db);
  const cohorts = new Map<number, string>(ids.map((id) => [id, 'non_user']));
  for (const row of rows) cohorts.set(row.committer_id, aiCohort(row.interactions, row.active_days));
  return cohorts;
}
