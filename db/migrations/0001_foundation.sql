-- Entities, users and their rights; settings; progress and heartbeats of background work.
--
-- Every table has a kind, because the same schema runs on one server and on a Citus cluster:
--   reference  small, copied to every node; the only place for keys that are unique across entities
--   tenant     spread over the nodes by entity_id, which begins its primary key and every unique index
--   local      stays on the coordinator; has no foreign keys to the other kinds
-- Each migration enters its tables here; a test refuses a table without a kind.

create table table_kinds (
  table_name text not null,
  kind text not null,
  constraint table_kinds_pkey primary key (table_name),
  constraint table_kinds_kind_check check (kind in ('reference', 'tenant', 'local'))
);

create table entities (
  id bigserial not null,
  slug text not null,
  name text not null,
  state text not null default 'active',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  state_changed_at timestamptz not null default now(),
  constraint entities_pkey primary key (id),
  constraint entities_slug_key unique (slug),
  constraint entities_slug_check check (slug ~ '^[a-z0-9]([a-z0-9._-]{0,98}[a-z0-9])?$'),
  constraint entities_state_check check (state in ('active', 'offboarding', 'deleted'))
);

create table users (
  id bigserial not null,
  email text not null,
  full_name text,
  avatar_url text,
  is_super_admin boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_pkey primary key (id),
  constraint users_email_key unique (email),
  constraint users_email_check check (email = lower(email))
);

create table memberships (
  entity_id bigint not null,
  user_id bigint not null,
  role text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint memberships_pkey primary key (entity_id, user_id),
  constraint memberships_entity_id_fkey foreign key (entity_id) references entities (id) on delete cascade,
  constraint memberships_user_id_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint memberships_role_check check (role in ('member', 'manager', 'admin'))
);
create index memberships_user_id_idx on memberships (user_id);

create table api_tokens (
  id bigserial not null,
  entity_id bigint not null,
  user_id bigint not null,
  name text,
  token_sha256 bytea not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint api_tokens_pkey primary key (id),
  constraint api_tokens_token_sha256_key unique (token_sha256),
  constraint api_tokens_token_sha256_check check (octet_length(token_sha256) = 32),
  constraint api_tokens_entity_id_fkey foreign key (entity_id) references entities (id) on delete cascade,
  constraint api_tokens_user_id_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint api_tokens_created_by_fkey foreign key (created_by) references users (id) on delete cascade
);
comment on column api_tokens.user_id is 'Whose rights the token has.';
comment on column api_tokens.created_by is 'Who made it; null when the operator did on the command line.';
create index api_tokens_entity_id_idx on api_tokens (entity_id);
create index api_tokens_user_id_idx on api_tokens (user_id);

create table entity_settings (
  entity_id bigint not null,
  key text not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  constraint entity_settings_pkey primary key (entity_id, key),
  constraint entity_settings_entity_id_fkey foreign key (entity_id) references entities (id) on delete cascade
);

create table job_progress (
  job_key text not null,
  stage text not null,
  done bigint not null default 0,
  total bigint,
  detail jsonb not null default '{}',
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint job_progress_pkey primary key (job_key)
);
create index job_progress_updated_at_idx on job_progress (updated_at);

create table workers (
  id text not null,
  host text not null,
  pid integer not null,
  concurrency integer not null,
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default now(),
  constraint workers_pkey primary key (id)
);
comment on table workers is 'Worker processes; one that stopped beating has its jobs handed to the others.';

insert into table_kinds (table_name, kind) values
  ('table_kinds', 'local'),
  ('schema_migrations', 'local'),
  ('entities', 'reference'),
  ('users', 'reference'),
  ('memberships', 'reference'),
  ('api_tokens', 'reference'),
  ('entity_settings', 'tenant'),
  ('job_progress', 'local'),
  ('workers', 'local');
