// People whom nothing names any more after a repo was removed. Whoever a person decided about (status, team, time off,
// use of AI, a merge) stays.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

/** Where a committer may be named, besides commits. */
const NAMED: readonly (readonly [table: string, column: string])[] = [
  ['team_members', 'committer_id'],
  ['ai_usages', 'committer_id'],
  ['ai_seats', 'committer_id'],
  ['ai_identities', 'committer_id'],
  ['days_off', 'committer_id'],
  ['survey_recipients', 'committer_id'],
  ['committer_merges', 'committer_id'],
  ['committer_merges', 'former_root_id'],
  ['committers_kept_apart', 'committer_id'],
  ['committers_kept_apart', 'other_committer_id'],
  ['issues', 'assignee_id'],
  ['issues', 'host_created_by_id'],
  ['issue_changes', 'author_id'],
  ['pull_requests', 'author_id'],
  ['pull_requests', 'merged_by_id'],
  ['pull_request_events', 'actor_id'],
  ['pull_request_events', 'subject_id'],
  ['host_deployments', 'creator_id'],
  ['workflow_runs', 'actor_id'],
  ['pull_request_reviews', 'reviewer_id'],
  ['pull_request_comments', 'author_id'],
  ['releases', 'deployed_by_committer_id'],
];

/** Of these committers; a root goes only with all its identities. Returns how many went. */
export async function removeUnknownPeople(db: Database, entityId: number, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const isNamed = sql.join(
    NAMED.map(
      ([table, column]) => sql`exists (
      select from ${sql.raw(table)} n where n.entity_id = ${entityId} and n.${sql.raw(column)} = p.id)`,
    ),
    sql` or `,
  );
  const { rows } = await sql<{ id: number }>`
    with signed as materialized (
      select distinct n.id from commits c
      cross join lateral unnest(array[c.author_signature_id, c.raw_author_signature_id, c.committer_signature_id,
        c.raw_committer_signature_id] || c.co_author_signature_ids) as n(id)
      where c.entity_id = ${entityId} and n.id is not null
    ), kept as materialized (
      select p.id, p.root_committer_id as root_id from committers p
      where p.entity_id = ${entityId} and (not (p.id = any(${ids})) or p.user_id is not null or p.is_status_chosen
        or exists (select from commits c where c.entity_id = ${entityId} and c.author_id = p.id)
        or exists (select from commits c where c.entity_id = ${entityId} and c.agent_id = p.id)
        or exists (
          select from committer_identities i
          join signatures s on s.entity_id = i.entity_id and s.address_key = i.address_key
          join signed n on n.id = s.id
          where i.entity_id = ${entityId} and i.committer_id = p.id)
        or ${isNamed})
    )
    select p.id from committers p
    where p.entity_id = ${entityId} and p.id = any(${ids}) and not exists (
      select from kept k where k.root_id = p.root_committer_id)`.execute(db);
  const gone = rows.map(({ id }) => id);
  for (const [table, column] of [
    ['host_accounts', 'committer_id'],
    ['committer_identities', 'committer_id'],
    ['committers', 'id'],
  ] as const) {
    await sql`delete from ${sql.raw(table)} where entity_id = ${entityId} and ${sql.raw(column)} = any(${gone})`.execute(
      db,
    );
  }
  return gone.length;
}
