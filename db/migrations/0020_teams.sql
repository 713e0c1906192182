-- Teams with members and repos, days off, merges of people, and the mail that waits to be sent.

create table teams (
  entity_id bigint not null,
  id bigserial not null,
  slug text not null,
  name text not null,
  -- the team all-contributors, which every entity has and nobody can delete
  is_default boolean not null default false,
  external_source_em text,
  project_board_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint teams_pkey primary key (entity_id, id),
  constraint teams_slug_key unique (entity_id, slug),
  constraint teams_entity_id_fkey foreign key (entity_id) references entities (id),
  constraint teams_external_source_check check (external_source_em in ('source_hostC', 'source_tracker_a', 'source_api_instantiated'))
);
create unique index teams_name_idx on teams (entity_id, lower(name));

-- A member may be named before any commit of theirs is known: then committer_id is null until a
-- committer with that user name or address appears. A membership has days, so that history is charted
-- with the team of its time.
create table team_members (
  entity_id bigint not null,
  id bigserial not null,
  team_id bigint not null,
  committer_id bigint,
  -- user name or e-mail address as given, in lower case
  identifier text not null,
  email text,
  role_em text not null,
  -- null: since always
  from_on date,
  -- first day no longer in the team; null: still is
  until_on date,
  invited_at timestamptz,
  created_at timestamptz not null default now(),
  constraint team_members_pkey primary key (entity_id, id),
  constraint team_members_team_id_fkey foreign key (entity_id, team_id) references teams (entity_id, id) on delete cascade,
  constraint team_members_role_check check (role_em in ('committer_role', 'manager_role'))
);
create index team_members_team_idx on team_members (entity_id, team_id);
create index team_members_committer_idx on team_members (entity_id, committer_id);
create index team_members_unknown_idx on team_members (entity_id, identifier) where committer_id is null;

-- Repos a team was given by name. A team without rows works wherever its members do.
create table team_repos (
  entity_id bigint not null,
  team_id bigint not null,
  organization_slug text not null,
  repo_slug text not null,
  constraint team_repos_pkey primary key (entity_id, team_id, organization_slug, repo_slug),
  constraint team_repos_team_id_fkey foreign key (entity_id, team_id) references teams (entity_id, id) on delete cascade
);

create table days_off (
  entity_id bigint not null,
  committer_id bigint not null,
  off_on date not null,
  created_at timestamptz not null default now(),
  constraint days_off_pkey primary key (entity_id, committer_id, off_on)
);

-- Who was whose before the operator merged two people, so that the merge can be taken back.
create table committer_merges (
  entity_id bigint not null,
  committer_id bigint not null,
  -- the root of this committer before; the whole group goes back to it together
  former_root_id bigint not null,
  merged_at timestamptz not null default now(),
  constraint committer_merges_pkey primary key (entity_id, former_root_id, committer_id)
);

-- Mail is written here in the transaction that causes it, and sent by a task. Without a mail server it
-- stays, and the operator can list it.
create table outgoing_mail (
  entity_id bigint not null,
  id bigserial not null,
  kind text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  attempt_count integer not null default 0,
  last_error text,
  constraint outgoing_mail_pkey primary key (entity_id, id),
  constraint outgoing_mail_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index outgoing_mail_unsent_idx on outgoing_mail (entity_id, id) where sent_at is null;

insert into table_kinds (table_name, kind) values
  ('teams', 'tenant'),
  ('team_members', 'tenant'),
  ('team_repos', 'tenant'),
  ('days_off', 'tenant'),
  ('committer_merges', 'tenant'),
  ('outgoing_mail', 'tenant');
