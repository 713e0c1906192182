-- Telemetry that coding tools send of themselves (OTLP), summed as it comes in. What was counted is remembered by a hash
-- for as long as points are taken, so that a retry counts once; attributes that are not summed are never stored.

-- Tokens that may send telemetry and nothing else: one sits on every laptop.
create table ingest_tokens (
  id bigserial not null,
  entity_id bigint not null,
  -- whose use it is that the token reports; null: whoever the telemetry names
  user_id bigint,
  name text,
  token_sha256 bytea not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint ingest_tokens_pkey primary key (id),
  constraint ingest_tokens_token_sha256_key unique (token_sha256),
  constraint ingest_tokens_entity_id_fkey foreign key (entity_id) references entities (id) on delete cascade,
  constraint ingest_tokens_user_id_fkey foreign key (user_id) references users (id) on delete cascade
);
create index ingest_tokens_entity_id_idx on ingest_tokens (entity_id);

-- Points of deltas and log records that were counted.
create table otlp_seen (
  entity_id bigint not null,
  -- UTC day of the point
  seen_on date not null,
  point_hash bigint not null,
  constraint otlp_seen_pkey primary key (entity_id, seen_on, point_hash)
);

-- What a session reported on a day, by quantity: sums of deltas and of log records.
create table otlp_sums (
  entity_id bigint not null,
  used_on date not null,
  session_hash bigint not null,
  -- metric or log
  signal_em text not null,
  quantity_em text not null,
  tool_em text not null,
  ai_provider_em text not null,
  llm_model_name text not null,
  -- '' for nobody
  identity_kind_em text not null,
  identity_value text not null,
  -- thousandths; of a cost, millionths of a cent
  amount bigint not null,
  constraint otlp_sums_pkey primary key (entity_id, used_on, session_hash, signal_em, quantity_em, tool_em,
    ai_provider_em, llm_model_name, identity_kind_em, identity_value)
);

-- The largest value that a cumulative stream had on a day; what it grew by since the day before counts.
create table otlp_streams (
  entity_id bigint not null,
  used_on date not null,
  stream_hash bigint not null,
  session_hash bigint not null,
  quantity_em text not null,
  tool_em text not null,
  ai_provider_em text not null,
  llm_model_name text not null,
  identity_kind_em text not null,
  identity_value text not null,
  amount bigint not null,
  constraint otlp_streams_pkey primary key (entity_id, stream_hash, quantity_em, used_on)
);
create index otlp_streams_day_idx on otlp_streams (entity_id, used_on);

-- Days whose sums changed since they were folded into ai_usages.
create table otlp_due_days (
  entity_id bigint not null,
  used_on date not null,
  -- raised with every change, so that a fold notices what came while it ran
  version bigint not null,
  constraint otlp_due_days_pkey primary key (entity_id, used_on)
);

-- Commits that a provider or a tool says AI took part in.
create table ai_commit_claims (
  entity_id bigint not null,
  -- 40 or 64 hexadecimal digits
  sha text not null,
  -- provider_commit, otlp_commit
  source_em text not null,
  ai_provider_em text not null,
  tool_em text not null,
  llm_model_name text not null default '',
  -- lines of the commit by AI and in all, as the provider counts them; null where it does not say
  ai_lines bigint,
  all_lines bigint,
  claimed_at timestamptz not null,
  -- null until the commit was looked at with it
  applied_at timestamptz,
  constraint ai_commit_claims_pkey primary key (entity_id, sha, source_em, tool_em)
);

insert into table_kinds (table_name, kind) values
  ('ingest_tokens', 'reference'),
  ('otlp_seen', 'tenant'),
  ('otlp_sums', 'tenant'),
  ('otlp_streams', 'tenant'),
  ('otlp_due_days', 'tenant'),
  ('ai_commit_claims', 'tenant');
