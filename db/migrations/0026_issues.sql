-- Issues and sprints as trackers will report them, and the commits that name them.

create table issues (
  entity_id bigint not null,
  id bigserial not null,
  provider_em text not null,
  key text not null,
  title text not null,
  type text not null,
  is_epic boolean not null default false,
  is_subtask boolean not null default false,
  -- by the entity's list of bug types
  is_bug boolean not null default false,
  status text not null,
  priority text,
  url text,
  project_name text,
  board_id text,
  labels text[] not null default '{}',
  -- stage in which a bug was found, where the tracker says so
  found_in text,
  is_critical_defect boolean not null default false,
  assignee_id bigint,
  epic_key text,
  -- hundredths of a point
  story_points integer,
  opened_at timestamptz not null,
  -- first move into progress, else the first commit that names it
  started_at timestamptz,
  -- last move to done; null when not done
  resolved_at timestamptz,
  -- derived
  first_commit_authored_at timestamptz,
  last_commit_authored_at timestamptz,
  released_at timestamptz,
  is_escaped boolean,
  business_minutes_open_to_resolved integer,
  business_minutes_lead_time integer,
  -- hundredths of a point: story_points, or what it is estimated to be
  story_points_estimated integer,
  updated_at timestamptz not null default now(),
  constraint issues_pkey primary key (entity_id, id),
  constraint issues_key_key unique (entity_id, provider_em, key),
  constraint issues_entity_id_fkey foreign key (entity_id) references entities (id),
  constraint issues_provider_check check (provider_em in ('tracker_a', 'hostC', 'generic', 'unknown'))
);
create index issues_opened_at_idx on issues (entity_id, opened_at);
create index issues_resolved_at_idx on issues (entity_id, resolved_at);
create index issues_released_at_idx on issues (entity_id, released_at);
create index issues_ended_at_idx on issues (entity_id, (coalesce(released_at, resolved_at)));
create index issues_epic_idx on issues (entity_id, epic_key);

create table issue_commits (
  entity_id bigint not null,
  commit_id bigint not null,
  issue_id bigint not null,
  -- how many issues the commit names; its value is split equally among them
  issue_count smallint not null,
  constraint issue_commits_pkey primary key (entity_id, commit_id, issue_id),
  constraint issue_commits_issue_id_fkey foreign key (entity_id, issue_id) references issues (entity_id, id) on delete cascade
);
create index issue_commits_issue_idx on issue_commits (entity_id, issue_id);

create table sprints (
  entity_id bigint not null,
  id bigserial not null,
  board_id text not null,
  team_id bigint,
  name text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  constraint sprints_pkey primary key (entity_id, id),
  constraint sprints_name_key unique (entity_id, board_id, name),
  constraint sprints_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index sprints_starts_at_idx on sprints (entity_id, starts_at);

-- An issue's stays in a sprint.
create table sprint_issues (
  entity_id bigint not null,
  sprint_id bigint not null,
  issue_id bigint not null,
  added_at timestamptz not null,
  removed_at timestamptz,
  -- hundredths of a point, as estimated when the sprint began
  story_points_at_start integer,
  constraint sprint_issues_pkey primary key (entity_id, sprint_id, issue_id, added_at),
  constraint sprint_issues_sprint_id_fkey foreign key (entity_id, sprint_id) references sprints (entity_id, id) on delete cascade,
  constraint sprint_issues_issue_id_fkey foreign key (entity_id, issue_id) references issues (entity_id, id) on delete cascade
);

insert into table_kinds (table_name, kind) values
  ('issues', 'tenant'),
  ('issue_commits', 'tenant'),
  ('sprints', 'tenant'),
  ('sprint_issues', 'tenant');
