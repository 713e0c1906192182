-- How far back a token's provider was read: it goes on from there, newest days first.
alter table llm_tokens add column backfilled_on date;
update llm_tokens set next_run_at = now() where next_run_at is null;
