// What streams are of, as the hosts name it now: found by the host's id, so that a rename changes nothing but the path.
import { sql } from 'kysely';
import type { Scope } from '../../domain/collect/stream.ts';
import type { Database } from '../database/handle.ts';
import { type HostedKey, isHostedAs } from '../repos/provider-connections.ts';
import type { SyncStreamRow, TokenKey } from './streams.ts';

export interface HostedPlace {
  readonly git_provider_em: string;
  readonly host_key: string;
  readonly external_id: string;
  readonly organization_external_id: string | null;
}

/** Where a repo of the entity lies, by the connections that see it; the best one first. */
export async function findHostedPlace(
  db: Database,
  entityId: number,
  path: HostedKey,
): Promise<HostedPlace | undefined> {
  const { rows } = await sql<HostedPlace>`
    select c.git_provider_em, c.host_key, p.external_id, o.external_id as organization_external_id
    from provider_repos p
    join provider_connections c on c.entity_id = p.entity_id and c.id = p.connection_id
    left join provider_organizations o on o.entity_id = p.entity_id and o.connection_id = p.connection_id
      and o.slug = p.organization_slug
    where p.entity_id = ${entityId} and ${await isHostedAs(db, entityId, path)}
    order by c.error_em is not null, c.verified_at desc, c.id limit 1`.execute(db);
  return rows[0];
}

/** The scope of a stream as this token sees it; undefined when it no longer does. */
export async function readScope(db: Database, token: TokenKey, stream: SyncStreamRow): Promise<Scope | undefined> {
  if (stream.scope_kind === 'tracker') return readTrackerScope(db, token.entityId, stream.tracker_id!);
  if (stream.scope_kind === 'organization') {
    const { rows } = await sql<{ slug: string; external_id: string }>`
      select o.slug, o.external_id from provider_organizations o
      where o.entity_id = ${token.entityId} and o.connection_id = ${token.connectionId}
        and o.external_id = ${stream.organization_external_id}`.execute(db);
    const [found] = rows;
    return found && { kind: 'organization', external_id: found.external_id, path: found.slug, settings: {} };
  }
  return readRepoScope(db, token, stream.repo_id!);
}

export async function readTrackerScope(db: Database, entityId: number, trackerId: number): Promise<Scope | undefined> {
  const tracker = await db
    .selectFrom('trackers')
    .select(['name', 'host_key', 'settings'])
    .where('entity_id', '=', entityId)
    .where('id', '=', trackerId)
    .executeTakeFirst();
  if (tracker === undefined) return undefined;
  const settings = tracker.settings as Record<string, unknown>;
  return { kind: 'tracker', external_id: tracker.host_key, path: tracker.name, settings };
}

export async function readRepoScope(db: Database, token: TokenKey, repoId: number): Promise<Scope | undefined> {
  const { rows } = await sql<{ external_id: string; path: string }>`
    select p.external_id, p.organization_slug || '/' || p.repo_slug as path
    from repos r
    join provider_repos p on p.entity_id = r.entity_id and p.external_id = r.external_id
      and p.connection_id = ${token.connectionId}
    where r.entity_id = ${token.entityId} and r.id = ${repoId}
    order by p.seen_at desc limit 1`.execute(db);
  const [found] = rows;
  return found && { kind: 'repo', external_id: found.external_id, path: found.path, settings: {} };
}
