// Trackers: connected ones with a token of their own, and those that repos have at their host.
import type { TrackerKind } from '../../domain/work/issue.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';

export type TrackerRow = Row<'trackers'>;

/** What a tracker's sealed token is bound to, so that it opens in no other row. */
export const trackerSecretContext = (entityId: number, kind: string, hostKey: string): string =>
  `trackers/${entityId}/${kind}/${hostKey}`;

/** The tracker that a repo's host keeps for it; made when it is missing. */
export async function ensureRepoTracker(
  db: Database,
  tracker: {
    readonly entityId: number;
    readonly repoId: number;
    readonly kind: TrackerKind;
    readonly hostKey: string;
    readonly name: string;
  },
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('trackers')
    .values({
      entity_id: tracker.entityId,
      kind: tracker.kind,
      host_key: tracker.hostKey,
      repo_id: tracker.repoId,
      name: tracker.name,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['entity_id', 'kind', 'host_key', 'repo_id'])
        .doUpdateSet((row) => ({ name: row.ref('excluded.name'), updated_at: row.ref('excluded.updated_at') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const findTracker = (db: Database, entityId: number, id: number): Promise<TrackerRow | undefined> =>
  db.selectFrom('trackers').selectAll().where('entity_id', '=', entityId).where('id', '=', id).executeTakeFirst();

export async function updateTracker(
  db: Database,
  { entityId, trackerId }: { readonly entityId: number; readonly trackerId: number },
  change: {
    readonly error_em?: string | null;
    readonly last_quota_exceeded_at?: Date;
    readonly token_expires_at?: Date;
  },
): Promise<void> {
  await db.updateTable('trackers').set(change).where('entity_id', '=', entityId).where('id', '=', trackerId).execute();
}
