-- Who did what, when, to which resource, and how it ended. Written once, removed when its time is up.

create table activities (
  entity_id bigint not null,
  id bigserial not null,
  occurred_at timestamptz not null,
  user_id bigint,
  caller_entity_id bigint,
  credential_kind text not null,
  operation text not null,
  outcome_em text not null,
  credential_id text,
  address text,
  resource text,
  trace text,
  parameters jsonb not null default '{}',
  constraint activities_pkey primary key (entity_id, id),
  constraint activities_credential_kind_check check (credential_kind in ('token', 'session', 'operator', 'none'))
);
comment on column activities.entity_id is 'Where it happened; 0 is the service itself, so there is no foreign key.';
comment on column activities.caller_entity_id is 'Of the credential: another one where a super admin acts.';
comment on column activities.credential_id is 'Id of the token or session; name of the user of the machine for a command.';
comment on column activities.trace is 'Finds the call in the log.';
create index activities_occurred_at_idx on activities (entity_id, occurred_at);
create index activities_user_id_idx on activities (entity_id, user_id, id);

insert into table_kinds (table_name, kind) values ('activities', 'tenant');
