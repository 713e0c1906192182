-- Releases and critical defects, with what ties them to commits.

create table releases (
  entity_id bigint not null,
  id bigserial not null,
  repo_id bigint not null,
  name text,
  -- the release commit: the commit preceding the release
  release_sha bytea,
  released_at timestamptz not null,
  triggered_by text not null,
  deployed_by_committer_id bigint,
  deployed_by_user_name text,
  -- the first known release of a repo holds its past but is no measurement
  is_baseline boolean not null default false,
  -- counted commits first shipped by it; 0 for a baseline
  commit_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint releases_pkey primary key (entity_id, id),
  constraint releases_repo_id_fkey foreign key (entity_id, repo_id) references repos (entity_id, id),
  constraint releases_triggered_by_check check (triggered_by in
    ('api', 'branch_push', 'branch_prefix', 'merged_pull_request', 'git_tag', 'commit_message', 'workflow_success'))
);
create index releases_released_at_idx on releases (entity_id, released_at);
create unique index releases_release_sha_key on releases (entity_id, repo_id, release_sha) where release_sha is not null;

-- The first release that held a commit.
create table release_commits (
  entity_id bigint not null,
  commit_id bigint not null,
  release_id bigint not null,
  constraint release_commits_pkey primary key (entity_id, commit_id),
  constraint release_commits_release_id_fkey foreign key (entity_id, release_id) references releases (entity_id, id) on delete cascade
);
create index release_commits_release_idx on release_commits (entity_id, release_id);

create table release_issue_keys (
  entity_id bigint not null,
  release_id bigint not null,
  issue_key text not null,
  constraint release_issue_keys_pkey primary key (entity_id, release_id, issue_key),
  constraint release_issue_keys_release_id_fkey foreign key (entity_id, release_id) references releases (entity_id, id) on delete cascade
);

create table critical_defects (
  entity_id bigint not null,
  id bigserial not null,
  defect_key text not null,
  category text,
  description text,
  severity integer,
  -- how it became known: the API, a tracker's issue, a term in a title, or a release call naming an issue
  source_em text not null,
  -- the one organization and the one repo among defect_scopes; null where there are none or several
  organization_id bigint,
  repo_id bigint,
  issue_id bigint,
  detected_at timestamptz not null,
  -- derived from fixes and linked commits, clamped to be in order; null while not reached
  first_activity_at timestamptz,
  first_fix_merged_at timestamptz,
  last_activity_at timestamptz,
  first_fix_released_at timestamptz,
  final_fix_released_at timestamptz,
  -- business minutes since detection; null while not reached
  business_minutes_to_first_activity integer,
  business_minutes_to_fix_merged integer,
  business_minutes_to_first_release integer,
  business_minutes_to_final_release integer,
  -- release that first shipped most of the lines the fix had to change
  origin_release_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint critical_defects_pkey primary key (entity_id, id),
  constraint critical_defects_defect_key_key unique (entity_id, defect_key),
  constraint critical_defects_source_check check (source_em in ('api', 'issue', 'term', 'release')),
  constraint critical_defects_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index critical_defects_detected_at_idx on critical_defects (entity_id, detected_at);

-- Every organization and repo that a call named for the defect, so that the order of calls does not matter.
create table defect_scopes (
  entity_id bigint not null,
  id bigserial not null,
  defect_id bigint not null,
  organization_id bigint not null,
  repo_id bigint,
  constraint defect_scopes_pkey primary key (entity_id, id),
  constraint defect_scopes_scope_key unique nulls not distinct (entity_id, defect_id, organization_id, repo_id),
  constraint defect_scopes_defect_id_fkey foreign key (entity_id, defect_id) references critical_defects (entity_id, id) on delete cascade
);

-- Every fix call that was made, every release call that named the defect and, where no call tells of a
-- released fix, the releases that shipped commits which worked on it.
create table defect_fixes (
  entity_id bigint not null,
  id bigserial not null,
  defect_id bigint not null,
  repo_id bigint not null,
  fix_sha bytea,
  pushed_at timestamptz,
  released_at timestamptz,
  -- the release whose call named the defect
  named_release_id bigint,
  is_derived boolean not null default false,
  -- the release that shipped the fix, as far as known
  release_id bigint,
  created_at timestamptz not null default now(),
  constraint defect_fixes_pkey primary key (entity_id, id),
  constraint defect_fixes_fix_key unique nulls not distinct (entity_id, defect_id, repo_id, fix_sha, pushed_at, released_at, named_release_id, is_derived),
  constraint defect_fixes_defect_id_fkey foreign key (entity_id, defect_id) references critical_defects (entity_id, id) on delete cascade
);
create index defect_fixes_release_idx on defect_fixes (entity_id, release_id);

-- Commits that worked on a defect: named by sha, key, issue or release.
create table defect_commits (
  entity_id bigint not null,
  defect_id bigint not null,
  commit_id bigint not null,
  link_em text not null,
  constraint defect_commits_pkey primary key (entity_id, defect_id, commit_id),
  constraint defect_commits_defect_id_fkey foreign key (entity_id, defect_id) references critical_defects (entity_id, id) on delete cascade,
  constraint defect_commits_link_check check (link_em in ('sha', 'defect_key', 'issue', 'release'))
);
create index defect_commits_commit_idx on defect_commits (entity_id, commit_id);

-- Lines that fix commits changed or deleted, by the commit that had written them.
create table defect_origins (
  entity_id bigint not null,
  defect_id bigint not null,
  fix_commit_id bigint not null,
  origin_commit_id bigint not null,
  lines integer not null,
  -- thousandths of a line
  ai_lines bigint not null,
  constraint defect_origins_pkey primary key (entity_id, defect_id, fix_commit_id, origin_commit_id),
  constraint defect_origins_defect_id_fkey foreign key (entity_id, defect_id) references critical_defects (entity_id, id) on delete cascade
);

insert into table_kinds (table_name, kind) values
  ('releases', 'tenant'),
  ('release_commits', 'tenant'),
  ('release_issue_keys', 'tenant'),
  ('critical_defects', 'tenant'),
  ('defect_scopes', 'tenant'),
  ('defect_fixes', 'tenant'),
  ('defect_commits', 'tenant'),
  ('defect_origins', 'tenant');
