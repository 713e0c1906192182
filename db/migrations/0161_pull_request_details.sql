-- What hosts know of pull requests in addition: which version is stored, what happened to them, and threads of comments.

alter table pull_requests add column external_id text;
alter table pull_requests add column host_updated_at timestamptz;
alter table pull_requests add column head_sha bytea;
-- merge, squash, rebase or fast_forward; null while not merged
alter table pull_requests add column merge_method text;
alter table pull_requests add column merged_by_id bigint;
alter table pull_requests add column assignee_ids bigint[] not null default '{}';
-- issues that the host says it closes, by their keys
alter table pull_requests add column closes_keys text[] not null default '{}';
-- of the stored fields and the numbers of children: the same one needs no second look at the children
alter table pull_requests add column fingerprint text;
-- when commits, reviews and events were last stored; null while they are not
alter table pull_requests add column children_at timestamptz;
-- what could not be collected of it; null when it is complete
alter table pull_requests add column incomplete_detail text;
alter table pull_requests add constraint pull_requests_merge_method_check
  check (merge_method in ('merge', 'squash', 'rebase', 'fast_forward'));

alter table pull_request_commits add column authored_at timestamptz;
-- replaced by a force push: no longer in the host's list
alter table pull_request_commits add column removed_at timestamptz;

alter table pull_request_reviews add column commit_sha bytea;
-- withdrawn or deleted at the host
alter table pull_request_reviews add column deleted_at timestamptz;

alter table pull_request_comments add column thread_id text;
alter table pull_request_comments add column review_external_id text;
-- left: the version before the change
alter table pull_request_comments add column side text;
alter table pull_request_comments add column updated_at timestamptz;
alter table pull_request_comments add column deleted_at timestamptz;
-- the host says that it is resolved, not when
alter table pull_request_comments add column is_resolved_at_approximate boolean not null default false;
-- characters before a long body was cut
alter table pull_request_comments add column body_length integer;
alter table pull_request_comments add constraint pull_request_comments_side_check check (side in ('left', 'right'));
create index pull_request_comments_thread_idx on pull_request_comments (entity_id, pull_request_id, thread_id);

create table pull_request_events (
  entity_id bigint not null,
  id bigserial not null,
  pull_request_id bigint not null,
  external_id text not null,
  kind text not null,
  occurred_at timestamptz not null,
  actor_id bigint,
  -- the reviewer who was asked
  subject_id bigint,
  -- branch or commit before and after, where the event has them
  before text,
  after text,
  constraint pull_request_events_pkey primary key (entity_id, id),
  constraint pull_request_events_external_id_key unique (entity_id, pull_request_id, external_id),
  constraint pull_request_events_kind_check check (kind in ('ready', 'draft', 'review_requested', 'closed', 'reopened',
    'merged', 'force_pushed', 'retargeted')),
  constraint pull_request_events_pull_request_id_fkey foreign key (entity_id, pull_request_id) references pull_requests (entity_id, id) on delete cascade
);

create table pull_request_threads (
  entity_id bigint not null,
  pull_request_id bigint not null,
  -- the same as thread_id of its comments
  external_id text not null,
  is_resolved boolean not null,
  resolved_at timestamptz,
  is_resolved_at_approximate boolean not null default false,
  constraint pull_request_threads_pkey primary key (entity_id, pull_request_id, external_id),
  constraint pull_request_threads_pull_request_id_fkey foreign key (entity_id, pull_request_id) references pull_requests (entity_id, id) on delete cascade
);

-- Comments that came before their pull request; they move to pull_request_comments with it.
create table early_comments (
  entity_id bigint not null,
  repo_id bigint not null,
  pull_request_number integer not null,
  external_id text not null,
  is_review_comment boolean not null,
  -- as src/domain/reviews/comment.ts has it
  comment jsonb not null,
  constraint early_comments_pkey primary key (entity_id, repo_id, pull_request_number, external_id),
  constraint early_comments_repo_id_fkey foreign key (entity_id, repo_id) references repos (entity_id, id)
);

insert into table_kinds (table_name, kind) values
  ('pull_request_events', 'tenant'),
  ('pull_request_threads', 'tenant'),
  ('early_comments', 'tenant');
