-- The facts of commits. A commit's file and flow rows are written once, in the transaction that makes
-- it analysis_complete, and never change. Null in a measure means 0: most are, and rows stay small.
-- No foreign keys here: they would cost more than the loading itself.

create type commit_state as enum (
  'queued', 'analysis_in_progress', 'analysis_complete', 'analysis_skipped', 'analysis_failed'
);
create type commit_presence as enum ('existent', 'rewritten', 'removed');
create type contributor_kind as enum ('human', 'ai', 'mixed', 'unknown');
create type evidence_source as enum (
  'note', 'agent_trace', 'author', 'message', 'generated_by', 'co_author', 'assisted_by', 'usage'
);
create type not_counted_reason as enum (
  'merge', 'rebase_copy', 'cherry_pick_copy', 'squash_source', 'ignored_revision', 'outside_window'
);
create type file_status as enum ('added', 'deleted', 'modified', 'renamed', 'type_changed');
create type age_bucket as enum ('new', 'lt_2w', 'lt_1m', 'lt_1y', 'lt_2y', 'gte_2y');

create table commits (
  entity_id bigint not null,
  id bigserial not null,
  repo_id bigint not null,
  -- the author's committer record, not folded into its root
  author_id bigint not null,
  -- author by mailmap; the others are null where they equal it
  author_signature_id bigint not null,
  raw_author_signature_id bigint,
  committer_signature_id bigint,
  -- null where it equals committer_signature_id
  raw_committer_signature_id bigint,
  authored_at timestamptz not null,
  committed_at timestamptz not null,
  entered_at timestamptz not null,
  -- thousandths of a Diff Delta point
  delta bigint,
  ai_delta bigint,
  -- thousandths of a line
  ai_lines_changed bigint,
  -- in the entity's time zone
  authored_on date not null,
  state commit_state not null,
  presence commit_presence not null,
  contributor_kind contributor_kind not null,
  not_counted not_counted_reason,
  file_count integer not null,
  added integer,
  removed integer,
  lines_added integer,
  lines_deleted integer,
  lines_moved integer,
  lines_updated integer,
  lines_find_replaced integer,
  lines_copy_pasted integer,
  lines_churned integer,
  -- minutes east of UTC
  authored_zone smallint not null,
  committed_zone smallint not null,
  is_merge boolean not null,
  on_default_branch boolean not null,
  -- its facts are contained in the daily tables
  rolled_up boolean not null default false,
  sha bytea not null,
  -- 20 bytes each, in git's order; children in order of sha
  parents bytea not null,
  children bytea not null,
  patch_id bytea,
  derived_from bytea,
  -- the smallest hashes of its changed lines: finds copies made later
  sketch bytea,
  reverts text,
  message text not null,
  co_author_signature_ids bigint[],
  limits jsonb,
  constraint commits_pkey primary key (entity_id, id),
  constraint commits_sha_key unique (entity_id, repo_id, sha)
-- room for the second version of a commit on its page: most are stored twice
) with (fillfactor = 80);
create index commits_author_index on commits (entity_id, author_id, authored_at);
create index commits_authored_index on commits (entity_id, authored_at);

create table commit_files (
  entity_id bigint not null,
  commit_id bigint not null,
  -- thousandths: scores, and AI-credited parts
  delta_added bigint,
  delta_updated bigint,
  delta_deleted bigint,
  delta_find_replaced bigint,
  delta_new bigint,
  delta_lt_2w bigint,
  delta_lt_1m bigint,
  delta_lt_1y bigint,
  delta_lt_2y bigint,
  delta_gte_2y bigint,
  doc_delta bigint,
  ai_lines_added bigint,
  ai_lines_deleted bigint,
  ai_lines_changed bigint,
  ai_delta bigint,
  -- lines
  added integer,
  removed integer,
  lines_added integer,
  lines_deleted integer,
  lines_moved integer,
  lines_updated integer,
  lines_find_replaced integer,
  lines_copy_pasted integer,
  noop_added integer,
  noop_removed integer,
  age_lt_2w integer,
  age_lt_1m integer,
  age_lt_1y integer,
  age_lt_2y integer,
  age_gte_2y integer,
  lines_churned integer,
  doc_lines integer,
  duplicate_lines integer,
  lines_copied integer,
  calls integer,
  status file_status not null,
  file_index integer not null,
  category smallint not null,
  path text not null,
  old_path text,
  language text,
  limited text,
  constraint commit_files_pkey primary key (entity_id, commit_id, file_index)
);

-- Lines of an origin commit that another commit removed.
create table line_flows (
  entity_id bigint not null,
  commit_id bigint not null,
  -- null when the origin is older than the walk looked, or not stored
  origin_commit_id bigint,
  lines_deleted integer,
  lines_updated integer,
  lines_moved integer,
  lines_find_replaced integer,
  ai_lines integer,
  age age_bucket not null,
  flow_index integer not null,
  category smallint not null,
  constraint line_flows_pkey primary key (entity_id, commit_id, flow_index)
);

-- The AI evidence of a commit, strongest first; the first row is the one its AI lines are credited to.
create table commit_ai (
  entity_id bigint not null,
  commit_id bigint not null,
  source evidence_source not null,
  share integer not null,
  position smallint not null,
  model text not null,
  provider text not null,
  constraint commit_ai_pkey primary key (entity_id, commit_id, position)
);

-- Commits that were not, or not wholly, looked at, and why.
create table skipped_commits (
  entity_id bigint not null,
  repo_id bigint not null,
  seen_at timestamptz not null,
  sha bytea not null,
  reason text not null,
  path text not null default '',
  constraint skipped_commits_pkey primary key (entity_id, repo_id, sha, reason, path)
);

insert into table_kinds (table_name, kind) values
  ('commits', 'tenant'),
  ('commit_files', 'tenant'),
  ('line_flows', 'tenant'),
  ('commit_ai', 'tenant'),
  ('skipped_commits', 'tenant');
