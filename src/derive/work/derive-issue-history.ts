// What follows from the history of issues: when work began and ended, their stays in sprints, and points and state as
// they stood when a sprint began and ended. Everything is computed anew from the changes, so that another category of
// a status or another date of a sprint changes the past too; only what differs is written.
//
//   status  new ──► in_progress ──► done ──► in_progress ──► done          started_at = first in_progress
//                   ▲ started_at                             ▲ resolved_at  resolved_at = last entry into done, while done
//   sprint  {} ──► {7} ──► {} ──► {7,9}                                     a stay per unbroken stretch
import { CompiledQuery } from 'kysely';
import type { Database } from '../../storage/database/handle.ts';

/** Of the changes of one field of an issue. The values at creation come before whatever changed in the same second. */
const ORDER = `c.changed_at, c.external_id not like 'created:%', length(c.external_id), c.external_id`;

/** Each move between statuses with the categories before and after it. */
const MOVES = `
  moves as materialized (
    select c.issue_id, c.changed_at, s.category,
      lag(s.category) over w as previous, row_number() over w as place, count(*) over (partition by c.issue_id) as places
    from issue_changes c
    join issues i on i.entity_id = c.entity_id and i.id = c.issue_id
    left join tracker_statuses s on s.entity_id = c.entity_id and s.tracker_id = i.tracker_id and s.external_id = c.after
    where c.entity_id = $1 and c.field = 'status'
    window w as (partition by c.issue_id order by ${ORDER}))`;

const TIMES = `
  with ${MOVES}, times as (
    select issue_id, min(changed_at) filter (where category = 'in_progress') as started_at,
      max(changed_at) filter (where category = 'done' and previous is distinct from 'done') as resolved_at,
      max(category) filter (where place = places) as category
    from moves group by issue_id),
  known as (
    select i.id, coalesce(t.category, i.status_category) as category,
      coalesce(i.host_started_at, t.started_at, i.first_commit_authored_at) as started_at,
      case when coalesce(t.category, i.status_category) = 'done' then coalesce(i.host_resolved_at, t.resolved_at)
        end as resolved_at
    from issues i left join times t on t.issue_id = i.id
    where i.entity_id = $1 and i.tracker_id is not null)
  update issues set status_category = k.category, started_at = k.started_at, resolved_at = k.resolved_at
  from known k
  where issues.entity_id = $1 and issues.id = k.id
    and (issues.status_category, issues.started_at, issues.resolved_at)
      is distinct from (k.category, k.started_at, k.resolved_at)`;

const FORMER_KEYS = `
  update issues set former_keys = k.keys
  from (
    select i.id, i.former_keys || array_agg(distinct c.before order by c.before) as keys
    from issue_changes c
    join issues i on i.entity_id = c.entity_id and i.id = c.issue_id
    where c.entity_id = $1 and c.field = 'key' and c.before <> i.key and not c.before = any(i.former_keys)
    group by i.entity_id, i.id) k
  where issues.entity_id = $1 and issues.id = k.id`;

/** Where the tracker names only parents: the next one above that is an epic, up to two steps. */
const EPICS = `
  with places as materialized (
    select id, key, is_epic, epic_key, tracker_id || '/' || external_id as place,
      tracker_id || '/' || parent_external_id as parent
    from issues where entity_id = $1 and tracker_id is not null),
  known as (
    select i.id, case when p.is_epic then p.key when g.is_epic then g.key end as epic_key
    from places i join places p on p.place = i.parent left join places g on g.place = p.parent)
  update issues set epic_key = k.epic_key
  from known k
  where issues.entity_id = $1 and issues.id = k.id and k.epic_key is not null
    and issues.epic_key is distinct from k.epic_key`;

/** Issues of a repo are in sprints of its own tracker, and in those that its host has across repos. */
const STAYS = `
  with ${MOVES}, reach as materialized (
    select id as tracker_id, id as sprints_of from trackers where entity_id = $1
    union all
    select o.id, h.id from trackers o
    join trackers h on h.entity_id = o.entity_id and h.kind = o.kind and h.host_key = o.host_key and h.repo_id is null
    where o.entity_id = $1 and o.repo_id is not null),
  ends as (
    select issue_id, changed_at, place, coalesce(category, '') = 'done' as is_done from moves
    where place = 1 or (coalesce(category, '') = 'done') <> (coalesce(previous, '') = 'done')),
  done as materialized (
    select issue_id, is_done, changed_at as since,
      lead(changed_at) over (partition by issue_id order by place) as until from ends),
  points as materialized (
    select c.issue_id, c.changed_at as since, lead(c.changed_at) over w as until,
      case when c.after ~ '^[0-9]{1,7}([.][0-9]+)?$' then least(round(c.after::numeric * 100), 100000000)::int else 0
        end as points
    from issue_changes c where c.entity_id = $1 and c.field = 'points'
    window w as (partition by c.issue_id order by ${ORDER})),
  lists as (
    select c.issue_id, c.after, c.changed_at as since, lead(c.changed_at) over w as until, row_number() over w as place
    from issue_changes c where c.entity_id = $1 and c.field = 'sprint'
    window w as (partition by c.issue_id order by ${ORDER})),
  members as (
    select l.issue_id, trim(s.id) as sprint, l.since, l.until, l.place,
      l.place - row_number() over (partition by l.issue_id, trim(s.id) order by l.place) as stretch
    from lists l, unnest(string_to_array(l.after, ',')) as s(id) where trim(s.id) <> ''),
  stays as materialized (
    select t.id as sprint_id, m.issue_id, t.starts_at, t.ends_at, min(m.since) as added_at,
      case when bool_or(m.until is null) then null else max(m.until) end as removed_at
    from members m
    join issues i on i.entity_id = $1 and i.id = m.issue_id
    join reach r on r.tracker_id = i.tracker_id
    join sprints t on t.entity_id = $1 and t.tracker_id = r.sprints_of and t.external_id = m.sprint
    group by t.id, t.starts_at, t.ends_at, m.issue_id, m.stretch),
  found as materialized (
    select distinct on (y.sprint_id, y.issue_id, y.added_at) y.sprint_id, y.issue_id, y.added_at, y.removed_at,
      case when h.issue_id is not null then coalesce(a.points, 0) end as story_points_at_start,
      case when h.issue_id is not null then coalesce(z.points, 0) end as story_points_at_end,
      case when d.is_done then d.since end as done_at, d.issue_id is not null as has_history
    from stays y
    left join (select distinct issue_id from points) h on h.issue_id = y.issue_id
    left join points a on a.issue_id = y.issue_id and a.since <= y.starts_at and (a.until is null or a.until > y.starts_at)
    left join points z on z.issue_id = y.issue_id and z.since <= y.ends_at and (z.until is null or z.until > y.ends_at)
    left join done d on d.issue_id = y.issue_id and d.since <= y.ends_at and (d.until is null or d.until > y.ends_at)
    where y.removed_at is null or y.removed_at > y.added_at
    order by y.sprint_id, y.issue_id, y.added_at, y.removed_at desc nulls first)`;

const VALUES = ['removed_at', 'story_points_at_start', 'story_points_at_end', 'done_at', 'has_history'];

/** One statement for both: finding the stays takes longer than all the rest. */
const KEEP_STAYS = `${STAYS},
  removed as (
    delete from sprint_issues n
    using sprints t
    where n.entity_id = $1 and t.entity_id = n.entity_id and t.id = n.sprint_id and t.tracker_id is not null
      and not exists (select 1 from found f
        where f.sprint_id = n.sprint_id and f.issue_id = n.issue_id and f.added_at = n.added_at)
    returning 1),
  stored as (
    insert into sprint_issues (entity_id, sprint_id, issue_id, added_at, ${VALUES.join(', ')})
    select $1, f.sprint_id, f.issue_id, f.added_at, ${VALUES.map((name) => `f.${name}`).join(', ')} from found f
    on conflict (entity_id, sprint_id, issue_id, added_at) do update
      set ${VALUES.map((name) => `${name} = excluded.${name}`).join(', ')}
    where (${VALUES.map((name) => `sprint_issues.${name}`).join(', ')})
      is distinct from (${VALUES.map((name) => `excluded.${name}`).join(', ')})
    returning 1)
  select (select count(*) from removed) + (select count(*) from stored) as changed`;

/** How many rows it has changed. */
export async function deriveIssueHistory(db: Database, entityId: number): Promise<number> {
  let changed = 0;
  for (const text of [TIMES, FORMER_KEYS, EPICS]) {
    const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [entityId]));
    changed += Number(numAffectedRows ?? 0n);
  }
  const { rows } = await db.executeQuery<{ changed: number }>(CompiledQuery.raw(KEEP_STAYS, [entityId]));
  return changed + Number(rows[0]!.changed);
}
