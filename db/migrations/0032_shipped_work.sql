-- What releases brought into production, as reports read it: by author, and by change. A job per repo keeps both
-- along with release_commits, so that a report reads the releases of its range and none of their commits.

-- Who had a commit in which release. Baselines are left out: they say nothing about when their commits were shipped.
create table release_authors (
  entity_id bigint not null,
  release_id bigint not null,
  -- the commits' author, not folded into its root
  committer_id bigint not null,
  repo_id bigint not null,
  released_at timestamptz not null,
  commit_count integer not null,
  -- of those, the ones that are contained in the daily tables
  counted_commit_count integer not null,
  constraint release_authors_pkey primary key (entity_id, release_id, committer_id),
  constraint release_authors_release_id_fkey foreign key (entity_id, release_id) references releases (entity_id, id) on delete cascade
);
create index release_authors_released_at_idx on release_authors (entity_id, released_at)
  include (release_id, committer_id, repo_id, counted_commit_count);
create index release_authors_committer_idx on release_authors (entity_id, committer_id, released_at);

-- A change that is in production: the issue where there is one, else the pull request, else the commit.
create table released_changes (
  entity_id bigint not null,
  record_type text not null,
  record_id bigint not null,
  committer_id bigint,
  repo_id bigint not null,
  -- its first commit
  started_at timestamptz not null,
  released_at timestamptz not null,
  constraint released_changes_pkey primary key (entity_id, record_type, record_id),
  constraint released_changes_record_type_check check (record_type in ('issues', 'pull_requests', 'commits'))
);
create index released_changes_released_at_idx on released_changes (entity_id, released_at)
  include (committer_id, repo_id, started_at);
create index released_changes_repo_idx on released_changes (entity_id, repo_id);

insert into release_authors
  (entity_id, release_id, committer_id, repo_id, released_at, commit_count, counted_commit_count)
select s.entity_id, s.id, c.author_id, s.repo_id, s.released_at, count(*), count(*) filter (where c.rolled_up)
from releases s
join release_commits n on n.entity_id = s.entity_id and n.release_id = s.id
join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
where not s.is_baseline
group by 1, 2, 3, 4, 5;

insert into released_changes (entity_id, record_type, record_id, committer_id, repo_id, started_at, released_at)
select i.entity_id, 'issues', i.id, i.assignee_id, l.repo_id, i.first_commit_authored_at, i.released_at
from issues i
cross join lateral (
  select c.repo_id from issue_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
  where n.entity_id = i.entity_id and n.issue_id = i.id order by c.authored_at, c.id limit 1) l
where i.released_at is not null and i.first_commit_authored_at is not null and not i.is_epic;

insert into released_changes (entity_id, record_type, record_id, committer_id, repo_id, started_at, released_at)
select x.entity_id, 'pull_requests', x.id, x.author_id, x.repo_id, x.first_commit_authored_at, x.released_at
from pull_requests x
where x.released_at is not null and x.first_commit_authored_at is not null and not x.is_author_bot and not exists (
  select 1 from pull_request_commits n
  join commits c on c.entity_id = n.entity_id and c.repo_id = n.repo_id and c.sha = n.sha
  join issue_commits m on m.entity_id = c.entity_id and m.commit_id = c.id
  where n.entity_id = x.entity_id and n.pull_request_id = x.id);

insert into released_changes (entity_id, record_type, record_id, committer_id, repo_id, started_at, released_at)
select c.entity_id, 'commits', c.id, c.author_id, c.repo_id, c.authored_at, s.released_at
from releases s
join release_commits n on n.entity_id = s.entity_id and n.release_id = s.id
join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
where not s.is_baseline and c.rolled_up
  and not exists (select 1 from issue_commits m where m.entity_id = c.entity_id and m.commit_id = c.id)
  and not exists (
    select 1 from pull_request_commits m where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.sha = c.sha)
  and not exists (
    select 1 from pull_requests m where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.squash_sha = c.sha)
  and not exists (
    select 1 from pull_requests m where m.entity_id = c.entity_id and m.repo_id = c.repo_id and m.merge_sha = c.sha);

insert into table_kinds (table_name, kind) values
  ('release_authors', 'tenant'),
  ('released_changes', 'tenant');
