-- Who said what of their own pull request, and which keys messages name, is told otherwise than by earlier versions.
alter table repos add column has_stale_reviews boolean not null default false;
update repos set has_stale_reviews = true, mentions_read_to = 0;
