-- Surveys. Nothing here ties an answer of an anonymous survey to a person, or tells who answered at all:
-- recipients have no trace of it, and `responded_marks` can be read only with the service's secret, which
-- the database does not hold.

create table surveys (
  entity_id bigint not null,
  id bigserial not null,
  name text not null,
  description text not null default '',
  category_em text not null,
  template_key text,
  status_em text not null,
  is_anonymous boolean not null,
  created_by_user_id bigint,
  -- teams that were named as recipients
  team_ids bigint[] not null default '{}',
  send_at timestamptz,
  sent_at timestamptz,
  closes_at timestamptz,
  closed_at timestamptz,
  reminded_at timestamptz,
  -- sorted keyed hashes of 16 bytes, one per recipient who answered; all in one value, so that neither
  -- the order of rows nor their transactions say whose is whose
  responded_marks bytea not null default '',
  -- of what the survey was made from, to know a repeated call
  input_sha256 bytea not null,
  created_at timestamptz not null default now(),
  constraint surveys_pkey primary key (entity_id, id),
  constraint surveys_entity_id_fkey foreign key (entity_id) references entities (id),
  constraint surveys_category_check check (category_em in ('ai_adoption', 'development_tools', 'satisfaction_and_sentiment', 'workflows_and_processes')),
  constraint surveys_status_check check (status_em in ('draft', 'scheduled', 'open', 'closed'))
);
create index surveys_due_idx on surveys (status_em, entity_id) where status_em in ('scheduled', 'open');

create table survey_questions (
  entity_id bigint not null,
  id bigserial not null,
  survey_id bigint not null,
  ordinal integer not null,
  text text not null,
  type_em text not null,
  scale_min integer,
  scale_max integer,
  choices jsonb,
  is_required boolean not null,
  constraint survey_questions_pkey primary key (entity_id, id),
  constraint survey_questions_survey_id_fkey foreign key (entity_id, survey_id) references surveys (entity_id, id) on delete cascade,
  constraint survey_questions_type_check check (type_em in ('scale', 'single_choice', 'multiple_choice', 'text'))
);
create index survey_questions_survey_idx on survey_questions (entity_id, survey_id);

create table survey_recipients (
  entity_id bigint not null,
  id bigserial not null,
  survey_id bigint not null,
  committer_id bigint,
  -- null where no address is known that mail could reach
  email text,
  -- user name of the committer, otherwise the address, in lower case
  identifier text not null,
  full_name text,
  team_id bigint,
  -- cohort of the week before the survey was sent
  ai_cohort text,
  constraint survey_recipients_pkey primary key (entity_id, id),
  constraint survey_recipients_identifier_key unique (entity_id, survey_id, identifier),
  constraint survey_recipients_survey_id_fkey foreign key (entity_id, survey_id) references surveys (entity_id, id) on delete cascade
);

create table survey_responses (
  entity_id bigint not null,
  -- random, so that it tells no order
  id uuid not null,
  survey_id bigint not null,
  -- recipient and day are null where the survey is anonymous
  recipient_id bigint,
  responded_on date,
  -- null too where so few recipients share them that they would point at a person
  team_id bigint,
  ai_cohort text,
  constraint survey_responses_pkey primary key (entity_id, id),
  constraint survey_responses_survey_id_fkey foreign key (entity_id, survey_id) references surveys (entity_id, id) on delete cascade
);
create index survey_responses_survey_idx on survey_responses (entity_id, survey_id);

create table survey_answers (
  entity_id bigint not null,
  response_id uuid not null,
  question_id bigint not null,
  -- of a scale
  number_value integer,
  -- of a choice
  chosen jsonb,
  -- the answer to a text question, or a remark beside another
  comment text,
  constraint survey_answers_pkey primary key (entity_id, response_id, question_id),
  constraint survey_answers_response_id_fkey foreign key (entity_id, response_id) references survey_responses (entity_id, id) on delete cascade
);

insert into table_kinds (table_name, kind) values
  ('surveys', 'tenant'),
  ('survey_questions', 'tenant'),
  ('survey_recipients', 'tenant'),
  ('survey_responses', 'tenant'),
  ('survey_answers', 'tenant');
