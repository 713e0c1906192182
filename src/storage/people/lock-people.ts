// One transaction of an entity at a time makes people, joins them, takes them apart or gives them another status, until it ends: whom
// an identity belongs to is read before it is changed.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

const LOCK_SPACE = 7_080_002;

/** Call it before anything else of people is read or locked. */
export async function lockPeople(db: Database, entityId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}, ${entityId % 2_147_483_648}::int)`.execute(db);
}
