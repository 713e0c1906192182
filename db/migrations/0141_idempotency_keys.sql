-- Calls that were made with an Idempotency-Key, for a day: a repeated one gets the first one's answer.
create table idempotency_keys (
  entity_id bigint not null,
  -- who called, such as 'token 7': two callers may use the same key
  credential text not null,
  key_sha256 bytea not null,
  -- of method, address and parameters
  request_sha256 bytea not null,
  -- the run that the call belongs to; another one that takes over changes it, and the first cannot commit any more
  run_id uuid not null,
  started_at timestamptz not null default now(),
  -- set by the transaction that carries the call out
  is_kept boolean not null default false,
  -- sealed with a key that only the caller's credential gives
  answer bytea,
  constraint idempotency_keys_pkey primary key (entity_id, credential, key_sha256)
);
create index idempotency_keys_started_idx on idempotency_keys (started_at);

insert into table_kinds (table_name, kind) values
  ('idempotency_keys', 'tenant');
