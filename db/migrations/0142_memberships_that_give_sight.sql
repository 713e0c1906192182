-- While statistics are not open to everybody, whoever could put people into a team could look at them. So only memberships
-- that an admin made, or that were made while statistics were open, let members of a team see each other's statistics.
alter table team_members add column gives_sight boolean not null default true;
