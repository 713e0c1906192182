-- Values of issues on boards that lie across repos, such as the projects of GitHub: numbers and iterations, each since the time
-- at which the host says that it was set. The host keeps no history of them: what was seen once stays here.
create table board_values (
  entity_id bigint not null,
  host_key text not null,
  organization_external_id text not null,
  board_id text not null,
  issue_external_id text not null,
  -- number or iteration
  kind text not null,
  field_name text not null,
  changed_at timestamptz not null,
  -- a number, or an iteration as sprints name it; null: it was taken away, at the time at which that was seen
  value text,
  seen_at timestamptz not null,
  constraint board_values_pkey primary key (entity_id, host_key, board_id, issue_external_id, field_name, changed_at),
  constraint board_values_kind_check check (kind in ('number', 'iteration')),
  constraint board_values_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index board_values_issue_idx on board_values (entity_id, host_key, issue_external_id);

insert into table_kinds (table_name, kind) values ('board_values', 'tenant');
