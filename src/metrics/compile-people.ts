// The parts of a query that say whose work it is: people with their children folded in, seats in teams, and
// the cohort by use of AI that each person was in, week by week.
import type { Scope } from './scope.ts';

/** Monday of the date's ISO week, by arithmetic: year 1 began on a Monday. */
export const isoWeek = (day: string): string => `${day} - (${day} - '0001-01-01'::date) % 7`;

export const peopleText = (scope: Scope): string => `people as materialized (
  select x.id, x.root_committer_id as root_id
  from committers x join committers r on r.entity_id = x.entity_id and r.id = x.root_committer_id
  where x.entity_id = :entity and r.processing_status = 'processing_stats'${
    scope.personIds === null ? '' : ' and r.id = any(:people::bigint[])'
  })`;

export const seatsText = (scope: Scope): string => `seats as (
  select m.team_id, x.root_committer_id as root_id, range_agg(daterange(m.from_on, m.until_on)) as days, q.repo_ids
  from team_members m
  join teams t on t.entity_id = m.entity_id and t.id = m.team_id and not t.is_default
  join committers x on x.entity_id = m.entity_id and x.id = m.committer_id
  left join (
    select n.team_id, array_agg(s.id) as repo_ids
    from team_repos n
    join organizations o on o.entity_id = n.entity_id and o.slug = n.organization_slug
    join repos s on s.entity_id = o.entity_id and s.organization_id = o.id and s.slug = n.repo_slug
    where n.entity_id = :entity group by n.team_id) q on q.team_id = m.team_id
  where m.entity_id = :entity and m.role_em = 'committer_role'${scope.teamId === null ? '' : ' and m.team_id = :team::bigint'}
  group by m.team_id, x.root_committer_id, q.repo_ids)`;

const INTERACTIONS = `case when u.prompted_suggest_count is null and u.tab_accept_count is null then (coalesce(u.lines_added, 0) + 19) / 20
        else coalesce(u.prompted_suggest_count, 0) + coalesce(u.tab_accept_count, 0) end as interactions`;

/** Days with use of AI, and days with commits. */
const DAYS_OF_RANGE = `
      select u.committer_id, u.used_on as day, ${INTERACTIONS} from ai_usages u
      where u.entity_id = :entity and u.used_on between :cohorts_from::date and :cohorts_to::date
      union all
      select d.committer_id, d.authored_on, 0 from daily_people d
      where d.entity_id = :entity and d.authored_on between :cohorts_from::date and :cohorts_to::date`;

/** The same for the weeks that the items name, which may lie far outside the range: each is looked up by itself. */
const DAYS_OF_ITEMS = `
      select p.id as committer_id, u.day, u.interactions
      from (select distinct root_id, week from items) w
      join people p on p.root_id = w.root_id
      cross join lateral (
        select u.used_on as day, ${INTERACTIONS} from ai_usages u
        where u.entity_id = :entity and u.committer_id = p.id and u.used_on >= w.week and u.used_on < w.week + 7 offset 0) u
      union all
      select p.id, c.authored_on, 0
      from (select distinct root_id, week from items) w
      join people p on p.root_id = w.root_id
      cross join lateral (
        select c.authored_on from commits c
        where c.entity_id = :entity and c.author_id = p.id and c.rolled_up
          and c.authored_at >= w.week::timestamp at time zone :zone
          and c.authored_at < (w.week + 7)::timestamp at time zone :zone offset 0) c`;

/** A person and week that is not in here has no use of AI. */
export const cohortsText = (ofItems: boolean): string => `cohorts as materialized (
  select y.root_id, y.week,
    case when y.interactions = 0 then 'Non-user' when y.interactions <= 2 * y.days then 'Sparse'
      when y.interactions < 5 * y.days then 'Periodic' when y.interactions <= 10 * y.days then 'Regular'
      else 'Power' end as cohort
  from (
    select p.root_id, t.week, sum(t.interactions) as interactions, bit_count(bit_or(t.days)::bit(7)) as days
    from (
      select z.committer_id, ${isoWeek('z.day')} as week, sum(z.interactions::float8) as interactions,
        bit_or(1 << (z.day - '0001-01-01'::date) % 7) as days
      from (${ofItems ? DAYS_OF_ITEMS : DAYS_OF_RANGE}) z
      group by 1, 2) t
    join people p on p.id = t.committer_id
    group by 1, 2) y)`;
