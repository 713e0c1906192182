// A digest of all that a host says of one pull request, as it is stored: two of them differ where anything does. Times at
// which we noticed something are no part of it.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { ReviewPlace } from './place.ts';

/** Null where it is not stored. */
export async function digestPullRequest(db: Database, place: ReviewPlace, number: number): Promise<string | null> {
  const { rows } = await sql<{ digest: string }>`
    select md5(concat_ws(E'\\n', p.title, p.branch_name, p.base_branch, encode(p.head_sha, 'hex'), p.is_draft, p.opened_at,
      p.closed_at, p.merged_at, encode(p.merge_sha, 'hex'), encode(p.squash_sha, 'hex'), p.author_id, p.labels, p.assignee_ids,
      p.closes_keys,
      (select string_agg(concat_ws(' ', c.ordinal, encode(c.sha, 'hex')), ',' order by c.ordinal) from pull_request_commits c
        where c.entity_id = p.entity_id and c.pull_request_id = p.id and c.removed_at is null),
      (select string_agg(concat_ws(' ', v.external_id, v.state_em, v.submitted_at, v.reviewer_id), ',' order by v.external_id)
        from pull_request_reviews v
        where v.entity_id = p.entity_id and v.pull_request_id = p.id and v.deleted_at is null),
      (select string_agg(concat_ws(' ', m.external_id, md5(m.body), m.resolved_at is not null), ',' order by m.external_id)
        from pull_request_comments m
        where m.entity_id = p.entity_id and m.pull_request_id = p.id and m.deleted_at is null))) as digest
    from pull_requests p
    where p.entity_id = ${place.entityId} and p.repo_id = ${place.repoId} and p.number = ${number}`.execute(db);
  return rows[0]?.digest ?? null;
}
