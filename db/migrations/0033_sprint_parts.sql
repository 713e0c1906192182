-- An issue's part in a sprint as reports read it: its points when the sprint began and when it was done in it. A job
-- keeps it, so that a report need not put the issue's stays in the sprint and its points together.

create table sprint_parts (
  entity_id bigint not null,
  sprint_id bigint not null,
  issue_id bigint not null,
  assignee_id bigint,
  -- of the sprint
  team_id bigint,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- hundredths of a point
  points_at_start integer not null,
  points_done integer not null,
  points_kept integer not null,
  points_unplanned integer not null,
  constraint sprint_parts_pkey primary key (entity_id, sprint_id, issue_id),
  constraint sprint_parts_sprint_id_fkey foreign key (entity_id, sprint_id) references sprints (entity_id, id) on delete cascade
);
create index sprint_parts_starts_at_idx on sprint_parts (entity_id, starts_at)
  include (assignee_id, team_id, points_at_start);
create index sprint_parts_ends_at_idx on sprint_parts (entity_id, ends_at)
  include (assignee_id, team_id, points_at_start, points_done, points_kept, points_unplanned);

insert into sprint_parts (entity_id, sprint_id, issue_id, assignee_id, team_id, starts_at, ends_at, points_at_start,
  points_done, points_kept, points_unplanned)
select s.entity_id, s.sprint_id, s.issue_id, s.assignee_id, s.team_id, s.starts_at, s.ends_at,
  case when s.was_planned then s.start_points else 0 end,
  case when s.was_done then s.points else 0 end,
  case when s.was_planned and s.was_done then s.start_points else 0 end,
  case when s.was_done and not s.was_planned then s.points else 0 end
from (
  select t.entity_id, t.id as sprint_id, i.id as issue_id, i.assignee_id, t.team_id, t.starts_at, t.ends_at,
    coalesce(i.story_points, 0) as points,
    coalesce(max(n.story_points_at_start), i.story_points, 0) as start_points,
    bool_or(n.added_at <= t.starts_at and (n.removed_at is null or n.removed_at > t.starts_at)) as was_planned,
    coalesce(bool_or(i.resolved_at >= t.starts_at and i.resolved_at <= t.ends_at and n.added_at <= i.resolved_at
      and (n.removed_at is null or n.removed_at >= i.resolved_at)), false) as was_done
  from sprints t
  join sprint_issues n on n.entity_id = t.entity_id and n.sprint_id = t.id
  join issues i on i.entity_id = n.entity_id and i.id = n.issue_id and not i.is_epic
  group by t.entity_id, t.id, i.entity_id, i.id) s;

insert into table_kinds (table_name, kind) values
  ('sprint_parts', 'tenant');
