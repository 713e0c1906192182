-- Where facts come from: organizations, repos with their branches and tags, the sources an operator
-- registered, and the import record of each repo.

create type import_status as enum (
  'pending', 'offered_pending_acceptance', 'import_started', 'acquired_connection', 'acquired_external_repo',
  'created_repo', 'queued_branch_for_commit_processing', 'repo_processing_underway', 'processing_initiated',
  'processing_in_progress', 'processing_completed',
  'could_not_determine_default_branch', 'unable_to_acquire_connection', 'unable_to_import_no_quota',
  'unable_to_import_no_repo', 'unable_to_import_too_many_attempts'
);

create table organizations (
  entity_id bigint not null,
  id bigserial not null,
  created_at timestamptz not null default now(),
  slug text not null,
  name text not null,
  constraint organizations_pkey primary key (entity_id, id),
  constraint organizations_slug_key unique (entity_id, slug),
  constraint organizations_entity_fkey foreign key (entity_id) references entities (id)
);

create table repos (
  entity_id bigint not null,
  id bigserial not null,
  organization_id bigint not null,
  created_at timestamptz not null default now(),
  -- commits authored before this are outside the import window; null takes the whole history
  processed_from timestamptz,
  last_fetched_at timestamptz,
  next_refresh_at timestamptz,
  slug text not null,
  name text not null,
  default_branch text,
  source_kind text not null,
  settings jsonb not null default '{}',
  constraint repos_pkey primary key (entity_id, id),
  constraint repos_slug_key unique (entity_id, organization_id, slug),
  constraint repos_organization_fkey foreign key (entity_id, organization_id) references organizations (entity_id, id)
);

-- What the operator named on the command line: a folder on this machine, or an address to clone from.
-- Credentials are never stored here.
create table repo_sources (
  entity_id bigint not null,
  created_at timestamptz not null default now(),
  organization_slug text not null,
  repo_slug text not null,
  kind text not null,
  address text not null,
  constraint repo_sources_pkey primary key (entity_id, organization_slug, repo_slug),
  constraint repo_sources_entity_fkey foreign key (entity_id) references entities (id),
  constraint repo_sources_kind_check check (kind in ('path', 'address'))
);

-- A branch's head is stored when the walk from it is complete: the next walk is `heads --not these`.
create table branches (
  entity_id bigint not null,
  repo_id bigint not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  name text not null,
  head_sha bytea not null,
  constraint branches_pkey primary key (entity_id, repo_id, name),
  constraint branches_repo_fkey foreign key (entity_id, repo_id) references repos (entity_id, id)
);

create table tags (
  entity_id bigint not null,
  repo_id bigint not null,
  tagged_at timestamptz not null,
  deleted_at timestamptz,
  name text not null,
  -- the commit that the tag leads to
  sha bytea not null,
  constraint tags_pkey primary key (entity_id, repo_id, name),
  constraint tags_repo_fkey foreign key (entity_id, repo_id) references repos (entity_id, id)
);

create table imports (
  entity_id bigint not null,
  id bigserial not null,
  repo_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  last_processed_at timestamptz,
  last_pr_discovery_at timestamptz,
  last_provider_quota_exceeded_at timestamptz,
  stats_calculated_at timestamptz,
  -- what the asker wanted: commits since then, or null for the default window
  wanted_from timestamptz,
  default_branch_processed_back_through date,
  subscription_earliest_processing_at date,
  wants_all boolean not null default false,
  status import_status not null default 'pending',
  attempt_count integer not null default 0,
  available_provider_connection_count integer not null default 0,
  commits_complete_count integer not null default 0,
  commit_processed_count integer not null default 0,
  expected_commit_count integer not null default 0,
  skipped_commit_count integer not null default 0,
  last_year_days_with_commit_processed_count integer not null default 0,
  percent_complete integer not null default 0,
  provider_past_year_commit_count integer,
  pull_request_discovered_count integer not null default 0,
  pull_request_processed_count integer not null default 0,
  -- the worker run that may write facts; a run that lost it must stop
  run_token text,
  organization_slug text not null,
  repo_slug text not null,
  error_em text,
  error_detail text not null default '',
  constraint imports_pkey primary key (entity_id, id),
  constraint imports_repo_path_key unique (entity_id, organization_slug, repo_slug),
  constraint imports_entity_fkey foreign key (entity_id) references entities (id)
);

insert into table_kinds (table_name, kind) values
  ('organizations', 'tenant'),
  ('repos', 'tenant'),
  ('repo_sources', 'tenant'),
  ('branches', 'tenant'),
  ('tags', 'tenant'),
  ('imports', 'tenant');
