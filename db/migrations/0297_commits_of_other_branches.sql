-- Whether a repo has commits off its default branch is asked at every import.
create index commits_other_branches_index on commits (entity_id, repo_id) where not on_default_branch;
-- The same as commits_derived_from_index.
drop index commits_derived_from_idx;
