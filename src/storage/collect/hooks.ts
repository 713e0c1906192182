// Webhooks of an entity, their deliveries, and what they made due.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { NewRow, Row } from '../database/schema.ts';
import type { TokenKey } from './streams.ts';

export type HookRow = Row<'host_hooks'>;

/** What a hook's sealed secret is bound to. */
export const hookSecretContext = (entityId: number, pathPart: string): string => `host_hooks/${entityId}/${pathPart}`;

export const insertHook = (
  db: Database,
  hook: Pick<
    NewRow<'host_hooks'>,
    'entity_id' | 'host_key' | 'provider_em' | 'path_part' | 'secret_sealed' | 'source' | 'connection_id' | 'created_at'
  >,
): Promise<{ id: number }> => db.insertInto('host_hooks').values(hook).returning('id').executeTakeFirstOrThrow();

export const findHook = (db: Database, entityId: number, pathPart: string): Promise<HookRow | undefined> =>
  db
    .selectFrom('host_hooks')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('path_part', '=', pathPart)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

export const listHooks = (db: Database, entityId: number): Promise<HookRow[]> =>
  db
    .selectFrom('host_hooks')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();

/** Nothing is accepted at its address any more. */
export const removeHook = (
  db: Database,
  { entity_id, id }: Pick<HookRow, 'entity_id' | 'id'>,
  at: Date,
): Promise<unknown> =>
  db
    .updateTable('host_hooks')
    .set({ removed_at: at })
    .where('entity_id', '=', entity_id)
    .where('id', '=', id)
    .execute();

/** False where it came before. */
export async function recordDelivery(
  db: Database,
  hook: HookRow,
  delivery: { readonly id: string; readonly event: string; readonly at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('hook_deliveries')
    .values({
      entity_id: hook.entity_id,
      hook_id: hook.id,
      delivery_id: delivery.id,
      event: delivery.event,
      received_at: delivery.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  await db
    .updateTable('host_hooks')
    .set({ last_delivery_at: delivery.at, ...(hook.verified_at === null ? { verified_at: delivery.at } : {}) })
    .where('entity_id', '=', hook.entity_id)
    .where('id', '=', hook.id)
    .execute();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const removeDeliveries = (db: Database, before: Date): Promise<unknown> =>
  db.deleteFrom('hook_deliveries').where('received_at', '<', before.toISOString()).execute();

export interface HintedRepo {
  readonly id: number;
  readonly import_id: number | null;
  readonly organization: string;
  readonly repo: string;
}

export async function findHintedRepo(
  db: Database,
  place: { readonly entityId: number; readonly hostKey: string; readonly externalId: string },
): Promise<HintedRepo | undefined> {
  const { rows } = await sql<HintedRepo>`
    select r.id, i.id as import_id, g.slug as organization, r.slug as repo
    from repos r join organizations g on g.entity_id = r.entity_id and g.id = r.organization_id
    left join imports i on i.entity_id = r.entity_id and i.repo_id = r.id
    where r.entity_id = ${place.entityId} and r.host_key = ${place.hostKey} and r.external_id = ${place.externalId}
    limit 1`.execute(db);
  return rows[0];
}

/** Fresh walks that have begun at all are due at the given time, unless they are due before. */
export async function hurryStreams(
  db: Database,
  place: {
    readonly entityId: number;
    readonly hostKey: string;
    readonly repoId: number | null;
    readonly organizationExternalId: string | null;
    readonly trackerId: number | null;
  },
  streams: readonly string[],
  at: Date,
): Promise<void> {
  if (streams.length === 0) return;
  await sql`
    update sync_streams set next_due_at = ${at.toISOString()}::timestamptz
    where entity_id = ${place.entityId} and host_key = ${place.hostKey} and mode = 'fresh'
      and stream = any(${streams}::text[]) and next_due_at > ${at.toISOString()}::timestamptz
      and (repo_id = ${place.repoId}::bigint or organization_external_id = ${place.organizationExternalId}::text
        or tracker_id = ${place.trackerId}::bigint)`.execute(db);
}

export interface Refetch {
  readonly scope_kind: 'repo' | 'tracker';
  /** Of the repo or the tracker. */
  readonly scope_id: number;
  readonly item_kind: string;
  readonly item_key: string;
  readonly wanted_at: string;
  readonly failures: number;
}

/** Many hints about one item are one fetch. */
export async function wantRefetches(
  db: Database,
  place: { readonly entityId: number; readonly hostKey: string; readonly repoId: number },
  items: readonly { readonly kind: string; readonly key: string }[],
  times: { readonly now: Date; readonly notBefore: Date },
): Promise<void> {
  for (const { kind, key } of items) {
    await sql`
      insert into refetches (entity_id, host_key, scope_kind, scope_id, item_kind, item_key, wanted_at, not_before)
      values (${place.entityId}, ${place.hostKey}, 'repo', ${place.repoId}, ${kind}, ${key},
        ${times.now.toISOString()}::timestamptz, ${times.notBefore.toISOString()}::timestamptz)
      on conflict (entity_id, scope_kind, scope_id, item_kind, item_key) do update
        set wanted_at = excluded.wanted_at, failures = 0, is_comparison = false`.execute(db);
  }
}

/** Of repos that the connection sees, or of the tracker itself. */
export async function listRefetches(
  db: Database,
  token: TokenKey,
  wanted: { readonly now: Date; readonly most: number; readonly isComparison: boolean },
): Promise<Refetch[]> {
  const isSeen =
    token.source === 'tracker'
      ? sql`f.scope_kind = 'tracker' and f.scope_id = ${token.connectionId}`
      : sql`f.scope_kind = 'repo' and exists (
          select from repos r join provider_repos p on p.entity_id = r.entity_id and p.external_id = r.external_id
          where r.entity_id = f.entity_id and r.id = f.scope_id and p.connection_id = ${token.connectionId})`;
  const { rows } = await sql<Refetch>`
    select f.scope_kind, f.scope_id, f.item_kind, f.item_key, f.wanted_at, f.failures
    from refetches f
    where f.entity_id = ${token.entityId} and f.is_comparison = ${wanted.isComparison}
      and f.not_before <= ${wanted.now.toISOString()}::timestamptz and ${isSeen}
    order by f.not_before, f.scope_id, f.item_kind, f.item_key limit ${wanted.most}`.execute(db);
  return rows;
}

/** One that was wanted again meanwhile stays. */
export async function endRefetch(db: Database, entityId: number, item: Refetch): Promise<void> {
  await sql`
    delete from refetches where entity_id = ${entityId} and scope_kind = ${item.scope_kind} and scope_id = ${item.scope_id}
      and item_kind = ${item.item_kind} and item_key = ${item.item_key}
      and wanted_at = ${item.wanted_at}::timestamptz`.execute(db);
}

export async function delayRefetch(db: Database, entityId: number, item: Refetch, until: Date): Promise<void> {
  await sql`
    update refetches set not_before = ${until.toISOString()}::timestamptz, failures = failures + 1
    where entity_id = ${entityId} and scope_kind = ${item.scope_kind} and scope_id = ${item.scope_id}
      and item_kind = ${item.item_kind} and item_key = ${item.item_key}`.execute(db);
}
