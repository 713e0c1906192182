// The streams of an entity: who works on which, where each stands, and when it is due again. A page's rows and the
// cursor behind it are written in one transaction, by whoever holds the stream's lease.
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Cursor, StreamRow } from '../../domain/collect/stream.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';

export type SyncStreamRow = Row<'sync_streams'>;

/** What a stream is of. Exactly one of the three is set. */
export interface StreamPlace {
  readonly entityId: number;
  readonly hostKey: string;
  readonly repoId?: number;
  readonly trackerId?: number;
  readonly organizationExternalId?: string;
}

/** A token that works on streams: a connection to a code host, or a tracker. */
export interface TokenKey {
  readonly entityId: number;
  readonly source: 'host' | 'tracker';
  readonly connectionId: number;
}

/** Another worker has the stream now: this one must end without writing. */
export class StreamTakenOver extends Error {
  override readonly name = 'StreamTakenOver';
}

const LEASE_SECONDS = 180;

/**
 * Makes the rows that a place lacks; a backfill that goes further back than the stored one begins anew. Fresh walks
 * begin when the backfill has seen the host's clock; a census begins at once.
 */
export async function ensureStreams(
  db: Database,
  place: StreamPlace,
  streams: readonly StreamRow[],
  { since, now }: { readonly since: Date | null; readonly now: Date },
): Promise<void> {
  const rows = streams.flatMap(({ name, scope, order, priority }) => {
    const row = { stream: name, scope, priority };
    const due = now.toISOString();
    if (order === 'census') return [{ ...row, mode: 'fresh', since: null, due }];
    return [
      { ...row, mode: 'fresh', since: null, due: null },
      { ...row, mode: 'backfill', since: since?.toISOString() ?? null, due },
    ];
  });
  await sql`
    insert into sync_streams (entity_id, scope_kind, host_key, repo_id, tracker_id, organization_external_id, stream, mode,
      priority, since, next_due_at, created_at, updated_at)
    select ${place.entityId}::bigint, t.scope, ${place.hostKey}::text, ${place.repoId ?? null}::bigint,
      ${place.trackerId ?? null}::bigint, ${place.organizationExternalId ?? null}::text, t.stream, t.mode, t.priority,
      t.since, t.due, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as t(stream text, scope text, priority smallint, mode text, since timestamptz, due timestamptz)
    on conflict (entity_id, host_key, repo_id, tracker_id, organization_external_id, stream, mode) do update
      set since = excluded.since, cursor = null, walk_top = null, next_due_at = excluded.next_due_at, finished_at = null,
          walk_items = 0, updated_at = excluded.updated_at
    where sync_streams.mode = 'backfill' and sync_streams.since is not null
      and (excluded.since is null or excluded.since < sync_streams.since)`.execute(db);
}

/**
 * Streams that the token can see and is not denied. The lists do not depend on the stream, so that each is read once however
 * many streams there are.
 */
function isVisible({ entityId, source, connectionId }: TokenKey, now: Date): RawBuilder<boolean> {
  const isDenied = sql`s.id in (
    select d.stream_id from stream_denials d where d.entity_id = ${entityId} and d.source = ${source}
      and d.connection_id = ${connectionId} and d.denied_until > ${now.toISOString()}::timestamptz)`;
  if (source === 'tracker') return sql<boolean>`(s.tracker_id = ${connectionId} and not ${isDenied})`;
  const hostKey = sql`(
    select c.host_key from provider_connections c where c.entity_id = ${entityId} and c.id = ${connectionId})`;
  return sql<boolean>`(not ${isDenied} and s.host_key = ${hostKey}
    and (s.repo_id in (
        select r.id from repos r
        where r.entity_id = ${entityId} and r.host_key = ${hostKey} and r.external_id in (
          select p.external_id from provider_repos p
          where p.entity_id = ${entityId} and p.connection_id = ${connectionId}))
      or s.organization_external_id in (
        select o.external_id from provider_organizations o
        where o.entity_id = ${entityId} and o.connection_id = ${connectionId})))`;
}

export const findStream = (db: Database, entityId: number, id: number): Promise<SyncStreamRow | undefined> =>
  db.selectFrom('sync_streams').selectAll().where('entity_id', '=', entityId).where('id', '=', id).executeTakeFirst();

/** The most urgent stream that is due, with the right to write: fresh ones before backfills, then by priority. */
export async function takeStream(
  db: Database,
  token: TokenKey,
  streams: readonly Pick<StreamRow, 'name' | 'after'>[],
  now: Date,
): Promise<SyncStreamRow | undefined> {
  const at = now.toISOString();
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select s.id from sync_streams s
      where s.entity_id = ${token.entityId} and s.next_due_at <= ${at}::timestamptz
        and s.stream = any(${streams.map(({ name }) => name)}::text[]) and not ${isEarly(token.entityId, streams)}
        and (s.lease_until is null or s.lease_until <= ${at}::timestamptz)
        and ${isVisible(token, now)}
      order by s.mode <> 'fresh', s.priority, s.next_due_at, s.id
      limit 1 for update of s skip locked`.execute(trx);
    const [found] = rows;
    if (found === undefined) return undefined;
    return trx
      .updateTable('sync_streams')
      .set({ lease_token: randomUUID(), lease_until: leaseEnd(now), updated_at: now })
      .where('entity_id', '=', token.entityId)
      .where('id', '=', found.id)
      .returningAll()
      .executeTakeFirst();
  });
}

/** The backfill of a stream whose forerunner at the same place has not ended, and can. */
function isEarly(entityId: number, streams: readonly Pick<StreamRow, 'name' | 'after'>[]): RawBuilder<boolean> {
  const pairs = streams.flatMap(({ name, after }) => (after === undefined ? [] : [{ name, after }]));
  const place = (alias: string) => sql`${sql.ref(`${alias}.host_key`)}, coalesce(${sql.ref(`${alias}.repo_id`)}, 0),
    coalesce(${sql.ref(`${alias}.tracker_id`)}, 0), coalesce(${sql.ref(`${alias}.organization_external_id`)}, '')`;
  return sql<boolean>`(s.mode = 'backfill' and (s.stream, ${place('s')}) in (
    select f.name, ${place('b')}
    from unnest(${pairs.map(({ name }) => name)}::text[], ${pairs.map(({ after }) => after)}::text[]) as f(name, after)
    join sync_streams b on b.entity_id = ${entityId} and b.stream = f.after and b.mode = 'backfill'
      and b.next_due_at is not null and coalesce(b.failure_em, '') not in ('gone', 'insufficient_scope')))`;
}

const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_SECONDS * 1000);

type Change = Partial<{
  cursor: Cursor | null;
  walk_top: Date | null;
  watermark: Date | null;
  page_size: number;
  good_pages: number;
  next_due_at: Date | null;
  failures: number;
  failure_em: string | null;
  failure_detail: string;
  walk_items: number;
  walk_expected: number | null;
  items_total: number;
  pages_total: number;
  calls_total: number;
  walk_started_at: Date | null;
  finished_at: Date | null;
}>;

/** Writes what the holder of the lease has reached, and keeps or gives back the lease. Throws StreamTakenOver. */
export async function updateStream(
  db: Database,
  stream: Pick<SyncStreamRow, 'entity_id' | 'id' | 'lease_token'>,
  change: Change,
  { now, isReleased }: { readonly now: Date; readonly isReleased: boolean },
): Promise<SyncStreamRow> {
  const { cursor, ...rest } = change;
  const lease = isReleased ? { lease_token: null, lease_until: null } : { lease_until: leaseEnd(now) };
  const row = await db
    .updateTable('sync_streams')
    .set({
      ...rest,
      ...(cursor === undefined ? {} : { cursor: cursor === null ? null : JSON.stringify(cursor) }),
      ...lease,
      updated_at: now,
    })
    .where('entity_id', '=', stream.entity_id)
    .where('id', '=', stream.id)
    .where('lease_token', '=', stream.lease_token)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new StreamTakenOver(`the stream ${stream.id} was taken over or removed`);
  return row;
}

/** Lets others go on at once, where this worker stops in the middle. */
export async function releaseStream(
  db: Database,
  stream: Pick<SyncStreamRow, 'entity_id' | 'id' | 'lease_token'>,
): Promise<void> {
  await db
    .updateTable('sync_streams')
    .set({ lease_token: null, lease_until: null })
    .where('entity_id', '=', stream.entity_id)
    .where('id', '=', stream.id)
    .where('lease_token', '=', stream.lease_token)
    .execute();
}

/** From the host's clock at the start of the backfill on, changes are the business of fresh walks. */
export async function startFresh(
  db: Database,
  backfill: SyncStreamRow,
  { watermark, dueAt }: { readonly watermark: Date; readonly dueAt: Date },
): Promise<void> {
  await sql`
    update sync_streams set watermark = ${watermark.toISOString()}::timestamptz,
      next_due_at = ${dueAt.toISOString()}::timestamptz
    where entity_id = ${backfill.entity_id} and host_key = ${backfill.host_key}
      and repo_id is not distinct from ${backfill.repo_id}::bigint
      and tracker_id is not distinct from ${backfill.tracker_id}::bigint
      and organization_external_id is not distinct from ${backfill.organization_external_id}::text
      and stream = ${backfill.stream} and mode = 'fresh' and watermark is null`.execute(db);
}

/** Leaves a stream to other tokens for a while. Returns whether there is one that may try. */
export async function denyStream(
  db: Database,
  token: TokenKey,
  streamId: number,
  denial: { readonly failure: string; readonly detail: string; readonly until: Date; readonly now: Date },
): Promise<boolean> {
  await sql`
    insert into stream_denials (entity_id, stream_id, source, connection_id, failure_em, detail, denied_until)
    values (${token.entityId}, ${streamId}, ${token.source}, ${token.connectionId}, ${denial.failure}, ${denial.detail},
      ${denial.until.toISOString()}::timestamptz)
    on conflict (entity_id, stream_id, source, connection_id) do update
      set failure_em = excluded.failure_em, detail = excluded.detail, denied_until = excluded.denied_until`.execute(db);
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from sync_streams s join provider_connections c on c.entity_id = s.entity_id and c.host_key = s.host_key
      where s.entity_id = ${token.entityId} and s.id = ${streamId} and s.tracker_id is null
        and (c.error_em is null or c.error_em not in ('rejected', 'refused_address'))
        and not exists (select from stream_denials d where d.entity_id = s.entity_id and d.stream_id = s.id
          and d.source = 'host' and d.connection_id = c.id
          and d.denied_until > ${denial.now.toISOString()}::timestamptz)) as exists`.execute(db);
  return rows[0]!.exists;
}

/** A new token may do what the old one was denied. */
export async function forgetDenials(db: Database, token: TokenKey, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    delete from stream_denials where entity_id = ${token.entityId} and source = ${token.source}
      and connection_id = ${token.connectionId} returning stream_id as id`.execute(db);
  await sql`
    update sync_streams set next_due_at = ${now.toISOString()}::timestamptz
    where entity_id = ${token.entityId} and id = any(${rows.map(({ id }) => id)}::bigint[])
      and next_due_at is not null`.execute(db);
}

/** Fresh walks of a repo begin at once, whenever they were due. */
export async function hurryRepo(db: Database, entityId: number, repoId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sync_streams')
    .set({ next_due_at: now })
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .where((is) => is.or([is('watermark', 'is not', null), is('next_due_at', 'is not', null)]))
    .where('mode', '=', 'fresh')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface DueRepo {
  readonly repo_id: number;
  readonly external_id: string;
  readonly path: string;
  readonly streams: readonly { readonly id: number; readonly stream: string; readonly watermark: string }[];
}

/** Repos with several fresh walks of these streams that are due and not begun, as this connection sees them, in order of id. */
export async function listDueRepos(
  db: Database,
  token: TokenKey,
  { streams, after, most }: { readonly streams: readonly string[]; readonly after: number; readonly most: number },
  now: Date,
): Promise<DueRepo[]> {
  if (token.source !== 'host') return [];
  const at = now.toISOString();
  const { rows } = await sql<DueRepo>`
    select r.id as repo_id, r.external_id, min(p.organization_slug || '/' || p.repo_slug) as path,
      json_agg(distinct jsonb_build_object('id', s.id, 'stream', s.stream, 'watermark', s.watermark)) as streams
    from sync_streams s
    join repos r on r.entity_id = s.entity_id and r.id = s.repo_id
    join provider_repos p on p.entity_id = r.entity_id and p.external_id = r.external_id
      and p.connection_id = ${token.connectionId}
    where s.entity_id = ${token.entityId} and s.mode = 'fresh' and s.next_due_at <= ${at}::timestamptz
      and s.stream = any(${streams}::text[]) and s.repo_id > ${after} and s.cursor is null and s.watermark is not null
      and (s.lease_until is null or s.lease_until <= ${at}::timestamptz) and ${isVisible(token, now)}
    group by r.id, r.external_id having count(distinct s.id) > 1
    order by r.id limit ${most}`.execute(db);
  return rows;
}

/** Nothing has changed since the watermark: it moves without a walk. */
export async function markUnchanged(
  db: Database,
  entityId: number,
  streams: readonly { readonly id: number; readonly due_at: Date }[],
  watermark: Date,
): Promise<void> {
  await sql`
    update sync_streams set watermark = greatest(watermark, ${watermark.toISOString()}::timestamptz),
      next_due_at = t.due_at, finished_at = ${watermark.toISOString()}::timestamptz
    from unnest(${streams.map(({ id }) => id)}::bigint[], ${streams.map(({ due_at }) => due_at.toISOString())}::timestamptz[])
      as t(id, due_at)
    where sync_streams.entity_id = ${entityId} and sync_streams.id = t.id and sync_streams.cursor is null`.execute(db);
}

/** How many fresh walks there are at a host, by stream. */
export async function countFreshStreams(
  db: Database,
  entityId: number,
  hostKey: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ stream: string; count: number }>`
    select stream, count(*)::int as count from sync_streams
    where entity_id = ${entityId} and host_key = ${hostKey} and mode = 'fresh' group by stream`.execute(db);
  return new Map(rows.map(({ stream, count }) => [stream, count]));
}

/** When the token's next stream is due, of those named; null where none is. */
export async function nextDueAt(
  db: Database,
  token: TokenKey,
  streams: readonly string[],
  now: Date,
): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    select min(s.next_due_at) as at from sync_streams s
    where s.entity_id = ${token.entityId} and s.next_due_at is not null and s.stream = any(${streams}::text[])
      and ${isVisible(token, now)}`.execute(db);
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}

/** Tokens of all entities whose host or tracker has a stream that is due and that nobody works on. */
export async function listDueTokens(db: Database, now: Date): Promise<TokenKey[]> {
  const at = now.toISOString();
  const { rows } = await sql<{ entity_id: number; source: 'host' | 'tracker'; connection_id: number }>`
    with due as materialized (
      select distinct s.entity_id, s.host_key, s.tracker_id, s.scope_kind from sync_streams s
      where s.next_due_at <= ${at}::timestamptz and (s.lease_until is null or s.lease_until <= ${at}::timestamptz)
    ), wanted as materialized (
      select distinct f.entity_id, f.host_key, f.scope_kind, f.scope_id from refetches f where f.not_before <= ${at}::timestamptz
    )
    select c.entity_id, 'host' as source, c.id as connection_id from provider_connections c
    where (c.error_em is null or c.error_em not in ('rejected', 'refused_address'))
      and (exists (select from due d where d.entity_id = c.entity_id and d.host_key = c.host_key
          and d.scope_kind <> 'tracker')
        or exists (select from wanted w where w.entity_id = c.entity_id and w.host_key = c.host_key
          and w.scope_kind = 'repo'))
    union all
    select t.entity_id, 'tracker', t.id from trackers t
    where t.token_sealed is not null and (t.error_em is null or t.error_em not in ('rejected', 'refused_address'))
      and (exists (select from due d where d.entity_id = t.entity_id and d.tracker_id = t.id)
        or exists (select from wanted w where w.entity_id = t.entity_id and w.scope_kind = 'tracker' and w.scope_id = t.id))
    order by 1, 2, 3`.execute(db);
  return rows.map((row) => ({ entityId: row.entity_id, source: row.source, connectionId: row.connection_id }));
}
