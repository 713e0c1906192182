-- A commit that several repos of an entity hold (a fork, a mirror, a folder imported under two names) counts once. Each
-- row names the repos that come before its own and hold the same commit; a report counts the row unless one of
-- those is in its scope.

-- in order of id; null where the commit counts here
alter table commits add column counted_in bigint[];
alter table repos add column is_checked_for_copies boolean not null default false;

-- The same key in an order that finds a commit in all repos; the commits of a repo are found by an index of their own.
alter table commits drop constraint commits_sha_key;
alter table commits add constraint commits_sha_key unique (entity_id, sha, repo_id);
create index commits_repo_index on commits (entity_id, repo_id, id);
create index commits_counted_in_index on commits (entity_id, repo_id) where counted_in is not null;

alter table daily_commits add column counted_in bigint[] not null default '{}';
alter table daily_commits drop constraint daily_commits_pkey;
alter table daily_commits add constraint daily_commits_pkey
  primary key (entity_id, authored_on, repo_id, committer_id, counted_in);

alter table daily_facts add column counted_in bigint[] not null default '{}';
alter table daily_facts drop constraint daily_facts_pkey;
alter table daily_facts add constraint daily_facts_pkey
  primary key (entity_id, authored_on, repo_id, committer_id, category, counted_in);

alter table daily_ai add column counted_in bigint[] not null default '{}';
alter table daily_ai drop constraint daily_ai_pkey;
alter table daily_ai add constraint daily_ai_pkey
  primary key (entity_id, authored_on, repo_id, committer_id, provider, model, source, counted_in);

-- A release that came with the history, and a released commit, which an earlier repo has too.
alter table releases add column counted_in bigint[] not null default '{}';
alter table released_changes add column counted_in bigint[] not null default '{}';
