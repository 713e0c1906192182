-- Where the history of a repo's source was cut off (a shallow clone) when its commits were read; empty for a whole history, null
-- for repos that were imported before this was stored. Where it moves, what was read at the old end is read again.
alter table repos add column shallow_shas text[];
