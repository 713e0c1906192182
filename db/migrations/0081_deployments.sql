-- The same commit deployed again at another time: a row of its own, which changes nothing about the release.

create table deployments (
  entity_id bigint not null,
  id bigserial not null,
  repo_id bigint not null,
  release_id bigint not null,
  deployed_at timestamptz not null,
  created_at timestamptz not null default now(),
  name text,
  deployed_by_user_name text,
  constraint deployments_pkey primary key (entity_id, id),
  constraint deployments_release_id_fkey foreign key (entity_id, release_id) references releases (entity_id, id)
    on delete cascade
);
create index deployments_release_idx on deployments (entity_id, release_id, deployed_at);

insert into table_kinds (table_name, kind) values
  ('deployments', 'tenant');

-- a fix that such a deployment brought belongs to no release
alter table defect_fixes add column deployment_id bigint;

-- Keys of defects are compared without regard to case.
create index critical_defects_lower_key_idx on critical_defects (entity_id, lower(defect_key));
