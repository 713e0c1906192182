// Trackers: connected ones with a token of their own, and those that repos have at their host.
import { sql } from 'kysely';
import type { TrackerKind } from '../../domain/work/issue.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';

export type TrackerRow = Row<'trackers'>;

/** What a tracker's sealed token is bound to, so that it opens in no other row. */
export const trackerSecretContext = (entityId: number, kind: string, hostKey: string): string =>
  `trackers/${entityId}/${kind}/${hostKey}`;

/**
 * The tracker that a host keeps for a repo; made when it is missing. Without a repo it is that of the whole host, for sprints
 * and epics that lie across repos.
 */
export async function ensureHostTracker(
  db: Database,
  tracker: {
    readonly entityId: number;
    readonly repoId: number | null;
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

export interface ConnectedTracker {
  readonly entity_id: number;
  readonly kind: TrackerKind;
  readonly host_key: string;
  readonly site_url: string;
  readonly name: string;
  readonly email: string | null;
  readonly token_sealed: Buffer;
  readonly token_expires_at: Date | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly created_by: number | null;
}

/** A site that is connected already gets the new token and the new choices. */
export async function storeTracker(db: Database, tracker: ConnectedTracker, now: Date): Promise<number> {
  const { settings, ...values } = tracker;
  const { id } = await db
    .insertInto('trackers')
    .values({ ...values, settings: JSON.stringify(settings), verified_at: now, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['entity_id', 'kind', 'host_key', 'repo_id']).doUpdateSet((row) => ({
        site_url: row.ref('excluded.site_url'),
        name: row.ref('excluded.name'),
        email: row.ref('excluded.email'),
        token_sealed: row.ref('excluded.token_sealed'),
        token_expires_at: row.ref('excluded.token_expires_at'),
        settings: row.ref('excluded.settings'),
        verified_at: row.ref('excluded.verified_at'),
        updated_at: row.ref('excluded.updated_at'),
        error_em: null,
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface ListedTracker extends TrackerRow {
  readonly issue_count: number;
  readonly sprint_count: number;
  readonly created_by_email: string | null;
  /** Up to when everything is stored; null until then. */
  readonly collected_until: string | null;
  readonly is_backfilling: boolean;
  /** What a stream met last, in words. */
  readonly failure_detail: string | null;
  readonly wait_until: string | null;
}

/** Those with a token of their own, oldest first. */
export async function listConnectedTrackers(db: Database, entityId: number): Promise<ListedTracker[]> {
  const { rows } = await sql<ListedTracker>`
    select t.*, u.email as created_by_email,
      (select count(*)::int from issues i where i.entity_id = t.entity_id and i.tracker_id = t.id
        and i.deleted_at is null) as issue_count,
      (select count(*)::int from sprints s where s.entity_id = t.entity_id and s.tracker_id = t.id) as sprint_count,
      (select min(s.watermark) from sync_streams s where s.entity_id = t.entity_id and s.tracker_id = t.id
        and s.mode = 'fresh' and s.stream = 'issues') as collected_until,
      exists (select from sync_streams s where s.entity_id = t.entity_id and s.tracker_id = t.id and s.mode = 'backfill'
        and s.next_due_at is not null) as is_backfilling,
      (select s.failure_detail from sync_streams s where s.entity_id = t.entity_id and s.tracker_id = t.id
        and s.failure_em is not null order by s.updated_at desc limit 1) as failure_detail,
      (select max(b.wait_until) from token_budgets b where b.entity_id = t.entity_id and b.source = 'tracker'
        and b.connection_id = t.id) as wait_until
    from trackers t left join users u on u.id = t.created_by
    where t.entity_id = ${entityId} and t.token_sealed is not null order by t.id`.execute(db);
  return rows;
}

/** Trackers all of whose streams have come to an end once, or never will. */
export async function listCollectedTrackers(db: Database, entityId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from trackers t
    where t.entity_id = ${entityId} and not exists (
      select from sync_streams s where s.entity_id = t.entity_id and s.tracker_id = t.id
        and s.next_due_at is not null and s.finished_at is null and s.watermark is null
        and coalesce(s.failure_em, '') not in ('gone', 'insufficient_scope'))
    order by t.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** What was collected stays; the token and the streams go. False where there is none. */
export async function disconnectTracker(db: Database, entityId: number, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('trackers')
    .set({ token_sealed: null, email: null, error_em: null, updated_at: now })
    .where('entity_id', '=', entityId)
    .where('id', '=', id)
    .where('token_sealed', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await db.deleteFrom('sync_streams').where('entity_id', '=', entityId).where('tracker_id', '=', id).execute();
  await db
    .deleteFrom('token_budgets')
    .where('entity_id', '=', entityId)
    .where('source', '=', 'tracker')
    .where('connection_id', '=', id)
    .execute();
  return true;
}
