-- When the fix was written, kept with the lines it had to change: a report finds the fixes of its range by it.

alter table defect_origins add column fixed_at timestamptz;

update defect_origins set fixed_at = c.authored_at
from commits c
where c.entity_id = defect_origins.entity_id and c.id = defect_origins.fix_commit_id;

create index defect_origins_fixed_at_idx on defect_origins (entity_id, fixed_at);
