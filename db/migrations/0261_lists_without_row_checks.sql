-- Lists of a thousand rows whose parent the same transaction has just made or found, and which nothing deletes by itself:
-- a check for each row took longer than the row. Removing an entity goes table by table.
alter table survey_recipients drop constraint survey_recipients_survey_id_fkey;
alter table outgoing_mail drop constraint outgoing_mail_entity_id_fkey;
