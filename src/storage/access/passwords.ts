// Queries on passwords, of which the database holds hashes only.
import type { Database } from '../database/handle.ts';

export async function readPasswordHash(db: Database, userId: number): Promise<string | null> {
  const row = await db.selectFrom('passwords').select('phc').where('user_id', '=', userId).executeTakeFirst();
  return row?.phc ?? null;
}

export async function storePasswordHash(
  db: Database,
  password: { readonly user_id: number; readonly phc: string },
  now: Date,
): Promise<void> {
  await db
    .insertInto('passwords')
    .values({ ...password, changed_at: now })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet((row) => ({ phc: row.ref('excluded.phc'), changed_at: row.ref('excluded.changed_at') })),
    )
    .execute();
}

/** Which of the users have one. */
export async function listUsersWithPassword(db: Database, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('passwords')
    .select('user_id')
    .where('user_id', 'in', [...userIds])
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

export async function deletePassword(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('passwords').where('user_id', '=', userId).execute();
}
