-- Earlier versions took the end of the first project for the end of a Jira Data Center: its issues are collected anew.
update sync_streams s set finished_at = null, walk_items = 0, next_due_at = now()
from trackers t
where t.entity_id = s.entity_id and t.id = s.tracker_id and t.kind = 'jira_server'
  and s.stream = 'issues' and s.mode = 'backfill' and s.finished_at is not null;
