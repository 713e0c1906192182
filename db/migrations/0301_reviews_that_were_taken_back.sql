-- An approval that was taken back at Bitbucket Cloud was marked as deleted and counted nowhere: it is a review that was dismissed, as at
-- other hosts. What follows from the reviews of these repos is worked out anew.
update repos r set has_stale_reviews = true
where r.host_key like 'hostB:%' and exists (
  select from pull_requests p
  join pull_request_reviews v on v.entity_id = p.entity_id and v.pull_request_id = p.id and v.deleted_at is not null
  where p.entity_id = r.entity_id and p.repo_id = r.id);

update pull_request_reviews v set state_em = 'dismissed', deleted_at = null
from pull_requests p join repos r on r.entity_id = p.entity_id and r.id = p.repo_id and r.host_key like 'hostB:%'
where p.entity_id = v.entity_id and p.id = v.pull_request_id and v.deleted_at is not null;
