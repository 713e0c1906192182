-- The model that the name of a report stands for, by which statistics tell models apart. A submitted report keeps the name
-- as it was sent: that is what it is replaced and deleted by. Null until the job `name_models` has seen a row that was
-- stored before; the name itself counts until then.
alter table ai_usages add column model text;
create index ai_usages_unnamed_idx on ai_usages (entity_id) where model is null;
