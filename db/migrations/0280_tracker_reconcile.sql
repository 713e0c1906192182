-- The nightly comparison of a tracker's issues, as `reconciliations` has it of a repo's pull requests.

create table tracker_reconciliations (
  entity_id bigint not null,
  tracker_id bigint not null,
  host_key text not null,
  -- of the last night
  started_at timestamptz not null,
  compared integer not null default 0,
  differed integer not null default 0,
  -- of all nights
  compared_total bigint not null default 0,
  differed_total bigint not null default 0,
  constraint tracker_reconciliations_pkey primary key (entity_id, tracker_id),
  constraint tracker_reconciliations_entity_id_tracker_id_fkey foreign key (entity_id, tracker_id)
    references trackers (entity_id, id) on delete cascade
);

insert into table_kinds (table_name, kind) values ('tracker_reconciliations', 'tenant');
