-- The agent that opened a pull request; its author is then the person who directed it, where one is known.
alter table pull_requests add column agent_id bigint;
