// Fills sprint_parts for an entity: what each issue was worth to each sprint it was in. Writes only what has
// changed, and gives how many rows that was.
import type { Store } from '../../storage/database/handle.ts';
import { longStatement } from '../../storage/database/long-transaction.ts';

/** In one row for each sprint and issue, however often the issue came and went. */
const PARTS = `
  select s.entity_id, s.sprint_id, s.issue_id, s.assignee_id, s.team_id, s.starts_at, s.ends_at,
    case when s.was_planned then s.start_points else 0 end as points_at_start,
    case when s.was_done then s.points else 0 end as points_done,
    case when s.was_planned and s.was_done then s.start_points else 0 end as points_kept,
    case when s.was_done and not s.was_planned then s.points else 0 end as points_unplanned
  from (
    select t.entity_id, t.id as sprint_id, i.id as issue_id, i.assignee_id, t.team_id, t.starts_at, t.ends_at,
      coalesce(max(n.story_points_at_end), i.story_points, 0) as points,
      coalesce(max(n.story_points_at_start), i.story_points, 0) as start_points,
      bool_or(n.added_at <= t.starts_at and (n.removed_at is null or n.removed_at > t.starts_at)) as was_planned,
      coalesce(bool_or(e.done_at >= t.starts_at and e.done_at <= t.ends_at and n.added_at <= e.done_at
        and (n.removed_at is null or n.removed_at >= e.done_at)), false) as was_done
    from sprints t
    join sprint_issues n on n.entity_id = t.entity_id and n.sprint_id = t.id
    join issues i on i.entity_id = n.entity_id and i.id = n.issue_id and not i.is_epic and i.deleted_at is null
    cross join lateral (select case when n.has_history then n.done_at else i.resolved_at end as done_at) e
    where t.entity_id = $1
    group by t.entity_id, t.id, i.entity_id, i.id) s`;

const COLUMNS = [
  'assignee_id',
  'team_id',
  'starts_at',
  'ends_at',
  'points_at_start',
  'points_done',
  'points_kept',
  'points_unplanned',
];

const REMOVE = `
  delete from sprint_parts x
  where x.entity_id = $1 and not exists (
    select 1 from sprint_issues n
    join issues i on i.entity_id = n.entity_id and i.id = n.issue_id and not i.is_epic and i.deleted_at is null
    where n.entity_id = x.entity_id and n.sprint_id = x.sprint_id and n.issue_id = x.issue_id)`;

/** What is stored already is left out before: a conflict makes the database lock, and so write, also what stays as it is. */
const STORE = `
  insert into sprint_parts (entity_id, sprint_id, issue_id, ${COLUMNS.join(', ')})
  select p.* from (${PARTS}) p
  left join sprint_parts x on x.entity_id = p.entity_id and x.sprint_id = p.sprint_id and x.issue_id = p.issue_id
  where x.entity_id is null
    or (${COLUMNS.map((name) => `x.${name}`).join(', ')}) is distinct from (${COLUMNS.map((name) => `p.${name}`).join(', ')})
  on conflict (entity_id, sprint_id, issue_id) do update
  set (${COLUMNS.join(', ')}) = (${COLUMNS.map((name) => `excluded.${name}`).join(', ')})`;

export async function deriveSprintParts({ db }: Store, entityId: number): Promise<number> {
  let changed = 0;
  for (const text of [REMOVE, STORE]) {
    changed += Number((await longStatement(db, text, [entityId])).numAffectedRows ?? 0n);
  }
  return changed;
}
