-- A commit that was stored as lacking objects is read again when git can show it. Null: none was read again yet; else the
-- commits that git can show and that are found lacking all the same, which are not tried once more.
alter table repos add column reread_shas text[];
