-- Usage of AI tools comes in thousands of rows a call. Like the other tables of mass data it does without a check of the
-- entity for each row: the call has found its entity, and removing an entity goes table by table.
alter table ai_usages drop constraint ai_usages_entity_id_fkey;
