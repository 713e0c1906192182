// Queries on entities.
import type { Selectable } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { Schema } from '../database/schema.ts';
import { ensureDefaultTeam } from '../teams/teams.ts';

export type EntityRow = Selectable<Schema['entities']>;

/** Null when the slug is taken. */
export async function insertEntity(db: Database, entity: { slug: string; name: string }): Promise<EntityRow | null> {
  const row = await db
    .insertInto('entities')
    .values(entity)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await ensureDefaultTeam(db, row.id);
  return row;
}

/** An entity that is being removed is no longer found. */
export async function findActiveEntity(db: Database, slug: string): Promise<EntityRow | null> {
  const row = await db
    .selectFrom('entities')
    .selectAll()
    .where('slug', '=', slug)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return row ?? null;
}

/** In whatever state. */
export async function findEntity(db: Database, slug: string): Promise<EntityRow | null> {
  return (await db.selectFrom('entities').selectAll().where('slug', '=', slug).executeTakeFirst()) ?? null;
}

export const listEntities = (db: Database): Promise<EntityRow[]> =>
  db.selectFrom('entities').selectAll().orderBy('id').execute();

export const listEntitiesById = (db: Database, ids: readonly number[]): Promise<EntityRow[]> =>
  db
    .selectFrom('entities')
    .selectAll()
    .where('id', 'in', ids.length > 0 ? [...ids] : [0])
    .execute();

export const listActiveEntities = (db: Database): Promise<EntityRow[]> =>
  db.selectFrom('entities').selectAll().where('state', '=', 'active').orderBy('id').execute();

export async function isActiveEntity(db: Database, entityId: number): Promise<boolean> {
  const row = await db.selectFrom('entities').select('state').where('id', '=', entityId).executeTakeFirst();
  return row?.state === 'active';
}

/** The one that was made first, in whatever state: what belongs to it passes to nobody else. */
export async function readFirstEntityId(db: Database): Promise<number | null> {
  const row = await db.selectFrom('entities').select('id').orderBy('id').limit(1).executeTakeFirst();
  return row?.id ?? null;
}
