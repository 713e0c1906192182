-- ISO week × author, over all repos: on which days there were commits that count, and how much AI tools were used.
-- Sets the cohort of a person by use of AI, week by week.

create table weekly_people (
  entity_id bigint not null,
  committer_id bigint not null,
  -- sum over the week's reports of use
  interactions bigint not null default 0,
  -- its Monday
  week date not null,
  commits_mon integer not null default 0,
  commits_tue integer not null default 0,
  commits_wed integer not null default 0,
  commits_thu integer not null default 0,
  commits_fri integer not null default 0,
  commits_sat integer not null default 0,
  commits_sun integer not null default 0,
  -- days with reports of use, Monday is 1, Tuesday 2, Wednesday 4, …
  usage_days integer not null default 0,
  constraint weekly_people_pkey primary key (entity_id, week, committer_id)
);

insert into weekly_people (entity_id, committer_id, week, commits_mon, commits_tue, commits_wed, commits_thu,
  commits_fri, commits_sat, commits_sun)
select entity_id, committer_id, authored_on - (authored_on - '0001-01-01'::date) % 7,
  coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = 1), 0),
  coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = 2), 0),
  coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = 3), 0),
  coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = 4), 0),
  coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = 5), 0),
  coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = 6), 0),
  coalesce(sum(commit_count) filter (where extract(isodow from authored_on) = 7), 0)
from daily_people group by 1, 2, 3;

insert into weekly_people (entity_id, committer_id, week, interactions, usage_days)
select entity_id, committer_id, used_on - (used_on - '0001-01-01'::date) % 7,
  sum(case when prompted_suggest_count is null and tab_accept_count is null then (coalesce(lines_added, 0) + 19) / 20
    else coalesce(prompted_suggest_count, 0) + coalesce(tab_accept_count, 0) end),
  bit_or(1 << (used_on - '0001-01-01'::date) % 7)
from ai_usages where committer_id is not null group by 1, 2, 3
on conflict (entity_id, week, committer_id) do update
  set interactions = excluded.interactions, usage_days = excluded.usage_days;

insert into table_kinds (table_name, kind) values
  ('weekly_people', 'tenant');
