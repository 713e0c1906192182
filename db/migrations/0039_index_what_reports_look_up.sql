-- Bugs and epics are a small part of the issues: an index of their own finds those of a range without the others. The
-- authors of pull requests are looked up for the comments that they received.

create index issues_bugs_idx on issues (entity_id, opened_at) include (id, assignee_id, is_escaped, is_critical_defect)
  where is_bug;
create index issues_epics_idx on issues (entity_id, resolved_at) include (id, key) where is_epic;
create index pull_requests_authors_idx on pull_requests (entity_id, id) include (author_id, repo_id);
