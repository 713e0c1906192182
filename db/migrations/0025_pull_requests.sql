-- Pull requests with their commits, reviews and comments, as the hosts will report them. Times that
-- follow from several rows are kept on the pull request, so that a chart needs one row per item.

create table pull_requests (
  entity_id bigint not null,
  id bigserial not null,
  repo_id bigint not null,
  number integer not null,
  title text not null,
  branch_name text not null,
  base_branch text not null,
  url text,
  labels text[] not null default '{}',
  author_id bigint,
  is_author_bot boolean not null default false,
  is_draft boolean not null default false,
  created_at timestamptz not null,
  -- ready for review: where it began as a draft, when it stopped being one
  opened_at timestamptz not null,
  closed_at timestamptz,
  merged_at timestamptz,
  merge_sha bytea,
  squash_sha bytea,
  entered_at timestamptz not null default now(),
  -- derived
  first_commit_authored_at timestamptz,
  first_commented_at timestamptz,
  -- first review or review comment by a person other than the author
  first_human_review_at timestamptz,
  -- the same, bots included
  first_review_at timestamptz,
  last_activity_at timestamptz not null,
  release_id bigint,
  released_at timestamptz,
  -- thousandths of a Diff Delta point written after the merge on the lines of this pull request
  post_merge_delta bigint,
  business_minutes_awaited_first_review integer,
  business_minutes_cycle_time integer,
  business_minutes_lead_time integer,
  business_minutes_open_to_closed integer,
  constraint pull_requests_pkey primary key (entity_id, id),
  constraint pull_requests_number_key unique (entity_id, repo_id, number),
  constraint pull_requests_repo_id_fkey foreign key (entity_id, repo_id) references repos (entity_id, id)
);
create index pull_requests_opened_at_idx on pull_requests (entity_id, opened_at);
create index pull_requests_closed_at_idx on pull_requests (entity_id, closed_at);
create index pull_requests_ended_at_idx on pull_requests (entity_id, (coalesce(closed_at, 'infinity'::timestamptz)));
create index pull_requests_merged_at_idx on pull_requests (entity_id, merged_at);
create index pull_requests_released_at_idx on pull_requests (entity_id, released_at);
create index pull_requests_reviewed_at_idx on pull_requests (entity_id, first_human_review_at);
create index pull_requests_author_idx on pull_requests (entity_id, author_id, opened_at);
create index pull_requests_merge_sha_idx on pull_requests (entity_id, repo_id, merge_sha) where merge_sha is not null;
create index pull_requests_squash_sha_idx on pull_requests (entity_id, repo_id, squash_sha) where squash_sha is not null;

-- Commits of a pull request as the host lists them; the sources of a squash stay listed here.
create table pull_request_commits (
  entity_id bigint not null,
  pull_request_id bigint not null,
  ordinal integer not null,
  repo_id bigint not null,
  sha bytea not null,
  constraint pull_request_commits_pkey primary key (entity_id, pull_request_id, sha),
  constraint pull_request_commits_pull_request_id_fkey foreign key (entity_id, pull_request_id) references pull_requests (entity_id, id) on delete cascade
);
create index pull_request_commits_sha_idx on pull_request_commits (entity_id, repo_id, sha);

create table pull_request_reviews (
  entity_id bigint not null,
  id bigserial not null,
  pull_request_id bigint not null,
  external_id text not null,
  reviewer_id bigint,
  is_bot boolean not null,
  is_by_author boolean not null,
  state_em text not null,
  submitted_at timestamptz not null,
  constraint pull_request_reviews_pkey primary key (entity_id, id),
  constraint pull_request_reviews_external_id_key unique (entity_id, pull_request_id, external_id),
  constraint pull_request_reviews_pull_request_id_fkey foreign key (entity_id, pull_request_id) references pull_requests (entity_id, id) on delete cascade,
  constraint pull_request_reviews_state_check check (state_em in ('approved', 'changes_requested', 'commented', 'dismissed'))
);
create index pull_request_reviews_submitted_at_idx on pull_request_reviews (entity_id, submitted_at);

create table pull_request_comments (
  entity_id bigint not null,
  id bigserial not null,
  pull_request_id bigint not null,
  external_id text not null,
  author_id bigint,
  is_bot boolean not null,
  is_by_author boolean not null,
  -- a comment on a line of code, as against one on the conversation
  is_review_comment boolean not null,
  body text not null,
  path text,
  line integer,
  commit_sha bytea,
  commented_at timestamptz not null,
  resolved_at timestamptz,
  constraint pull_request_comments_pkey primary key (entity_id, id),
  constraint pull_request_comments_external_id_key unique (entity_id, pull_request_id, external_id),
  constraint pull_request_comments_pull_request_id_fkey foreign key (entity_id, pull_request_id) references pull_requests (entity_id, id) on delete cascade
);
create index pull_request_comments_commented_at_idx on pull_request_comments (entity_id, commented_at);

insert into table_kinds (table_name, kind) values
  ('pull_requests', 'tenant'),
  ('pull_request_commits', 'tenant'),
  ('pull_request_reviews', 'tenant'),
  ('pull_request_comments', 'tenant');
