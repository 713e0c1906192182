-- Who has commits in some repos, and since when each has any: reports of a few repos of many ask that, and the primary key
-- begins with the day.
create index daily_commits_repo_idx on daily_commits (entity_id, repo_id, authored_on) include (committer_id);
