-- How far collecting has come: streams with their cursors, what tokens have left, and the answers as they came.

create table sync_streams (
  entity_id bigint not null,
  id bigserial not null,
  -- what it is a stream of: repo, organization or tracker
  scope_kind text not null,
  host_key text not null,
  repo_id bigint,
  tracker_id bigint,
  organization_external_id text,
  -- such as pull_requests; the rows of the host's connector
  stream text not null,
  -- fresh: what changed since the watermark; backfill: what was there before, once
  mode text not null,
  -- lower goes first
  priority smallint not null,
  -- where the walk stands; null between walks
  cursor jsonb,
  -- the host's time at the beginning of the walk under way
  walk_top timestamptz,
  -- the host's time up to which everything is stored
  watermark timestamptz,
  -- how far back a backfill goes; null takes everything
  since timestamptz,
  page_size integer,
  good_pages integer not null default 0,
  -- null: nothing left to do
  next_due_at timestamptz,
  lease_token text,
  lease_until timestamptz,
  -- in a row, on the page that comes next
  failures integer not null default 0,
  failure_em text,
  failure_detail text not null default '',
  -- items stored by the walk under way, and what the host says there are
  walk_items integer not null default 0,
  walk_expected integer,
  items_total bigint not null default 0,
  pages_total bigint not null default 0,
  calls_total bigint not null default 0,
  walk_started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sync_streams_pkey primary key (entity_id, id),
  constraint sync_streams_place_key unique nulls not distinct
    (entity_id, host_key, repo_id, tracker_id, organization_external_id, stream, mode),
  constraint sync_streams_scope_kind_check check (scope_kind in ('repo', 'organization', 'tracker')),
  constraint sync_streams_mode_check check (mode in ('fresh', 'backfill')),
  constraint sync_streams_entity_id_fkey foreign key (entity_id) references entities (id),
  constraint sync_streams_repo_id_fkey foreign key (entity_id, repo_id) references repos (entity_id, id),
  constraint sync_streams_tracker_id_fkey foreign key (entity_id, tracker_id) references trackers (entity_id, id) on delete cascade
);
create index sync_streams_due_idx on sync_streams (entity_id, next_due_at) where next_due_at is not null;

-- A token that may not read a stream leaves it to others until then.
create table stream_denials (
  entity_id bigint not null,
  stream_id bigint not null,
  -- host: a provider connection; tracker: a tracker
  source text not null,
  connection_id bigint not null,
  failure_em text not null,
  detail text not null default '',
  denied_until timestamptz not null,
  constraint stream_denials_pkey primary key (entity_id, stream_id, source, connection_id),
  constraint stream_denials_source_check check (source in ('host', 'tracker')),
  constraint stream_denials_stream_id_fkey foreign key (entity_id, stream_id) references sync_streams (entity_id, id) on delete cascade
);

-- What a token has left of each budget, by the host's last word.
create table token_budgets (
  entity_id bigint not null,
  source text not null,
  connection_id bigint not null,
  resource text not null,
  quota integer,
  remaining integer,
  reset_at timestamptz,
  -- nothing is requested before
  wait_until timestamptz,
  wait_reason text,
  -- waits in a row that the host gave no time for
  waits integer not null default 0,
  updated_at timestamptz not null,
  constraint token_budgets_pkey primary key (entity_id, source, connection_id, resource),
  constraint token_budgets_source_check check (source in ('host', 'tracker')),
  constraint token_budgets_entity_id_fkey foreign key (entity_id) references entities (id)
);

-- Items that a webhook or a person named, to be fetched again.
create table refetches (
  entity_id bigint not null,
  host_key text not null,
  scope_kind text not null,
  -- of the repo or the tracker
  scope_id bigint not null,
  -- pull_request, issue …; what the connector can fetch by itself
  item_kind text not null,
  item_key text not null,
  wanted_at timestamptz not null,
  not_before timestamptz not null,
  failures integer not null default 0,
  constraint refetches_pkey primary key (entity_id, scope_kind, scope_id, item_kind, item_key),
  constraint refetches_scope_kind_check check (scope_kind in ('repo', 'tracker')),
  constraint refetches_entity_id_fkey foreign key (entity_id) references entities (id)
);

-- Answers as they came, gzipped, so that a changed rule can be applied without asking again.
create table raw_answers (
  entity_id bigint not null,
  id bigserial not null,
  stream_id bigint,
  host_key text not null,
  received_at timestamptz not null,
  method text not null,
  -- without credentials
  address text not null,
  request_body text,
  status smallint not null,
  body bytea not null,
  byte_count integer not null,
  constraint raw_answers_pkey primary key (entity_id, id),
  constraint raw_answers_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index raw_answers_received_at_idx on raw_answers (entity_id, received_at);

insert into table_kinds (table_name, kind) values
  ('sync_streams', 'tenant'),
  ('stream_denials', 'tenant'),
  ('token_budgets', 'tenant'),
  ('refetches', 'tenant'),
  ('raw_answers', 'tenant');
