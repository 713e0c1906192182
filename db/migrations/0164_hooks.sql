-- Webhooks: where hosts may send what has changed, and which deliveries have come.

create table host_hooks (
  entity_id bigint not null,
  id bigserial not null,
  host_key text not null,
  provider_em text not null,
  -- the last part of the address; begins with the entity's id
  path_part text not null,
  secret_sealed bytea not null,
  -- a provider connection or a tracker
  source text not null,
  connection_id bigint not null,
  organization_external_id text,
  repo_id bigint,
  -- the host's own id, where we registered it
  external_id text,
  -- set by the first delivery with a good signature
  verified_at timestamptz,
  last_delivery_at timestamptz,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint host_hooks_pkey primary key (entity_id, id),
  constraint host_hooks_path_part_key unique (entity_id, path_part),
  constraint host_hooks_source_check check (source in ('host', 'tracker')),
  constraint host_hooks_entity_id_fkey foreign key (entity_id) references entities (id)
);

create table hook_deliveries (
  entity_id bigint not null,
  hook_id bigint not null,
  -- the host's own id of the delivery, the same when it is sent again
  delivery_id text not null,
  event text not null,
  received_at timestamptz not null,
  constraint hook_deliveries_pkey primary key (entity_id, hook_id, delivery_id),
  constraint hook_deliveries_hook_id_fkey foreign key (entity_id, hook_id) references host_hooks (entity_id, id) on delete cascade
);
create index hook_deliveries_received_at_idx on hook_deliveries (entity_id, received_at);

insert into table_kinds (table_name, kind) values
  ('host_hooks', 'tenant'),
  ('hook_deliveries', 'tenant');
