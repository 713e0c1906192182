// Queries on the one-time keys of sign-in links and invitations. Only their hashes come here.
import type { Database } from '../database/handle.ts';
import type { NewRow, Row } from '../database/schema.ts';

export type SignInKeyRow = Row<'sign_in_keys'>;

export const insertSignInKey = (db: Database, key: NewRow<'sign_in_keys'>): Promise<SignInKeyRow> =>
  db.insertInto('sign_in_keys').values(key).returningAll().executeTakeFirstOrThrow();

/** Uses the key up: of two calls at once only one gets it. Null for one that is unknown, used or too old. */
export async function takeSignInKey(db: Database, sha256: Buffer, now: Date): Promise<SignInKeyRow | null> {
  const row = await db
    .updateTable('sign_in_keys')
    .set({ used_at: now })
    .where('key_sha256', '=', sha256)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Keys of links that nobody can use any more. Invitations stay until somebody takes them back. */
export async function deleteOldLinks(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_keys').where('kind', '=', 'link').where('expires_at', '<=', now.toISOString()).execute();
}

export const listInvitations = (db: Database, entityId: number): Promise<SignInKeyRow[]> =>
  db
    .selectFrom('sign_in_keys')
    .selectAll()
    .where('kind', '=', 'invitation')
    .where('entity_id', '=', entityId)
    .orderBy('id', 'desc')
    .execute();

export async function deleteInvitation(db: Database, entityId: number, id: number): Promise<SignInKeyRow | null> {
  const row = await db
    .deleteFrom('sign_in_keys')
    .where('kind', '=', 'invitation')
    .where('entity_id', '=', entityId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Earlier invitations of somebody into the entity that were not used: a new one takes their place. */
export async function deleteOpenInvitations(db: Database, entityId: number, email: string): Promise<void> {
  await db
    .deleteFrom('sign_in_keys')
    .where('kind', '=', 'invitation')
    .where('entity_id', '=', entityId)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .execute();
}

export async function deleteKeysOfUser(db: Database, user: { readonly id: number; readonly email: string }) {
  await db
    .deleteFrom('sign_in_keys')
    .where((is) => is.or([is('user_id', '=', user.id), is('email', '=', user.email)]))
    .where('used_at', 'is', null)
    .execute();
}
