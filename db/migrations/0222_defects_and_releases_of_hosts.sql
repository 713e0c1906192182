-- Defects that rules find in issues and pull requests, and releases that hosts report.

-- a pull request that no issue stands behind
alter table critical_defects add column pull_request_id bigint;
alter table defect_commits drop constraint defect_commits_link_check;
alter table defect_commits add constraint defect_commits_link_check
  check (link_em in ('sha', 'defect_key', 'issue', 'pull_request', 'release'));

-- Defects that a rule found and a call removed: the rule does not find them again.
create table dismissed_defects (
  entity_id bigint not null,
  -- in lower case
  defect_key text not null,
  constraint dismissed_defects_pkey primary key (entity_id, defect_key),
  constraint dismissed_defects_entity_id_fkey foreign key (entity_id) references entities (id)
);

-- A deployment that a host reports rather than a call.
alter table deployments add column is_derived boolean not null default false;

insert into table_kinds (table_name, kind) values
  ('dismissed_defects', 'tenant');
