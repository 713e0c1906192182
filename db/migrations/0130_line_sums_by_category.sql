-- Line statistics are of processed files, a choice of the entity. So every sum of lines has the kind of code in its key;
-- which kinds count is decided when they are read.

-- of the commits with evidence of who wrote them: changed lines
alter table daily_facts add column known_lines_changed integer not null default 0;
-- of the commits without: added and copied lines, deleted lines, score
alter table daily_facts add column unknown_lines_added integer not null default 0;
alter table daily_facts add column unknown_lines_deleted integer not null default 0;
alter table daily_facts add column unknown_delta bigint not null default 0;

update daily_facts set known_lines_changed = n.known_lines_changed, unknown_lines_added = n.unknown_lines_added,
  unknown_lines_deleted = n.unknown_lines_deleted, unknown_delta = n.unknown_delta
from (
  select c.entity_id, c.authored_on, c.repo_id, c.author_id, f.category, coalesce(c.counted_in, '{}') as counted_in,
    coalesce(sum(coalesce(f.lines_added, 0) + coalesce(f.lines_deleted, 0) + coalesce(f.lines_moved, 0)
      + coalesce(f.lines_updated, 0) + coalesce(f.lines_find_replaced, 0) + coalesce(f.lines_copy_pasted, 0))
      filter (where c.contributor_kind <> 'unknown'), 0) as known_lines_changed,
    coalesce(sum(coalesce(f.lines_added, 0) + coalesce(f.lines_copy_pasted, 0))
      filter (where c.contributor_kind = 'unknown'), 0) as unknown_lines_added,
    coalesce(sum(f.lines_deleted) filter (where c.contributor_kind = 'unknown'), 0) as unknown_lines_deleted,
    coalesce(sum(coalesce(f.delta_added, 0) + coalesce(f.delta_updated, 0) + coalesce(f.delta_deleted, 0)
      + coalesce(f.delta_find_replaced, 0)) filter (where c.contributor_kind = 'unknown'), 0) as unknown_delta
  from commits c join commit_files f on f.entity_id = c.entity_id and f.commit_id = c.id
  where c.rolled_up
  group by 1, 2, 3, 4, 5, 6) n
where daily_facts.entity_id = n.entity_id and daily_facts.authored_on = n.authored_on
  and daily_facts.repo_id = n.repo_id and daily_facts.committer_id = n.author_id and daily_facts.category = n.category
  and daily_facts.counted_in = n.counted_in;

alter table daily_commits drop column known_lines_changed;
alter table daily_commits drop column unknown_lines_added;
alter table daily_commits drop column unknown_lines_deleted;
alter table daily_commits drop column unknown_delta;
alter table daily_people drop column lines_changed;
alter table daily_people drop column known_lines_changed;
alter table daily_people drop column unknown_lines_added;
alter table daily_people drop column unknown_lines_deleted;
alter table daily_people drop column unknown_delta;

-- Commits are counted in rows of category 0, lines and scores in those of their kind of code.
delete from daily_ai;
alter table daily_ai add column category smallint not null default 0;
alter table daily_ai alter column category drop default;
-- commit × file pairs; 0 in rows of commits
alter table daily_ai add column file_count integer not null default 0;
alter table daily_ai alter column file_count drop default;
alter table daily_ai drop constraint daily_ai_pkey;
alter table daily_ai add constraint daily_ai_pkey
  primary key (entity_id, authored_on, repo_id, committer_id, provider, model, source, category, counted_in);

insert into daily_ai (entity_id, repo_id, committer_id, authored_on, counted_in, provider, model, source, category,
  commit_count, line_commit_count, file_count, all_lines_added, all_lines_deleted, all_lines_changed, all_delta, ai_lines_added, ai_lines_deleted,
  ai_lines_changed, ai_delta)
select c.entity_id, c.repo_id, c.author_id, c.authored_on, coalesce(c.counted_in, '{}'), a.provider, a.model, a.source, 0, count(*),
  count(*) filter (where coalesce(c.ai_lines_changed, 0) > 0), 0, 0, 0, 0, 0, 0, 0, 0, 0
from commits c join commit_ai a on a.entity_id = c.entity_id and a.commit_id = c.id and a.position = 0
where c.rolled_up
group by 1, 2, 3, 4, 5, 6, 7, 8;

insert into daily_ai (entity_id, repo_id, committer_id, authored_on, counted_in, provider, model, source, category,
  commit_count, line_commit_count, file_count, all_lines_added, all_lines_deleted, all_lines_changed, all_delta, ai_lines_added, ai_lines_deleted,
  ai_lines_changed, ai_delta)
select c.entity_id, c.repo_id, c.author_id, c.authored_on, coalesce(c.counted_in, '{}'), a.provider, a.model, a.source, f.category, 0, 0, count(*),
  sum(coalesce(f.lines_added, 0) + coalesce(f.lines_copy_pasted, 0)), sum(coalesce(f.lines_deleted, 0)),
  sum(coalesce(f.lines_added, 0) + coalesce(f.lines_deleted, 0) + coalesce(f.lines_moved, 0)
    + coalesce(f.lines_updated, 0) + coalesce(f.lines_find_replaced, 0) + coalesce(f.lines_copy_pasted, 0)),
  sum(coalesce(f.delta_added, 0) + coalesce(f.delta_updated, 0) + coalesce(f.delta_deleted, 0)
    + coalesce(f.delta_find_replaced, 0)),
  sum(coalesce(f.ai_lines_added, 0)), sum(coalesce(f.ai_lines_deleted, 0)), sum(coalesce(f.ai_lines_changed, 0)),
  sum(coalesce(f.ai_delta, 0))
from commits c
join commit_ai a on a.entity_id = c.entity_id and a.commit_id = c.id and a.position = 0
join commit_files f on f.entity_id = c.entity_id and f.commit_id = c.id
where c.rolled_up
group by 1, 2, 3, 4, 5, 6, 7, 8, 9;

-- Part of each line without evidence that the report is credited with.
alter table ai_usages add column credited_share double precision;

-- What reports are credited with, of processed files alone: no entity has chosen other kinds of code yet.
update ai_usages set credited_share = n.credit, credited_lines_added = n.credited_lines_added,
  credited_lines_deleted = n.credited_lines_deleted, credited_lines_changed = n.credited_lines_changed,
  credited_delta = n.credited_delta
from (
  select u.entity_id, u.id, c.credit, 1000 * c.credit * w.unknown_lines_added as credited_lines_added,
    1000 * c.credit * w.unknown_lines_deleted as credited_lines_deleted,
    1000 * c.credit * w.unknown_lines_changed as credited_lines_changed, c.credit * w.unknown_delta as credited_delta
  from (
    select g.entity_id, g.id, g.used_on, o.root_committer_id as root_id, g.lines_added::float8 as lines,
      sum(g.lines_added::float8) over (partition by g.entity_id, o.root_committer_id, g.used_on) as reported
    from ai_usages g join committers o on o.entity_id = g.entity_id and o.id = g.committer_id) u
  left join (
    select x.entity_id, x.authored_on, o.root_committer_id as root_id,
      sum(x.lines_changed::float8) as lines_changed, sum(x.unknown_lines_added::float8) as unknown_lines_added,
      sum(x.unknown_lines_deleted::float8) as unknown_lines_deleted,
      sum((x.lines_changed - x.known_lines_changed)::float8) as unknown_lines_changed,
      sum(x.unknown_delta::float8) as unknown_delta
    from (
      select f.entity_id, f.authored_on, f.committer_id, f.unknown_delta,
        case when s.is_counted then f.lines_added + f.lines_deleted + f.lines_moved + f.lines_updated
          + f.lines_find_replaced + f.lines_copy_pasted else 0 end as lines_changed,
        case when s.is_counted then f.known_lines_changed else 0 end as known_lines_changed,
        case when s.is_counted then f.unknown_lines_added else 0 end as unknown_lines_added,
        case when s.is_counted then f.unknown_lines_deleted else 0 end as unknown_lines_deleted
      from daily_facts f
      cross join lateral (select f.category not in (13, 14, 16, 17) as is_counted) s
      where f.counted_in = '{}') x
    join committers o on o.entity_id = x.entity_id and o.id = x.committer_id
    group by 1, 2, 3) w on w.entity_id = u.entity_id and w.root_id = u.root_id and w.authored_on = u.used_on
  cross join lateral (
    select case when u.lines > 0 and w.lines_changed > 0
      then u.lines * least(0.8 / u.reported, 1 / w.lines_changed) end as credit) c) n
where ai_usages.entity_id = n.entity_id and ai_usages.id = n.id;
