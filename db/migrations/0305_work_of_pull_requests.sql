-- Thousandths of a Diff Delta point of the counted commits of a merged pull request up to its merge; null until it is worked out.
alter table pull_requests add column work_delta bigint;
