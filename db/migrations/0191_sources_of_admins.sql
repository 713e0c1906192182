-- An admin may name an address over HTTP. Credentials that the operator gave for an address are not for those.
alter table repo_sources add column is_operators boolean not null default true;
