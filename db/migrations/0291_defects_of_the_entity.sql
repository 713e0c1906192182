-- A defect that a call named for the entity as such has a scope with neither organization nor repo: removing a repo keeps it.
-- Calls before this left no trace of it, so every defect that a call recorded counts as one: rather kept than lost.
alter table defect_scopes alter column organization_id drop not null;
insert into defect_scopes (entity_id, defect_id)
select entity_id, id from critical_defects where source_em = 'api'
on conflict do nothing;
