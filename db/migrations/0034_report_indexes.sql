-- The indexes by which reports find the items of a range hold what is counted of them too, so that a report reads
-- the index and none of the rows, which lie scattered.

drop index pull_requests_opened_at_idx;
create index pull_requests_opened_at_idx on pull_requests (entity_id, opened_at) include (author_id, repo_id);
drop index pull_requests_closed_at_idx;
create index pull_requests_closed_at_idx on pull_requests (entity_id, closed_at)
  include (author_id, repo_id, opened_at, merged_at, is_author_bot);
drop index pull_requests_ended_at_idx;
create index pull_requests_ended_at_idx on pull_requests (entity_id, (coalesce(closed_at, 'infinity'::timestamptz)))
  include (author_id, repo_id, opened_at, closed_at, merged_at, first_human_review_at, is_author_bot, is_draft);
drop index pull_requests_merged_at_idx;
create index pull_requests_merged_at_idx on pull_requests (entity_id, merged_at)
  include (author_id, repo_id, first_commit_authored_at, first_review_at, first_human_review_at, is_author_bot);
drop index pull_requests_released_at_idx;
create index pull_requests_released_at_idx on pull_requests (entity_id, released_at)
  include (author_id, repo_id, first_commit_authored_at, is_author_bot);
drop index pull_requests_reviewed_at_idx;
create index pull_requests_reviewed_at_idx on pull_requests (entity_id, first_human_review_at)
  include (author_id, repo_id, opened_at, merged_at, is_author_bot);
drop index pull_request_reviews_submitted_at_idx;
create index pull_request_reviews_submitted_at_idx on pull_request_reviews (entity_id, submitted_at)
  include (pull_request_id, reviewer_id, is_by_author, is_bot);
drop index pull_request_comments_commented_at_idx;
create index pull_request_comments_commented_at_idx on pull_request_comments (entity_id, commented_at)
  include (pull_request_id, author_id, is_by_author, is_bot);

drop index issues_resolved_at_idx;
create index issues_resolved_at_idx on issues (entity_id, resolved_at)
  include (assignee_id, opened_at, story_points, story_points_estimated, type, is_bug, is_epic, is_subtask);
drop index issues_ended_at_idx;
create index issues_ended_at_idx on issues (entity_id, (coalesce(released_at, resolved_at)))
  include (assignee_id, started_at, released_at, resolved_at, is_epic);

drop index releases_released_at_idx;
create index releases_released_at_idx on releases (entity_id, released_at) include (id, repo_id);
