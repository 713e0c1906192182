-- AI agents that commit under an account of their own are neither people nor bots. And evidence is kept without its
-- weight: the sums say how many lines each source of evidence speaks of, reports multiply.

alter table committers add column is_ai_agent boolean not null default false;
create index committers_agent_index on committers (entity_id, id) where is_ai_agent;

-- The agent that authored it. author_id is then the author of record, the person who directed the agent, or the agent
-- itself where nobody is known to have; the signatures are what the commit says.
alter table commits add column agent_id bigint;
create index commits_agent_index on commits (entity_id, agent_id, authored_at) where agent_id is not null;

-- Follows from the source.
alter table commit_ai drop column share;

-- All lines and the whole score of the commits that are credited, whatever the evidence says of single lines.
alter table daily_ai add column all_lines_added bigint not null default 0;
alter table daily_ai add column all_lines_deleted bigint not null default 0;
alter table daily_ai add column all_lines_changed bigint not null default 0;
alter table daily_ai add column all_delta bigint not null default 0;

-- Thousandths of a commit that nothing says to be running cost or investment.
alter table commit_traits add column unclassified_share smallint not null default 0;
