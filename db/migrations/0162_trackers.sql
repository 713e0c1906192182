-- Trackers, connected ones and those that a repo's host has, and issues and sprints by the tracker's own ids.

create table trackers (
  entity_id bigint not null,
  id bigserial not null,
  -- jira, jira_server, azure_boards, gitlab, github, linear
  kind text not null,
  -- as host_accounts has it
  host_key text not null,
  -- the repo whose host it belongs to; null for one that was connected by itself
  repo_id bigint,
  site_url text,
  name text not null,
  email text,
  -- sealed with the key outside the database; null where the connections of the host serve
  token_sealed bytea,
  token_expires_at timestamptz,
  -- projects, boards and fields that were chosen by hand
  settings jsonb not null default '{}',
  verified_at timestamptz,
  last_quota_exceeded_at timestamptz,
  error_em text,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint trackers_pkey primary key (entity_id, id),
  constraint trackers_place_key unique nulls not distinct (entity_id, kind, host_key, repo_id),
  constraint trackers_kind_check check (kind in ('jira', 'jira_server', 'azure_boards', 'gitlab', 'github', 'linear')),
  constraint trackers_entity_id_fkey foreign key (entity_id) references entities (id),
  constraint trackers_repo_id_fkey foreign key (entity_id, repo_id) references repos (entity_id, id)
);

-- Two sites may use the same keys, and a moved issue gets a new one.
alter table issues drop constraint issues_key_key;
alter table issues add column tracker_id bigint;
alter table issues add column external_id text;
-- new, in_progress or done
alter table issues add column status_category text;
alter table issues add column parent_external_id text;
alter table issues add column host_created_by_id bigint;
alter table issues add column host_updated_at timestamptz;
-- no longer seen, which is not yet known to be deleted
alter table issues add column unobserved_at timestamptz;
alter table issues add column deleted_at timestamptz;
-- keys that it had before it was moved
alter table issues add column former_keys text[] not null default '{}';
alter table issues add column fingerprint text;
alter table issues add constraint issues_external_id_key unique (entity_id, tracker_id, external_id);
alter table issues add constraint issues_status_category_check check (status_category in ('new', 'in_progress', 'done'));
alter table issues add constraint issues_tracker_id_fkey foreign key (entity_id, tracker_id) references trackers (entity_id, id) on delete cascade;
create index issues_lower_key_idx on issues (entity_id, lower(key));

-- What became of an issue's fields. Starts, ends, stays in sprints and points at their start follow from it.
create table issue_changes (
  entity_id bigint not null,
  issue_id bigint not null,
  -- the tracker's id of the change, with the field where one change has several
  external_id text not null,
  field text not null,
  changed_at timestamptz not null,
  author_id bigint,
  -- ids where the tracker has ids, as text; lists are separated by commas
  before text,
  after text,
  constraint issue_changes_pkey primary key (entity_id, issue_id, external_id),
  constraint issue_changes_field_check check (field in ('status', 'assignee', 'sprint', 'points', 'type', 'epic', 'priority', 'key')),
  constraint issue_changes_issue_id_fkey foreign key (entity_id, issue_id) references issues (entity_id, id) on delete cascade
);
create index issue_changes_field_idx on issue_changes (entity_id, issue_id, field, changed_at);

-- Statuses ever seen: one that the tracker has deleted keeps its category.
create table tracker_statuses (
  entity_id bigint not null,
  tracker_id bigint not null,
  external_id text not null,
  name text not null,
  category text not null,
  constraint tracker_statuses_pkey primary key (entity_id, tracker_id, external_id),
  constraint tracker_statuses_category_check check (category in ('new', 'in_progress', 'done')),
  constraint tracker_statuses_tracker_id_fkey foreign key (entity_id, tracker_id) references trackers (entity_id, id) on delete cascade
);

-- Sprints are renamed, and names are used again.
alter table sprints drop constraint sprints_name_key;
alter table sprints add column tracker_id bigint;
alter table sprints add column external_id text;
alter table sprints add column state text;
alter table sprints add column completed_at timestamptz;
alter table sprints add column deleted_at timestamptz;
alter table sprints add constraint sprints_external_id_key unique (entity_id, tracker_id, external_id);
alter table sprints add constraint sprints_state_check check (state in ('future', 'active', 'closed'));
alter table sprints add constraint sprints_tracker_id_fkey foreign key (entity_id, tracker_id) references trackers (entity_id, id) on delete cascade;

insert into table_kinds (table_name, kind) values
  ('trackers', 'tenant'),
  ('issue_changes', 'tenant'),
  ('tracker_statuses', 'tenant');
