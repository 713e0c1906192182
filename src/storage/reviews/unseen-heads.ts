// Pull requests whose head no import has seen: its branch was deleted, squashed, or lies in a fork.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

export interface UnseenHead {
  readonly id: number;
  readonly number: number;
}

interface Place {
  readonly entityId: number;
  readonly repoId: number;
}

/** The newest ones of those that were not looked for yet. */
export async function listUnseenHeads(
  db: Database,
  { entityId, repoId }: Place,
  { since, most }: { readonly since: Date | null; readonly most: number },
): Promise<UnseenHead[]> {
  const { rows } = await sql<UnseenHead>`
    select p.id, p.number from pull_requests p
    where p.entity_id = ${entityId} and p.repo_id = ${repoId} and p.head_sha is not null
      and p.sought_head is distinct from p.head_sha
      and coalesce(p.host_updated_at, p.opened_at) >= coalesce(${since?.toISOString() ?? null}::timestamptz, '-infinity')
      and not exists (select from commits c
        where c.entity_id = p.entity_id and c.repo_id = p.repo_id and c.sha = p.head_sha)
    order by p.number desc limit ${most}`.execute(db);
  return rows;
}

/** They are not looked for again until their head moves. */
export async function noteSoughtHeads(db: Database, entityId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update pull_requests set sought_head = head_sha
    where entity_id = ${entityId} and id = any(${ids}::bigint[])`.execute(db);
}
