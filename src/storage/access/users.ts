// Queries on users and on their roles in entities.
import { type Selectable, sql } from 'kysely';
import type { Role } from '../../domain/access/caller.ts';
import type { Database } from '../database/handle.ts';
import type { Schema } from '../database/schema.ts';
import { announceRevocation } from './revocations.ts';

export type UserRow = Selectable<Schema['users']>;

export interface NewUser {
  /** Lower case. */
  readonly email: string;
  readonly full_name: string | null;
  readonly is_super_admin: boolean;
}

/**
 * Creates the user, or completes the one with this address: a right is only ever added, and a name replaces another only if
 * `mayRename`.
 */
export const ensureUser = (db: Database, user: NewUser, mayRename: boolean, now: Date): Promise<UserRow> =>
  db
    .insertInto('users')
    .values({ ...user, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet((row) => ({
        full_name: mayRename
          ? row.fn.coalesce('excluded.full_name', 'users.full_name')
          : row.fn.coalesce('users.full_name', 'excluded.full_name'),
        is_super_admin: sql<boolean>`users.is_super_admin or excluded.is_super_admin`,
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

/** The user with this address, unchanged; made when there is none. Holds the row until the transaction ends. */
export const findOrCreateUser = (
  db: Database,
  user: Pick<UserRow, 'email' | 'full_name' | 'avatar_url'>,
  now: Date,
): Promise<UserRow> =>
  db
    .insertInto('users')
    .values({ ...user, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('email').doUpdateSet((row) => ({ email: row.ref('excluded.email') })))
    .returningAll()
    .executeTakeFirstOrThrow();

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | null> {
  return (await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()) ?? null;
}

export async function findUser(db: Database, id: number): Promise<UserRow | null> {
  return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function hasRole(db: Database, userId: number, entityId: number): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('entity_id', '=', entityId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the user may do something that no admin of this entity could: whoever acts as the user would gain by it. */
export async function hasRightsBeyond(
  db: Database,
  user: Pick<UserRow, 'id' | 'is_super_admin'>,
  entityId: number,
): Promise<boolean> {
  if (user.is_super_admin) return true;
  const elsewhere = await db
    .selectFrom('memberships')
    .select('entity_id')
    .where('user_id', '=', user.id)
    .where('entity_id', '<>', entityId)
    .limit(1)
    .executeTakeFirst();
  return elsewhere !== undefined;
}

export async function findFirstSuperAdmin(db: Database): Promise<UserRow | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('is_super_admin', '=', true)
    .orderBy('id')
    .executeTakeFirst();
  return row ?? null;
}

export async function setMembership(
  db: Database,
  membership: { entity_id: number; user_id: number; role: Role },
  now: Date,
): Promise<void> {
  await db
    .insertInto('memberships')
    .values({ ...membership, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['entity_id', 'user_id']).doUpdateSet((row) => ({
        role: row.ref('excluded.role'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute();
  // It may be a lower role than before.
  await announceRevocation(db);
}

/** Gives the role to a user who has none in the entity. */
export async function ensureMembership(
  db: Database,
  membership: { entity_id: number; user_id: number; role: Role },
  now: Date,
): Promise<void> {
  await db
    .insertInto('memberships')
    .values({ ...membership, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['entity_id', 'user_id']).doNothing())
    .execute();
}

/** True when there was one. */
export async function deleteMembership(db: Database, entityId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('memberships')
    .where('entity_id', '=', entityId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  await announceRevocation(db);
  return numDeletedRows > 0n;
}

export async function updateUser(
  db: Database,
  id: number,
  change: { full_name?: string | null; is_super_admin?: boolean; preferences?: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute();
  if (change.is_super_admin === false) await announceRevocation(db);
}

/** With roles, tokens and password. Tokens that the user made for others stay. */
export async function deleteUser(db: Database, id: number): Promise<void> {
  await db.updateTable('api_tokens').set({ created_by: null }).where('created_by', '=', id).execute();
  await db.deleteFrom('users').where('id', '=', id).execute();
  await announceRevocation(db);
}

/** Holds the rows until the transaction ends, so that of two removals at once one sees the other. */
export async function lockSuperAdmins(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_super_admin', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export interface UserMembershipRow {
  readonly user_id: number;
  readonly entity: string;
  readonly role: Role;
}

export const listMemberships = (db: Database, userIds: readonly number[]): Promise<UserMembershipRow[]> =>
  db
    .selectFrom('memberships')
    .innerJoin('entities', 'entities.id', 'memberships.entity_id')
    .select(['memberships.user_id', 'entities.slug as entity', 'memberships.role'])
    .where('memberships.user_id', 'in', userIds.length > 0 ? [...userIds] : [0])
    .where('entities.state', '=', 'active')
    .orderBy('entities.slug')
    .execute();

/** All users, or those with a role in the entity. */
export function listUsers(db: Database, filter: { entityId: number | null }): Promise<UserRow[]> {
  const users = db.selectFrom('users').selectAll('users').orderBy('users.id');
  if (filter.entityId === null) return users.execute();
  return users
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .where('memberships.entity_id', '=', filter.entityId)
    .execute();
}
