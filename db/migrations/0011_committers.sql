-- People. A committer is the person record of the API; a child points at its root, a root at itself.
-- An address key (an e-mail address, or a host's noreply login) belongs to one committer; a signature
-- is a name and address exactly as some commit wrote them.

create type processing_status as enum ('processing_stats', 'limited_processing', 'not_processing');

create table committers (
  entity_id bigint not null,
  id bigserial not null,
  root_committer_id bigint not null,
  user_id bigint,
  created_at timestamptz not null default now(),
  processing_status processing_status not null,
  is_bot boolean not null default false,
  -- true when a person chose the status, so that rules leave it alone
  is_status_chosen boolean not null default false,
  committer_user_name text not null,
  full_name text not null,
  email text not null,
  git_provider_id text,
  provider_email text,
  constraint committers_pkey primary key (entity_id, id),
  constraint committers_user_name_key unique (entity_id, committer_user_name),
  constraint committers_entity_fkey foreign key (entity_id) references entities (id)
);
create index committers_root_index on committers (entity_id, root_committer_id);

create table committer_identities (
  entity_id bigint not null,
  committer_id bigint not null,
  address_key text not null,
  constraint committer_identities_pkey primary key (entity_id, address_key),
  constraint committer_identities_committer_fkey foreign key (entity_id, committer_id)
    references committers (entity_id, id)
);
create index committer_identities_committer_index on committer_identities (entity_id, committer_id);

create table signatures (
  entity_id bigint not null,
  id bigserial not null,
  address_key text not null,
  name text not null,
  email text not null,
  constraint signatures_pkey primary key (entity_id, id),
  constraint signatures_name_key unique (entity_id, email, name)
);

insert into table_kinds (table_name, kind) values
  ('committers', 'tenant'),
  ('committer_identities', 'tenant'),
  ('signatures', 'tenant');
