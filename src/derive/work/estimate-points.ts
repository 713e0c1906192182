// Fills the estimated points of issues for an entity. Writes only what has changed, and gives how many rows that was.
import type { Store } from '../../storage/database/handle.ts';
import { longStatement } from '../../storage/database/long-transaction.ts';

/**
 * Points for resolved issues without any: by their Diff Delta, at the rate of the team's pointed issues of the
 * 180 days before; else the team's median for the type.
 */
const ESTIMATE_POINTS = `
  with teams as (
    select a.id as committer_id, min(m.team_id) as team_id from committers a
    join committers b on b.entity_id = a.entity_id and b.root_committer_id = a.root_committer_id
    join team_members m on m.entity_id = b.entity_id and m.committer_id = b.id
    where a.entity_id = $1 group by a.id
  ), worth as (
    select n.issue_id, sum(coalesce(c.delta, 0)::numeric / n.issue_count) as delta from issue_commits n
    join commits c on c.entity_id = n.entity_id and c.id = n.commit_id and c.rolled_up and c.counted_in is null
    where n.entity_id = $1 group by n.issue_id
  ), sized as materialized (
    select i.id, i.type, i.story_points, coalesce(t.team_id, 0) as team_id, coalesce(w.delta, 0) as delta,
      sum(i.story_points) filter (where i.story_points > 0 and w.delta > 0) over recent as recent_points,
      sum(w.delta) filter (where i.story_points > 0 and w.delta > 0) over recent as recent_delta
    from issues i
    left join teams t on t.committer_id = i.assignee_id
    left join worth w on w.issue_id = i.id
    where i.entity_id = $1 and i.resolved_at is not null and not i.is_epic and i.deleted_at is null
    -- Less than 180 days: times have microseconds.
    window recent as (partition by coalesce(t.team_id, 0) order by i.resolved_at
      range between interval '179 days 23:59:59.999999' preceding and current row)
  ), typical as (
    select team_id, type, percentile_cont(0.5) within group (order by story_points) as points
    from sized where story_points > 0 group by team_id, type
  ), estimated as (
    select i.id, coalesce(
      case when i.delta > 0 then round(i.delta * i.recent_points / nullif(i.recent_delta, 0)) end,
      round(y.points))::integer as points
    from sized i left join typical y on y.team_id = i.team_id and y.type = i.type
    where i.story_points is null
  )
  update issues set story_points_estimated = e.points from estimated e
  where issues.entity_id = $1 and issues.id = e.id and issues.story_points_estimated is distinct from e.points`;

export const estimatePoints = async ({ db }: Store, entityId: number): Promise<number> =>
  Number((await longStatement(db, ESTIMATE_POINTS, [entityId])).numAffectedRows ?? 0n);
