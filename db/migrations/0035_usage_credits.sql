-- What a person's lines of a day owe to reported use of AI tools, kept with the report of use: it follows from all
-- such reports and all commits of the person on that day, over all repos. Null where there were no such commits.

-- thousandths of a line
alter table ai_usages add column credited_lines_added double precision;
alter table ai_usages add column credited_lines_deleted double precision;
alter table ai_usages add column credited_lines_changed double precision;
-- thousandths of a Diff Delta point
alter table ai_usages add column credited_delta double precision;

update ai_usages set credited_lines_added = n.credited_lines_added, credited_lines_deleted = n.credited_lines_deleted,
  credited_lines_changed = n.credited_lines_changed, credited_delta = n.credited_delta
from (
  select u.entity_id, u.id, 1000 * c.credit * w.unknown_lines_added as credited_lines_added,
    1000 * c.credit * w.unknown_lines_deleted as credited_lines_deleted,
    1000 * c.credit * w.unknown_lines_changed as credited_lines_changed, c.credit * w.unknown_delta as credited_delta
  from (
    select g.entity_id, g.id, g.used_on, o.root_committer_id as root_id, g.lines_added::float8 as lines,
      sum(g.lines_added::float8) over (partition by g.entity_id, o.root_committer_id, g.used_on) as reported
    from ai_usages g join committers o on o.entity_id = g.entity_id and o.id = g.committer_id
    where g.lines_added > 0) u
  join (
    select x.entity_id, x.authored_on, o.root_committer_id as root_id, sum(x.lines_changed::float8) as lines_changed,
      sum(x.unknown_lines_added::float8) as unknown_lines_added,
      sum(x.unknown_lines_deleted::float8) as unknown_lines_deleted,
      sum((x.lines_changed - x.known_lines_changed)::float8) as unknown_lines_changed,
      sum(x.unknown_delta::float8) as unknown_delta
    from daily_people x join committers o on o.entity_id = x.entity_id and o.id = x.committer_id
    where x.lines_changed > 0
    group by 1, 2, 3) w on w.entity_id = u.entity_id and w.root_id = u.root_id and w.authored_on = u.used_on
  cross join lateral (select u.lines * least(0.8 / u.reported, 1 / w.lines_changed) as credit) c) n
where ai_usages.entity_id = n.entity_id and ai_usages.id = n.id;
