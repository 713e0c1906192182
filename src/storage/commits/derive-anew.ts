// Replaces stored facts by those of another derivation while reports go on. All complete commits of a repo are first made
// incomplete, and keep their facts and their part of the daily tables until a batch brings the new facts of a commit.
import { sql } from 'kysely';
import type { Derivation } from '../../domain/commits/derivation.ts';
import type { Database } from '../database/handle.ts';
import type { RepoKey } from './commit-changes.ts';
import { addToRollups, setRolledUp } from './rollups.ts';

/** Begins a walk of the whole history under the derivation. Call once for each; a walk that was cut off goes on. */
export async function beginDerivation(db: Database, key: RepoKey, derivation: Derivation): Promise<void> {
  await sql`
    update commits set state = 'analysis_in_progress'
    where entity_id = ${key.entityId} and repo_id = ${key.repoId} and state = 'analysis_complete'`.execute(db);
  // What could not be read is found anew.
  await sql`
    delete from skipped_commits where entity_id = ${key.entityId} and repo_id = ${key.repoId}`.execute(db);
  await sql`
    update repos set deriving_under = ${JSON.stringify(derivation)}::jsonb, has_open_walk = true
    where entity_id = ${key.entityId} and id = ${key.repoId}`.execute(db);
}

/**
 * The same because commits can be read that could not, or because the history ends elsewhere: whatever was traced through
 * them, or to its end, is read again too.
 */
export async function beginRereading(db: Database, key: RepoKey, derivation: Derivation): Promise<void> {
  await beginDerivation(db, key, derivation);
  await sql`
    update repos set derived_under = null, reread_shas = '{}'
    where entity_id = ${key.entityId} and id = ${key.repoId}`.execute(db);
}

/** Takes what is stored of commits away for which new facts are about to be written, in the caller's transaction. */
export async function removeFacts(db: Database, entityId: number, commitIds: readonly number[]): Promise<void> {
  if (commitIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    select id from commits where entity_id = ${entityId} and id = any(${commitIds}) and rolled_up
    order by id for update`.execute(db);
  const counted = rows.map(({ id }) => id);
  await addToRollups(db, entityId, counted, -1);
  await setRolledUp(db, entityId, counted, false);
  for (const table of ['commit_files', 'line_flows', 'commit_ai']) {
    await sql`delete from ${sql.raw(table)} where entity_id = ${entityId} and commit_id = any(${commitIds})`.execute(
      db,
    );
  }
}
