-- Teams that follow a host's team or a tracker's board: team:<id of host_teams>, or board:<tracker>:<board>.
alter table teams add column source_key text;
alter table teams add constraint teams_source_key_key unique (entity_id, source_key);
-- Memberships that follow from it; those that people made are left alone.
alter table team_members add column is_derived boolean not null default false;
