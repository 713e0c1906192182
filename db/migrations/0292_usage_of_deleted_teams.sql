-- Usage submitted for a team that was deleted since kept its id, and no call could name it. It is attributed to nobody now, added
-- to what is recorded so of the day and model.
with moved as (
  delete from ai_usages u
  where u.source_em = 'submitted' and u.team_id is not null
    and not exists (select from teams t where t.entity_id = u.entity_id and t.id = u.team_id)
  returning u.*)
insert into ai_usages (entity_id, used_on, llm_model_name, ai_provider_em, created_at, updated_at, lines_added, lines_deleted,
  prompted_suggest_count, prompted_accept_count, tab_suggest_count, tab_accept_count, cost_microcents)
select entity_id, used_on, llm_model_name, max(ai_provider_em), min(created_at), max(updated_at), sum(lines_added),
  sum(lines_deleted), sum(prompted_suggest_count), sum(prompted_accept_count), sum(tab_suggest_count), sum(tab_accept_count),
  sum(cost_microcents)
from moved group by entity_id, used_on, llm_model_name
on conflict (entity_id, used_on, committer_id, team_id, llm_model_name) where source_em = 'submitted' do update set
  updated_at = greatest(ai_usages.updated_at, excluded.updated_at),
  lines_added = coalesce(ai_usages.lines_added + excluded.lines_added, ai_usages.lines_added, excluded.lines_added),
  lines_deleted = coalesce(ai_usages.lines_deleted + excluded.lines_deleted, ai_usages.lines_deleted, excluded.lines_deleted),
  prompted_suggest_count = coalesce(ai_usages.prompted_suggest_count + excluded.prompted_suggest_count,
    ai_usages.prompted_suggest_count, excluded.prompted_suggest_count),
  prompted_accept_count = coalesce(ai_usages.prompted_accept_count + excluded.prompted_accept_count,
    ai_usages.prompted_accept_count, excluded.prompted_accept_count),
  tab_suggest_count = coalesce(ai_usages.tab_suggest_count + excluded.tab_suggest_count, ai_usages.tab_suggest_count,
    excluded.tab_suggest_count),
  tab_accept_count = coalesce(ai_usages.tab_accept_count + excluded.tab_accept_count, ai_usages.tab_accept_count,
    excluded.tab_accept_count),
  cost_microcents = coalesce(ai_usages.cost_microcents + excluded.cost_microcents, ai_usages.cost_microcents,
    excluded.cost_microcents);
