-- What AI tools report about their use, and the tokens with which their providers are asked.

create table ai_usages (
  entity_id bigint not null,
  id bigserial not null,
  used_on date not null,
  -- both null: usage of the entity that belongs to nobody in particular
  committer_id bigint,
  team_id bigint,
  llm_model_name text not null,
  -- wire value of the provider the model name maps to, `custom` where it maps to none
  ai_provider_em text not null,
  -- null: not reported
  lines_added bigint,
  lines_deleted bigint,
  prompted_suggest_count bigint,
  prompted_accept_count bigint,
  tab_suggest_count bigint,
  tab_accept_count bigint,
  -- hundredths of a cent
  cost_centicents bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint ai_usages_pkey primary key (entity_id, id),
  constraint ai_usages_subject_key unique nulls not distinct (entity_id, used_on, committer_id, team_id, llm_model_name),
  constraint ai_usages_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index ai_usages_committer_idx on ai_usages (entity_id, committer_id, used_on);

-- Who had a seat of a provider when, as the provider lists it: a seat that is not used is told by nothing else.
create table ai_seats (
  entity_id bigint not null,
  committer_id bigint not null,
  ai_provider_em text not null,
  from_on date not null,
  -- first day without; null while it is held
  until_on date,
  constraint ai_seats_pkey primary key (entity_id, committer_id, ai_provider_em, from_on),
  constraint ai_seats_entity_id_fkey foreign key (entity_id) references entities (id)
);

create table llm_tokens (
  entity_id bigint not null,
  id bigserial not null,
  ai_usage_provider_em text not null,
  -- sealed with the key outside the database
  secret_sealed bytea not null,
  created_by_user_id bigint,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_exceeded_quota_at timestamptz,
  global_error_em text,
  constraint llm_tokens_pkey primary key (entity_id, id),
  constraint llm_tokens_entity_id_fkey foreign key (entity_id) references entities (id)
);

-- What a token was confirmed for: the entity (organization_id null) or one organization.
create table llm_token_resources (
  entity_id bigint not null,
  id bigserial not null,
  llm_token_id bigint not null,
  organization_id bigint,
  constraint llm_token_resources_pkey primary key (entity_id, id),
  constraint llm_token_resources_llm_token_id_fkey foreign key (entity_id, llm_token_id) references llm_tokens (entity_id, id) on delete cascade,
  constraint llm_token_resources_subject_key unique nulls not distinct (entity_id, llm_token_id, organization_id)
);

insert into table_kinds (table_name, kind) values
  ('ai_usages', 'tenant'),
  ('ai_seats', 'tenant'),
  ('llm_tokens', 'tenant'),
  ('llm_token_resources', 'tenant');
