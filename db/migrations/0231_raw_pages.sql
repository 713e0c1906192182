-- What was asked for when answers were kept: with it, a page can be read again from them, by other rules.

create table raw_pages (
  entity_id bigint not null,
  id bigserial not null,
  stream_id bigint,
  -- of an item that was fetched by itself
  repo_id bigint,
  host_key text not null,
  requested_at timestamptz not null,
  -- place in the list, page size and the like; or kind and key of an item
  request jsonb not null,
  constraint raw_pages_pkey primary key (entity_id, id),
  constraint raw_pages_entity_id_fkey foreign key (entity_id) references entities (id)
);
create index raw_pages_requested_at_idx on raw_pages (entity_id, requested_at);

alter table raw_answers add column page_id bigint;
-- Those that lead from one page to the next.
alter table raw_answers add column headers jsonb;
create index raw_answers_page_id_idx on raw_answers (entity_id, page_id);
create index raw_answers_address_idx on raw_answers (entity_id, md5(address));

insert into table_kinds (table_name, kind) values ('raw_pages', 'tenant');
