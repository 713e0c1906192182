-- When a connection first listed a repo: what a later list adds is offered for import.
alter table provider_repos add column first_seen_at timestamptz;
update provider_repos set first_seen_at = seen_at;
alter table provider_repos alter column first_seen_at set not null;
