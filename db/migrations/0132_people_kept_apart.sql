-- Identities that somebody split on purpose: they are not suggested as one person again until they are merged by hand.
create table committers_kept_apart (
  entity_id bigint not null,
  committer_id bigint not null,
  other_committer_id bigint not null,
  constraint committers_kept_apart_pkey primary key (entity_id, committer_id, other_committer_id)
);

insert into table_kinds (table_name, kind) values ('committers_kept_apart', 'tenant');
