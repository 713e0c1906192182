-- Tools report their use by days of UTC, commits are counted on days of the entity's zone. What is credited to a report is
-- of the commits of its own day, so sums of lines have that day in their key too. Written with the type: once, without what
-- an update leaves behind.
alter table daily_facts drop constraint daily_facts_pkey;
alter table daily_facts add column utc_on date;
alter table daily_facts alter column utc_on type date using authored_on;
alter table daily_facts alter column utc_on set not null;
alter table daily_facts add constraint daily_facts_pkey
  primary key (entity_id, authored_on, repo_id, committer_id, category, counted_in, utc_on);

-- Where the two differ, sums and credits are worked out anew when the service starts.
alter table repos add column has_stale_sums boolean not null default false;
create temporary table entities_with_other_days on commit drop as
select distinct entity_id from commits where authored_on <> (authored_at at time zone 'UTC')::date;
update repos set has_stale_sums = true where entity_id in (select entity_id from entities_with_other_days);
update ai_usages set credited_share = null, credited_lines_added = null, credited_lines_deleted = null,
  credited_lines_changed = null, credited_delta = null
where credited_share is not null and entity_id in (select entity_id from entities_with_other_days);

-- Days of work in a week are held against the same days of tools.
update weekly_people set commits_mon = 0, commits_tue = 0, commits_wed = 0, commits_thu = 0, commits_fri = 0, commits_sat = 0, commits_sun = 0
where entity_id in (select entity_id from entities_with_other_days);
insert into weekly_people (entity_id, committer_id, week, commits_mon, commits_tue, commits_wed, commits_thu, commits_fri, commits_sat, commits_sun)
select c.entity_id, c.author_id, c.utc_on - (c.utc_on - '0001-01-01'::date) % 7,
  count(*) filter (where extract(isodow from c.utc_on) = 1),
  count(*) filter (where extract(isodow from c.utc_on) = 2),
  count(*) filter (where extract(isodow from c.utc_on) = 3),
  count(*) filter (where extract(isodow from c.utc_on) = 4),
  count(*) filter (where extract(isodow from c.utc_on) = 5),
  count(*) filter (where extract(isodow from c.utc_on) = 6),
  count(*) filter (where extract(isodow from c.utc_on) = 7)
from (
  select entity_id, author_id, (authored_at at time zone 'UTC')::date as utc_on from commits
  where rolled_up and counted_in is null and entity_id in (select entity_id from entities_with_other_days)) c
group by 1, 2, 3
on conflict (entity_id, week, committer_id) do update set
  commits_mon = excluded.commits_mon,
  commits_tue = excluded.commits_tue,
  commits_wed = excluded.commits_wed,
  commits_thu = excluded.commits_thu,
  commits_fri = excluded.commits_fri,
  commits_sat = excluded.commits_sat,
  commits_sun = excluded.commits_sun;
delete from weekly_people where usage_days = 0 and commits_mon = 0 and commits_tue = 0 and commits_wed = 0 and commits_thu = 0 and commits_fri = 0 and commits_sat = 0 and commits_sun = 0;
