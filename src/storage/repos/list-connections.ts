// The connections to code hosts of an entity, for those who look after them. Their tokens stay sealed.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

export interface ListedConnection {
  readonly id: number;
  readonly git_provider_em: string;
  readonly endpoint_url: string | null;
  readonly organization_name: string | null;
  readonly user_email: string;
  readonly organizations: readonly string[];
  readonly repo_count: number;
  readonly error_em: string | null;
  readonly verified_at: string;
  readonly repos_cached_at: string | null;
  readonly last_quota_exceeded_at: string | null;
  readonly token_expires_at: string | null;
  readonly created_at: string;
}

export async function listConnections(db: Database, entityId: number): Promise<ListedConnection[]> {
  const { rows } = await sql<ListedConnection>`
    select c.id, c.git_provider_em, c.endpoint_url, c.organization_name, u.email as user_email,
      array(select o.slug from provider_organizations o where o.entity_id = c.entity_id and o.connection_id = c.id
        order by o.slug) as organizations,
      (select count(*) from provider_repos r where r.entity_id = c.entity_id and r.connection_id = c.id) as repo_count,
      c.error_em, c.verified_at, c.repos_cached_at, c.last_quota_exceeded_at, c.token_expires_at, c.created_at
    from provider_connections c join users u on u.id = c.user_id
    where c.entity_id = ${entityId} order by c.id`.execute(db);
  return rows;
}

/** With what it could see; imported repos stay. True when there was one. */
export async function deleteConnection(db: Database, entityId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('provider_connections')
    .where('entity_id', '=', entityId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** In all entities. */
export async function countConnectionsOf(db: Database, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from provider_connections where user_id = ${userId}`.execute(db);
  return rows[0]!.count;
}
