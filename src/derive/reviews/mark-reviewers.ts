// Whose reviews and comments are not a person's: accounts that the host flags as bots, AI agents, and whoever the entity
// processes in a limited way. And whose are by who opened the pull request, under whatever account: of what an agent opened
// that is the agent, so that the person who directs it is one who reviews it.
import { sql } from 'kysely';
import type { Database } from '../../storage/database/handle.ts';
import type { ReviewPlace } from '../../storage/reviews/place.ts';

const REMARKS = [
  ['pull_request_reviews', 'reviewer_id'],
  ['pull_request_comments', 'author_id'],
] as const;

/** Returns how many changed sides. Call it before what follows from reviews by people. */
export async function markReviewers(db: Database, { entityId, repoId }: ReviewPlace): Promise<number> {
  let changed = 0;
  for (const [table, column] of REMARKS) {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set is_bot = n.is_bot, is_by_author = n.is_by_author
      from (
        select x.id, r.is_bot or r.is_ai_agent or r.processing_status = 'limited_processing' or exists (
            select from host_accounts a
            where a.entity_id = x.entity_id and a.committer_id = x.${sql.ref(column)} and a.kind in ('bot', 'app')) as is_bot,
          coalesce(o.root_committer_id = c.root_committer_id, false) as is_by_author
        from ${sql.table(table)} x
        join pull_requests p on p.entity_id = x.entity_id and p.id = x.pull_request_id and p.repo_id = ${repoId}
        left join committers o on o.entity_id = p.entity_id and o.id = coalesce(p.agent_id, p.author_id)
        join committers c on c.entity_id = x.entity_id and c.id = x.${sql.ref(column)}
        join committers r on r.entity_id = c.entity_id and r.id = c.root_committer_id
        where x.entity_id = ${entityId}) n
      where ${sql.table(table)}.entity_id = ${entityId} and ${sql.table(table)}.id = n.id
        and (${sql.table(table)}.is_bot, ${sql.table(table)}.is_by_author) <> (n.is_bot, n.is_by_author)`.execute(db);
    changed += Number(numAffectedRows);
  }
  return changed;
}
