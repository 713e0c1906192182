-- What is known of a commit only by looking across repos, pull requests and issues. One job per entity
-- writes it after imports, so that parallel imports cannot change each other's rows.

create table commit_traits (
  entity_id bigint not null,
  commit_id bigint not null,
  -- estimated minutes of coding; null for commits that do not count
  minutes_used integer,
  -- thousandths of the commit that belong to bugs, and to running cost
  bug_share smallint not null,
  opex_share smallint not null,
  pull_request_id bigint,
  pull_request_phase text not null,
  constraint commit_traits_pkey primary key (entity_id, commit_id),
  constraint commit_traits_phase_check check (pull_request_phase in
    ('Preparing', 'Under review', 'After merge', 'No pull request'))
);

insert into table_kinds (table_name, kind) values
  ('commit_traits', 'tenant');
