-- Copies of a commit are found from the commit that counts.

create index commits_derived_from_idx on commits (entity_id, repo_id, derived_from) where derived_from is not null;
