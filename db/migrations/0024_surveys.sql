-- Surveys. Answers of an anonymous survey are never tied to the person: the recipient row only says
-- that somebody answered, the response row only what was answered and for which team.

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
  send_at timestamptz,
  sent_at timestamptz,
  closes_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint surveys_pkey primary key (entity_id, id),
  constraint surveys_entity_id_fkey foreign key (entity_id) references entities (id),
  constraint surveys_status_check check (status_em in ('draft', 'scheduled', 'open', 'closed'))
);

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
  email text,
  identifier text not null,
  team_id bigint,
  sent_at timestamptz,
  reminded_at timestamptz,
  -- a day only where the survey is anonymous, so that times do not give people away
  responded_on date,
  constraint survey_recipients_pkey primary key (entity_id, id),
  constraint survey_recipients_identifier_key unique (entity_id, survey_id, identifier),
  constraint survey_recipients_survey_id_fkey foreign key (entity_id, survey_id) references surveys (entity_id, id) on delete cascade
);

create table survey_responses (
  entity_id bigint not null,
  id uuid not null,
  survey_id bigint not null,
  -- null where the survey is anonymous
  recipient_id bigint,
  team_id bigint,
  -- cohort of the respondent when answering
  ai_cohort text,
  responded_on date not null,
  constraint survey_responses_pkey primary key (entity_id, id),
  constraint survey_responses_survey_id_fkey foreign key (entity_id, survey_id) references surveys (entity_id, id) on delete cascade
);
create index survey_responses_survey_idx on survey_responses (entity_id, survey_id);

create table survey_answers (
  entity_id bigint not null,
  response_id uuid not null,
  question_id bigint not null,
  number_value integer,
  -- chosen values, or the text of a comment
  text_values jsonb,
  constraint survey_answers_pkey primary key (entity_id, response_id, question_id),
  constraint survey_answers_response_id_fkey foreign key (entity_id, response_id) references survey_responses (entity_id, id) on delete cascade
);

insert into table_kinds (table_name, kind) values
  ('surveys', 'tenant'),
  ('survey_questions', 'tenant'),
  ('survey_recipients', 'tenant'),
  ('survey_responses', 'tenant'),
  ('survey_answers', 'tenant');
