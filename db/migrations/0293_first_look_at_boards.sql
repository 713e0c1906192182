-- Whether the last look at what a team follows found it collected to its beginning. Whoever is found before has always belonged.
alter table teams add column is_source_collected boolean not null default false;

update teams set is_source_collected = true where source_key like 'team:%';

-- Teams of boards were made before their issues had been collected, and those who were found first counted as joining that day.
update team_members m set from_on = null
from (
  select f.entity_id, f.team_id, min(f.from_on) as first_on
  from team_members f join teams t on t.entity_id = f.entity_id and t.id = f.team_id and t.source_key like 'board:%'
  where f.is_derived group by f.entity_id, f.team_id having bool_and(f.from_on is not null)) s
where m.entity_id = s.entity_id and m.team_id = s.team_id and m.is_derived and m.from_on = s.first_on;
