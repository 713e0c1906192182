-- Whether a walk over the repo's history was begun and not ended: it may have stored commits of branches that were
-- moved before the next walk, which no stored branch leads to.

alter table repos add column has_open_walk boolean not null default false;
