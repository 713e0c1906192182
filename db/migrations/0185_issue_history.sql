-- What follows from the history of issues, and what trackers say themselves.

-- Where the tracker says so; started_at and resolved_at are these, or follow from the history.
alter table issues add column host_started_at timestamptz;
alter table issues add column host_resolved_at timestamptz;
update issues set host_started_at = started_at, host_resolved_at = resolved_at where tracker_id is not null;

-- hundredths of a point, as estimated when the sprint ended
alter table sprint_issues add column story_points_at_end integer;
-- when the issue was done, as it stood when the sprint ended; only with a history
alter table sprint_issues add column done_at timestamptz;
-- whether done_at is known; else the issue's resolved_at counts
alter table sprint_issues add column has_history boolean not null default false;
