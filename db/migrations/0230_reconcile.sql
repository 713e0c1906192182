-- The nightly comparison: some items are read again at the host, and what differs from what is stored is counted.

-- Whether an item is read again to be compared, and not because something named it.
alter table refetches add column is_comparison boolean not null default false;

create table reconciliations (
  entity_id bigint not null,
  repo_id bigint not null,
  host_key text not null,
  -- of the last night
  started_at timestamptz not null,
  compared integer not null default 0,
  differed integer not null default 0,
  -- of all nights
  compared_total bigint not null default 0,
  differed_total bigint not null default 0,
  constraint reconciliations_pkey primary key (entity_id, repo_id),
  constraint reconciliations_entity_id_repo_id_fkey foreign key (entity_id, repo_id) references repos (entity_id, id)
    on delete cascade
);

insert into table_kinds (table_name, kind) values ('reconciliations', 'tenant');
