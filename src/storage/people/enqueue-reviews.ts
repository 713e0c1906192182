// Whose own a review or comment is depends on who is one person: whatever joins or parts people asks for it anew.
import { sql } from 'kysely';
import { reviewsQueueOptions } from '../../domain/derive-queue.ts';
import type { Database } from '../database/handle.ts';
import { enqueue } from '../queue/queue.ts';

/** For the repos in which these people have a pull request, a review or a comment, by whatever identity. */
export async function enqueueReviewsOf(db: Database, entityId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  // Each by a join of its own: a list of all that they commented on may not fit into memory.
  const { rows } = await sql<{ repo_id: number }>`
    with own as materialized (
      select c.id from committers c
      where c.entity_id = ${entityId} and c.root_committer_id in (
        select r.root_committer_id from committers r where r.entity_id = ${entityId} and r.id = any(${ids})))
    select x.repo_id from own o join pull_requests x on x.entity_id = ${entityId} and x.author_id = o.id
    union
    select x.repo_id from own o join pull_requests x on x.entity_id = ${entityId} and x.agent_id = o.id
    union
    select x.repo_id
    from own o
    join pull_request_reviews v on v.entity_id = ${entityId} and v.reviewer_id = o.id
    join pull_requests x on x.entity_id = ${entityId} and x.id = v.pull_request_id
    union
    select x.repo_id
    from own o
    join pull_request_comments m on m.entity_id = ${entityId} and m.author_id = o.id
    join pull_requests x on x.entity_id = ${entityId} and x.id = m.pull_request_id
    order by repo_id`.execute(db);
  for (const { repo_id } of rows) {
    const payload = { entity_id: entityId, repo_id };
    await enqueue(db, 'derive_reviews', payload, reviewsQueueOptions(payload));
  }
}
