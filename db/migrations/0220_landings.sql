-- Commits that pull requests put on their base branch in place of their own: a squash, or each rebased commit.

create table pull_request_landings (
  entity_id bigint not null,
  pull_request_id bigint not null,
  repo_id bigint not null,
  sha bytea not null,
  -- the commit of the pull request that it stands for, by its ordinal; null for a squash, which stands for all of them
  source_ordinal integer,
  constraint pull_request_landings_pkey primary key (entity_id, pull_request_id, sha),
  constraint pull_request_landings_pull_request_id_fkey foreign key (entity_id, pull_request_id) references pull_requests (entity_id, id) on delete cascade
);
create index pull_request_landings_sha_idx on pull_request_landings (entity_id, repo_id, sha);

insert into table_kinds (table_name, kind) values
  ('pull_request_landings', 'tenant');
