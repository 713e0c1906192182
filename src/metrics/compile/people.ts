// The parts of a query that say whose work it is: people with their children folded in, seats in teams, and
// the cohort by use of AI that each person was in, week by week.
import { DAY_OF_REPORT, INTERACTIONS_OF_REPORT } from '../../storage/ai/usage-weeks.ts';
import type { ScopeShape } from '../scope.ts';

/** Monday of the date's ISO week, by arithmetic: year 1 began on a Monday. */
export const isoWeek = (day: string): string => `${day} - (${day} - '0001-01-01'::date) % 7`;

export const peopleText = (shape: ScopeShape): string => `people as materialized (
  select x.id, x.root_committer_id as root_id
  from committers x join committers r on r.entity_id = x.entity_id and r.id = x.root_committer_id
  where x.entity_id = :entity and r.processing_status = 'processing_stats'${
    !shape.namesPeople ? '' : ' and r.id = any(:people::bigint[])'
  })`;

/** Ids of the AI agents, which are in no count of people; one merged into a person is that person. Worked out once. */
export const AGENTS = `array(
    select x.id from committers r
    join committers x on x.entity_id = r.entity_id and x.root_committer_id = r.id
    where r.entity_id = :entity and r.is_ai_agent and r.root_committer_id = r.id)`;

/** Id of the team that everybody is in. */
export const DEFAULT_TEAMS = `array(select d.id from teams d where d.entity_id = :entity and d.is_default)`;

export const seatsText = (shape: ScopeShape): string => `seats as (
  select m.team_id, x.root_committer_id as root_id, range_agg(daterange(m.from_on, m.until_on)) as days, q.repo_ids
  from team_members m
  join teams t on t.entity_id = m.entity_id and t.id = m.team_id and not t.is_default
  join committers x on x.entity_id = m.entity_id and x.id = m.committer_id
  left join (
    select n.team_id, array_remove(array_agg(s.id), null) as repo_ids
    from team_repos n
    left join organizations o on o.entity_id = n.entity_id and o.slug = n.organization_slug
    left join repos s on s.entity_id = o.entity_id and s.organization_id = o.id and s.slug = n.repo_slug
    where n.entity_id = :entity group by n.team_id) q on q.team_id = m.team_id
  where m.entity_id = :entity and m.role_em = 'committer_role'${!shape.namesTeam ? '' : ' and m.team_id = :team::bigint'}
  group by m.team_id, x.root_committer_id, q.repo_ids)`;

/** Days of the week with use of AI or with commits, as bits. */
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  .map((day, place) => `((d.commits_${day} > 0)::int << ${place})`)
  .join(' | ');

/** Weeks whose reports of use are not summed up yet. */
const DUE_WEEKS = 'array(select s.week from usage_weeks_due s where s.entity_id = :entity)';

/** Weeks of the range, or those that the items name, which may lie far outside it: each is looked up by itself. */
const WEEKS_OF_RANGE = `from weekly_people d
      join people p on p.id = d.committer_id
      where d.entity_id = :entity and d.week between :cohorts_from::date and :cohorts_to::date`;
const WEEKS_OF_ITEMS = `from (select distinct root_id, week from items) w
      join people p on p.root_id = w.root_id
      cross join lateral (
        select d.* from weekly_people d
        where d.entity_id = :entity and d.week = w.week and d.committer_id = p.id offset 0) d`;
const DUE_OF_RANGE = 'w.week between :cohorts_from::date and :cohorts_to::date';
const DUE_OF_ITEMS = 'w.week in (select week from items)';

/** A person and week that is not in here has no use of AI. */
export const cohortsText = (ofItems: boolean): string => `cohorts as materialized (
  select y.root_id, y.week,
    case when y.interactions = 0 then 'Non-user' when y.interactions <= 2 * y.days then 'Sparse'
      when y.interactions < 5 * y.days then 'Periodic' when y.interactions <= 10 * y.days then 'Regular'
      else 'Power' end as cohort
  from (
    select x.root_id, x.week, sum(x.interactions) as interactions, bit_count(bit_or(x.days)::bit(7)) as days
    from (
      select p.root_id, d.week, case when d.week = any(${DUE_WEEKS}) then 0 else d.interactions::float8 end as interactions,
        case when d.week = any(${DUE_WEEKS}) then 0 else d.usage_days end | ${DAYS} as days
      ${ofItems ? WEEKS_OF_ITEMS : WEEKS_OF_RANGE}
      union all
      select p.root_id, w.week, (${INTERACTIONS_OF_REPORT})::float8, ${DAY_OF_REPORT}
      from unnest(${DUE_WEEKS}) as w(week)
      join ai_usages u on u.entity_id = :entity and u.used_on between w.week and w.week + 6 and u.is_activity_chosen
      join people p on p.id = u.committer_id
      where ${ofItems ? DUE_OF_ITEMS : DUE_OF_RANGE}) x
    group by 1, 2) y)`;
