-- When somebody wrote their first commit, also where that is older than what is imported: read from the headers of a
-- repo's whole history. Null where no import left anything out.

alter table committer_identities add column first_authored_at timestamptz;
