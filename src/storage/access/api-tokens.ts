// Queries on API tokens. Only hashes of their secrets come here.
import { sql } from 'kysely';
import type { Caller } from '../../domain/access/caller.ts';
import type { Database } from '../database/handle.ts';
import { announceRevocation } from './revocations.ts';

export interface NewApiToken {
  readonly entity_id: number;
  readonly user_id: number;
  readonly name: string | null;
  readonly token_sha256: Buffer;
  readonly created_by: number | null;
  readonly expires_at: Date | null;
}

export async function insertApiToken(db: Database, token: NewApiToken): Promise<number> {
  const row = await db.insertInto('api_tokens').values(token).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

export interface ApiTokenRow {
  readonly id: number;
  readonly entity_id: number;
  readonly entity: string;
  readonly user_id: number;
  readonly user_email: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

const withOwners = (db: Database) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('entities', 'entities.id', 'api_tokens.entity_id')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'api_tokens.id',
      'api_tokens.entity_id',
      'entities.slug as entity',
      'api_tokens.user_id',
      'users.email as user_email',
      'api_tokens.name',
      'api_tokens.created_at',
      'api_tokens.expires_at',
      'api_tokens.last_used_at',
      'api_tokens.revoked_at',
    ]);

export function listApiTokens(db: Database, filter: { entityId: number | null }): Promise<ApiTokenRow[]> {
  const tokens = withOwners(db).orderBy('api_tokens.id');
  return (filter.entityId === null ? tokens : tokens.where('api_tokens.entity_id', '=', filter.entityId)).execute();
}

export async function findApiToken(db: Database, by: { id: number } | { sha256: Buffer }): Promise<ApiTokenRow | null> {
  const tokens = withOwners(db);
  const found =
    'id' in by ? tokens.where('api_tokens.id', '=', by.id) : tokens.where('api_tokens.token_sha256', '=', by.sha256);
  return (await found.executeTakeFirst()) ?? null;
}

/** Revokes it and gives its hash. The time of the first revocation stays. */
export async function revokeApiToken(db: Database, id: number, now: Date): Promise<Buffer> {
  const row = await db
    .updateTable('api_tokens')
    .set((token) => ({ revoked_at: token.fn.coalesce('revoked_at', token.val(now)) }))
    .where('id', '=', id)
    .returning('token_sha256')
    .executeTakeFirstOrThrow();
  await announceRevocation(db, row.token_sha256);
  return row.token_sha256;
}

/** Revokes all tokens of a user, or those for one entity. */
export async function revokeTokensOf(db: Database, userId: number, now: Date, entityId?: number): Promise<void> {
  const tokens = db
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null);
  const { numUpdatedRows } = await (entityId === undefined
    ? tokens
    : tokens.where('entity_id', '=', entityId)
  ).executeTakeFirst();
  if (numUpdatedRows > 0n) await announceRevocation(db);
}

export interface ApiTokenHolderRow extends Caller {
  readonly expires_at: string | null;
}

/** Whom a token speaks for. Nobody once it is revoked, its entity is leaving, or its user has no role there. */
export async function findApiTokenHolder(db: Database, sha256: Buffer): Promise<ApiTokenHolderRow | null> {
  const row = await db
    .selectFrom('api_tokens')
    .innerJoin('entities', 'entities.id', 'api_tokens.entity_id')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.entity_id', '=', 'api_tokens.entity_id')
        .onRef('memberships.user_id', '=', 'api_tokens.user_id'),
    )
    .select([
      'api_tokens.id as token_id',
      'api_tokens.user_id',
      'api_tokens.entity_id',
      'entities.slug as entity_slug',
      'memberships.role',
      'users.is_super_admin',
      'api_tokens.expires_at',
    ])
    .where('api_tokens.token_sha256', '=', sha256)
    .where('api_tokens.revoked_at', 'is', null)
    .where('entities.state', '=', 'active')
    .executeTakeFirst();
  if (row === undefined) return null;
  const { token_id, ...holder } = row;
  const role = row.is_super_admin ? 'admin' : row.role;
  return role === null ? null : { ...holder, role, via: { kind: 'token', token_id } };
}

/** One statement for many tokens. A time never moves back, whichever process writes last. */
export async function recordTokenUses(db: Database, uses: readonly { id: number; used_at: Date }[]): Promise<void> {
  const ids = uses.map(({ id }) => id);
  const times = uses.map(({ used_at }) => used_at.toISOString());
  await sql`
    update api_tokens set last_used_at = greatest(api_tokens.last_used_at, used.at)
    from unnest(${ids}::bigint[], ${times}::timestamptz[]) as used (id, at)
    where api_tokens.id = used.id`.execute(db);
}

/** Of tokens that a start of the service made under one of these names and nobody has revoked. */
export async function listStartTokens(
  db: Database,
  userId: number,
  { names, prefix }: { readonly names: readonly string[]; readonly prefix: string | null },
): Promise<number[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([where('name', 'in', [...names]), ...(prefix === null ? [] : [where('name', 'like', `${prefix}%`)])]),
    )
    .where('created_by', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}
