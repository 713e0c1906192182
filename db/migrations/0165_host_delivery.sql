-- Deployments, pipeline runs and teams as hosts report them. Releases and teams of the entity are made from these.

create table host_deployments (
  entity_id bigint not null,
  id bigserial not null,
  repo_id bigint not null,
  external_id text not null,
  environment text not null,
  sha bytea,
  ref text,
  -- pending, success, failure or inactive, which was a success that another has replaced
  state text not null,
  created_at timestamptz not null,
  -- when it reached its state
  finished_at timestamptz,
  creator_id bigint,
  url text,
  host_updated_at timestamptz,
  constraint host_deployments_pkey primary key (entity_id, id),
  constraint host_deployments_external_id_key unique (entity_id, repo_id, external_id),
  constraint host_deployments_state_check check (state in ('pending', 'success', 'failure', 'inactive')),
  constraint host_deployments_repo_id_fkey foreign key (entity_id, repo_id) references repos (entity_id, id)
);
create index host_deployments_created_at_idx on host_deployments (entity_id, repo_id, created_at);

create table workflow_runs (
  entity_id bigint not null,
  id bigserial not null,
  repo_id bigint not null,
  external_id text not null,
  name text not null,
  -- the file that defines it, where there is one
  path text,
  branch text,
  sha bytea not null,
  event text,
  -- pending, success, failure or cancelled; of the last attempt
  state text not null,
  attempt integer not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  actor_id bigint,
  url text,
  constraint workflow_runs_pkey primary key (entity_id, id),
  constraint workflow_runs_external_id_key unique (entity_id, repo_id, external_id),
  constraint workflow_runs_state_check check (state in ('pending', 'success', 'failure', 'cancelled')),
  constraint workflow_runs_repo_id_fkey foreign key (entity_id, repo_id) references repos (entity_id, id)
);
create index workflow_runs_finished_at_idx on workflow_runs (entity_id, repo_id, finished_at);

create table host_teams (
  entity_id bigint not null,
  id bigserial not null,
  host_key text not null,
  external_id text not null,
  organization_external_id text not null,
  parent_external_id text,
  slug text not null,
  name text not null,
  seen_at timestamptz not null,
  deleted_at timestamptz,
  constraint host_teams_pkey primary key (entity_id, id),
  constraint host_teams_external_id_key unique (entity_id, host_key, external_id),
  constraint host_teams_entity_id_fkey foreign key (entity_id) references entities (id)
);

create table host_team_members (
  entity_id bigint not null,
  team_id bigint not null,
  account_id bigint not null,
  role text not null,
  -- a member of a team below this one
  is_inherited boolean not null default false,
  constraint host_team_members_pkey primary key (entity_id, team_id, account_id),
  constraint host_team_members_role_check check (role in ('member', 'maintainer')),
  constraint host_team_members_team_id_fkey foreign key (entity_id, team_id) references host_teams (entity_id, id) on delete cascade,
  constraint host_team_members_account_id_fkey foreign key (entity_id, account_id) references host_accounts (entity_id, id) on delete cascade
);

insert into table_kinds (table_name, kind) values
  ('host_deployments', 'tenant'),
  ('workflow_runs', 'tenant'),
  ('host_teams', 'tenant'),
  ('host_team_members', 'tenant');
