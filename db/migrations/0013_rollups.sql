-- What reports read: sums of the facts of the commits that count, by day of authorship in the entity's
-- time zone. A commit's facts are in here exactly when commits.rolled_up says so.

-- Day × repo × author.
create table daily_commits (
  entity_id bigint not null,
  repo_id bigint not null,
  committer_id bigint not null,
  delta_added bigint not null,
  delta_updated bigint not null,
  delta_deleted bigint not null,
  delta_find_replaced bigint not null,
  delta_new bigint not null,
  delta_lt_2w bigint not null,
  delta_lt_1m bigint not null,
  delta_lt_1y bigint not null,
  delta_lt_2y bigint not null,
  delta_gte_2y bigint not null,
  doc_delta bigint not null,
  ai_lines_added bigint not null,
  ai_lines_deleted bigint not null,
  ai_lines_changed bigint not null,
  ai_delta bigint not null,
  added integer not null,
  removed integer not null,
  lines_added integer not null,
  lines_deleted integer not null,
  lines_moved integer not null,
  lines_updated integer not null,
  lines_find_replaced integer not null,
  lines_copy_pasted integer not null,
  noop_added integer not null,
  noop_removed integer not null,
  age_lt_2w integer not null,
  age_lt_1m integer not null,
  age_lt_1y integer not null,
  age_lt_2y integer not null,
  age_gte_2y integer not null,
  lines_churned integer not null,
  doc_lines integer not null,
  duplicate_lines integer not null,
  lines_copied integer not null,
  calls integer not null,
  -- commit × file pairs
  file_count integer not null,
  authored_on date not null,
  commit_count integer not null,
  -- commits with any sign of AI authorship
  ai_commit_count integer not null,
  -- commits that hold at least one AI-credited line
  ai_line_commit_count integer not null,
  -- commits with evidence of who wrote them, and their changed lines; the rest is unknown
  known_commit_count integer not null,
  known_lines_changed integer not null,
  -- of the commits without evidence: added and copied lines, deleted lines, score
  unknown_lines_added integer not null default 0,
  unknown_lines_deleted integer not null default 0,
  unknown_delta bigint not null default 0,
  constraint daily_commits_pkey primary key (entity_id, authored_on, repo_id, committer_id)
);

-- Day × author, over all repos: who worked when, and what reported use of AI tools is held against.
create table daily_people (
  entity_id bigint not null,
  committer_id bigint not null,
  lines_changed bigint not null,
  known_lines_changed bigint not null,
  unknown_lines_added bigint not null,
  unknown_lines_deleted bigint not null,
  unknown_delta bigint not null,
  authored_on date not null,
  commit_count integer not null,
  constraint daily_people_pkey primary key (entity_id, authored_on, committer_id)
);

-- The same by kind of code.
create table daily_facts (
  entity_id bigint not null,
  repo_id bigint not null,
  committer_id bigint not null,
  delta_added bigint not null,
  delta_updated bigint not null,
  delta_deleted bigint not null,
  delta_find_replaced bigint not null,
  delta_new bigint not null,
  delta_lt_2w bigint not null,
  delta_lt_1m bigint not null,
  delta_lt_1y bigint not null,
  delta_lt_2y bigint not null,
  delta_gte_2y bigint not null,
  doc_delta bigint not null,
  ai_lines_added bigint not null,
  ai_lines_deleted bigint not null,
  ai_lines_changed bigint not null,
  ai_delta bigint not null,
  added integer not null,
  removed integer not null,
  lines_added integer not null,
  lines_deleted integer not null,
  lines_moved integer not null,
  lines_updated integer not null,
  lines_find_replaced integer not null,
  lines_copy_pasted integer not null,
  noop_added integer not null,
  noop_removed integer not null,
  age_lt_2w integer not null,
  age_lt_1m integer not null,
  age_lt_1y integer not null,
  age_lt_2y integer not null,
  age_gte_2y integer not null,
  lines_churned integer not null,
  doc_lines integer not null,
  duplicate_lines integer not null,
  lines_copied integer not null,
  calls integer not null,
  -- commit × file pairs
  file_count integer not null,
  authored_on date not null,
  category smallint not null,
  constraint daily_facts_pkey primary key (entity_id, authored_on, repo_id, committer_id, category)
);

-- AI-credited work by the model, provider and evidence it is credited to.
create table daily_ai (
  entity_id bigint not null,
  repo_id bigint not null,
  committer_id bigint not null,
  ai_lines_added bigint not null,
  ai_lines_deleted bigint not null,
  ai_lines_changed bigint not null,
  ai_delta bigint not null,
  authored_on date not null,
  commit_count integer not null,
  line_commit_count integer not null,
  source evidence_source not null,
  model text not null,
  provider text not null,
  constraint daily_ai_pkey primary key (entity_id, authored_on, repo_id, committer_id, provider, model, source)
);

-- Rises with every change of what reports read; a cached report is valid for one version.
create table data_versions (
  entity_id bigint not null,
  version bigint not null,
  constraint data_versions_pkey primary key (entity_id)
);

insert into table_kinds (table_name, kind) values
  ('daily_commits', 'tenant'),
  ('daily_facts', 'tenant'),
  ('daily_ai', 'tenant'),
  ('daily_people', 'tenant'),
  ('data_versions', 'tenant');
