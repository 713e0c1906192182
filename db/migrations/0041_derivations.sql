-- What the stored facts of a repo were derived under: the version of the formula and the churn window. A program with
-- others walks the repo anew.

-- of all facts; null until the first walk has ended
alter table repos add column derived_under jsonb;
-- a walk of the whole history under it was begun: complete commits are of it; null when none is under way
alter table repos add column deriving_under jsonb;

-- Until here there was one formula and one window.
update repos set
  derived_under = case when default_branch is not null then '{"formula_version": 1, "churn_days": 14}'::jsonb end,
  deriving_under = case when default_branch is null then '{"formula_version": 1, "churn_days": 14}'::jsonb end;
