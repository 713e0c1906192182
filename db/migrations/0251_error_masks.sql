-- Added and updated lines that hide an error or a warning. Repos are derived anew, because the derivation has a further part.
alter table commit_files add column error_masks integer;
alter table daily_facts add column error_masks integer not null default 0;
alter table daily_commits add column error_masks integer not null default 0;
