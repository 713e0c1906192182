-- Commits that no branch leads to, but a tag or the head of a pull request: imported, and counted in no statistic of lines.
alter type commit_presence add value if not exists 'off_branch';
-- The head that was looked for in git because no commit of it was stored; another head is looked for anew.
alter table pull_requests add column sought_head bytea;
