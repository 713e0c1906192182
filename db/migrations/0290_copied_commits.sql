-- Reports say how many copies of commits they leave out.
create index commits_copied_index on commits (entity_id, authored_at)
  where not_counted in ('rebase_copy', 'cherry_pick_copy', 'squash_source');
