-- The branches that the last walk left out: name, reason and number of commits of each.

alter table imports add column left_out_branches jsonb not null default '[]';
