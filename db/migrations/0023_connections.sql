-- Connections to code hosts, and what each could see when it was last asked.

create table provider_connections (
  entity_id bigint not null,
  id bigserial not null,
  user_id bigint not null,
  git_provider_em text not null,
  -- null: the provider's own address
  endpoint_url text,
  organization_name text,
  tenant_id text,
  -- sealed with the key outside the database
  token_sealed bytea not null,
  token_expires_at timestamptz,
  verified_at timestamptz,
  repos_cached_at timestamptz,
  last_quota_exceeded_at timestamptz,
  error_em text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint provider_connections_pkey primary key (entity_id, id),
  constraint provider_connections_owner_key unique nulls not distinct (entity_id, user_id, git_provider_em, endpoint_url, organization_name),
  constraint provider_connections_entity_id_fkey foreign key (entity_id) references entities (id),
  constraint provider_connections_user_id_fkey foreign key (user_id) references users (id)
);

create table provider_organizations (
  entity_id bigint not null,
  connection_id bigint not null,
  slug text not null,
  name text not null,
  external_id text not null,
  seen_at timestamptz not null,
  constraint provider_organizations_pkey primary key (entity_id, connection_id, slug),
  constraint provider_organizations_connection_id_fkey foreign key (entity_id, connection_id) references provider_connections (entity_id, id) on delete cascade
);

create table provider_repos (
  entity_id bigint not null,
  connection_id bigint not null,
  organization_slug text not null,
  repo_slug text not null,
  external_id text not null,
  clone_url text not null,
  default_branch text,
  is_private boolean not null,
  seen_at timestamptz not null,
  constraint provider_repos_pkey primary key (entity_id, connection_id, organization_slug, repo_slug),
  constraint provider_repos_connection_id_fkey foreign key (entity_id, connection_id) references provider_connections (entity_id, id) on delete cascade
);

insert into table_kinds (table_name, kind) values
  ('provider_connections', 'tenant'),
  ('provider_organizations', 'tenant'),
  ('provider_repos', 'tenant');
