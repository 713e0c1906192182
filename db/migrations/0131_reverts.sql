-- Which commits take one back is looked up from both sides: audits mark what was reverted. Few commits are reverts.
create index commits_reverts on commits (entity_id, repo_id) where reverts is not null;
