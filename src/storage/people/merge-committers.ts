// Joins two people into one, and takes them apart again. Nothing about them moves: only who the root is
// changes, and what the daily tables count is settled in the same transaction.
import { sql } from 'kysely';
import { creditUsages } from '../ai/usage-credits.ts';
import { bumpDataVersion, reconcileRollups } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';
import { joinCommitters } from './commit-people.ts';
import { findCommittersByIdentifier } from './find-committers.ts';

export type CommitterRow = Row<'committers'> & { readonly root_user_name: string };

export async function listCommitters(db: Database, entityId: number): Promise<CommitterRow[]> {
  const { rows } = await sql<CommitterRow>`
    select c.*, r.committer_user_name as root_user_name
    from committers c join committers r on r.entity_id = ${entityId} and r.id = c.root_committer_id
    where c.entity_id = ${entityId}
    order by lower(r.committer_user_name), r.id, c.id <> r.id, lower(c.committer_user_name)`.execute(db);
  return rows;
}

/** The committer that the identifier names itself, not the person it belongs to. */
export async function findIdentity(
  db: Database,
  entityId: number,
  identifier: string,
): Promise<CommitterRow | undefined> {
  const [found] = await findCommittersByIdentifier(db, entityId, [identifier]);
  if (found === undefined) return undefined;
  const { rows } = await sql<CommitterRow>`
    select c.*, ${found.committer_user_name}::text as root_user_name
    from committers c where c.entity_id = ${entityId} and c.id = ${found.identity_id}`.execute(db);
  return rows[0];
}

/** `childId` and `rootId` are roots. All identities of the one become identities of the other. */
export async function mergeCommitters(db: Database, entityId: number, childId: number, rootId: number): Promise<void> {
  await sql`
    insert into committer_merges (entity_id, committer_id, former_root_id, merged_at)
    select ${entityId}, id, ${childId}, clock_timestamp()
    from committers where entity_id = ${entityId} and root_committer_id = ${childId}
    on conflict (entity_id, former_root_id, committer_id) do update set merged_at = excluded.merged_at`.execute(db);
  await joinCommitters(db, entityId, childId, rootId);
  await sql`
    delete from committers_kept_apart k using committers a, committers b
    where k.entity_id = ${entityId} and a.entity_id = ${entityId} and b.entity_id = ${entityId}
      and a.id = k.committer_id and b.id = k.other_committer_id
      and a.root_committer_id = b.root_committer_id`.execute(db);
  await bumpDataVersion(db, entityId);
}

/**
 * Makes an identity a person again, with those that came along when it was merged. Returns their ids. What
 * was merged later falls with it; what was merged into it earlier stays on record.
 */
export async function splitCommitter(
  db: Database,
  entityId: number,
  committer: Pick<CommitterRow, 'id' | 'root_committer_id'>,
): Promise<number[]> {
  const { rows } = await sql<{ committer_id: number; merged_at: string }>`
    select m.committer_id, m.merged_at
    from committer_merges m join committers c on c.entity_id = ${entityId} and c.id = m.committer_id
    where m.entity_id = ${entityId} and m.former_root_id = ${committer.id}
      and c.root_committer_id = ${committer.root_committer_id}`.execute(db);
  const group = [...new Set([committer.id, ...rows.map(({ committer_id }) => committer_id)])];
  // All who stay, not the root alone: it may be merged into another later.
  await sql`
    insert into committers_kept_apart (entity_id, committer_id, other_committer_id)
    select ${entityId}, a.id, b.id from committers a, committers b
    where a.entity_id = ${entityId} and a.id = any(${group}) and b.entity_id = ${entityId}
      and b.root_committer_id = ${committer.root_committer_id} and b.id <> all(${group})
    on conflict do nothing`.execute(db);
  await sql`
    update committers set root_committer_id = ${committer.id}
    where entity_id = ${entityId} and id = any(${group})`.execute(db);
  const since = rows.find(({ committer_id }) => committer_id === committer.id)?.merged_at ?? null;
  await sql`
    delete from committer_merges
    where entity_id = ${entityId} and committer_id = any(${group})
      and (former_root_id = ${committer.id} or merged_at >= ${since}::timestamptz)`.execute(db);
  await reconcileRollups(db, entityId, { authorIds: group });
  await creditUsages(db, entityId, { committerIds: [...group, committer.root_committer_id] });
  await bumpDataVersion(db, entityId);
  return group;
}
