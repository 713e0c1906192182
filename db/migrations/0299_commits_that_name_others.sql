-- Of a repo with one branch, copies are looked for among these at every import. The words are those that the program looks for.
create index commits_naming_others_index on commits (entity_id, repo_id)
  where message ~* 'cherry|backport|back-port|upstream';
