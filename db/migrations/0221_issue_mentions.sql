-- Keys of issues that commits and pull requests name, whether such issues are known or not: an issue that is collected
-- later finds its commits.

create table issue_mentions (
  entity_id bigint not null,
  -- commit or pull_request
  source text not null,
  source_id bigint not null,
  -- in lower case: web-7, owner/repo#6, ab#7, or #6 for an issue of the repo itself
  key text not null,
  repo_id bigint not null,
  constraint issue_mentions_pkey primary key (entity_id, source, source_id, key),
  constraint issue_mentions_source_check check (source in ('commit', 'pull_request'))
);
create index issue_mentions_key_idx on issue_mentions (entity_id, key);
create index issue_mentions_repo_idx on issue_mentions (entity_id, repo_id);

-- Commits up to this id have been searched for keys.
alter table repos add column mentions_read_to bigint not null default 0;

insert into table_kinds (table_name, kind) values
  ('issue_mentions', 'tenant');
