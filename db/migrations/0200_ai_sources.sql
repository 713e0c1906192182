-- Usage of AI tools comes from several sources, and one tool may be seen by more than one of them: provider, tool, source
-- and who was named are facts of a row. Which rows count is decided when rows change and kept with them.

-- submitted: sent with POST /ai_usages; import: a file; provider_api: collected; otlp: telemetry of the tool itself
alter table ai_usages add column source_em text not null default 'submitted';
-- claude-code, cursor, copilot, …; null where nothing names it
alter table ai_usages add column tool_em text;
-- whom the source named; null where the submission named the committer itself
alter table ai_usages add column identity_id bigint;
alter table ai_usages add column llm_token_id bigint;
-- null: not reported
alter table ai_usages add column prompt_count bigint;
alter table ai_usages add column session_count bigint;
alter table ai_usages add column active_seconds bigint;
alter table ai_usages add column tokens_input bigint;
alter table ai_usages add column tokens_output bigint;
alter table ai_usages add column tokens_cache_read bigint;
alter table ai_usages add column tokens_cache_write bigint;
alter table ai_usages add column commit_count bigint;
alter table ai_usages add column pull_request_count bigint;
-- millionths of the provider's own unit, which is not money
alter table ai_usages add column microcredits bigint;
alter table ai_usages add column is_cost_estimate boolean not null default false;
alter table ai_usages add column collected_at timestamptz;
-- of a person, day and provider one source counts for activity and one for cost
alter table ai_usages add column is_activity_chosen boolean not null default true;
alter table ai_usages add column is_cost_chosen boolean not null default true;

-- What is submitted replaces by day, subject and model, as before: its provider follows from the model.
alter table ai_usages drop constraint ai_usages_subject_key;
create unique index ai_usages_submitted_key on ai_usages (entity_id, used_on, committer_id, team_id, llm_model_name)
  nulls not distinct where source_em = 'submitted';
create unique index ai_usages_collected_key on ai_usages (entity_id, used_on, source_em, llm_token_id, identity_id,
  committer_id, team_id, ai_provider_em, tool_em, llm_model_name) nulls not distinct where source_em <> 'submitted';
create index ai_usages_identity_idx on ai_usages (entity_id, identity_id, used_on) where identity_id is not null;
create index ai_usages_unchosen_idx on ai_usages (entity_id, used_on) where not (is_activity_chosen and is_cost_chosen);

-- Who providers and tools name. A later match moves the rows of an identity to the person.
create table ai_identities (
  entity_id bigint not null,
  id bigserial not null,
  ai_provider_em text not null,
  -- email, login, user_id, key_name, install_id
  kind_em text not null,
  -- as it came; compared in lower case
  value text not null,
  value_key text not null,
  -- another name of the same person that came along, to find them by
  display_name text,
  committer_id bigint,
  -- matched, ignored, unmatched
  status_em text not null default 'unmatched',
  -- an admin said so: no rule changes it
  is_chosen boolean not null default false,
  first_seen_on date not null,
  last_seen_on date not null,
  constraint ai_identities_pkey primary key (entity_id, id),
  constraint ai_identities_value_key unique (entity_id, ai_provider_em, kind_em, value_key),
  constraint ai_identities_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index ai_identities_committer_idx on ai_identities (entity_id, committer_id) where committer_id is not null;

-- Seats as a provider lists them, by whom it names; ai_seats follows for those who are known.
create table ai_seat_listings (
  entity_id bigint not null,
  llm_token_id bigint not null,
  identity_id bigint not null,
  ai_provider_em text not null,
  from_on date not null,
  -- first day without; null while it is held
  until_on date,
  last_activity_on date,
  constraint ai_seat_listings_pkey primary key (entity_id, llm_token_id, identity_id, from_on),
  constraint ai_seat_listings_entity_id_fkey foreign key (entity_id) references entities (id)
);

-- Which organization, enterprise or workspace a token is asked about, and where; what the collector knows of it.
alter table llm_tokens add column settings jsonb not null default '{}';
-- null: the provider has one tool
alter table llm_tokens add column tool_em text;
alter table llm_tokens add column next_run_at timestamptz;
alter table llm_tokens add column last_run_at timestamptz;
-- last day whose figures were final when they were read
alter table llm_tokens add column last_success_on date;
-- newest day that the provider has
alter table llm_tokens add column latest_available_on date;
alter table llm_tokens add column error_detail text;

insert into table_kinds (table_name, kind) values
  ('ai_identities', 'tenant'),
  ('ai_seat_listings', 'tenant');
