-- Evidence of AI that does not stand in a commit: what providers and tools say of it, and what is carried to a squash, a
-- rebase or a cherry-pick from the commits that it was made of. Marks of Entire have a name of their own.
alter type evidence_source add value if not exists 'squashed_record' after 'agent_trace';
alter type evidence_source add value if not exists 'provider_commit' after 'author';
alter type evidence_source add value if not exists 'squashed_count' after 'provider_commit';
alter type evidence_source add value if not exists 'entire' after 'co_author';
alter type evidence_source add value if not exists 'otlp_commit' after 'entire';
alter type evidence_source add value if not exists 'squashed_commit' after 'otlp_commit';

-- Claims wait until their commit is stored.
create index ai_commit_claims_waiting_index on ai_commit_claims (entity_id, sha) where applied_at is null;
-- From a commit to those that repeat it.
create index commits_derived_from_index on commits (entity_id, repo_id, derived_from) where derived_from is not null;
