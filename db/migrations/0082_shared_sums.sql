-- Whether the sums are of commits that count in another repo before: reports look at it for each row, and a list costs
-- several times as much to compare.

alter table daily_commits add column is_shared boolean generated always as (counted_in <> '{}') stored;
alter table daily_facts add column is_shared boolean generated always as (counted_in <> '{}') stored;
alter table daily_ai add column is_shared boolean generated always as (counted_in <> '{}') stored;
