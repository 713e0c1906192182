// Whose statistics a call may show: those that the entity's setting stats_access shows to who asks.
import type { Database } from '../../storage/database/handle.ts';
import { listVisiblePeople } from '../../storage/people/contributors.ts';
import { OPERATOR } from '../access/actor.ts';
import { type Grant, mayAs } from '../access/grant.ts';

/** Root committers; null: all. */
export const findVisiblePeople = async (db: Database, grant: Grant<'member'>): Promise<readonly number[] | null> =>
  grant.actor === OPERATOR || mayAs(grant, 'admin')
    ? null
    : listVisiblePeople(db, grant.entity.id, grant.actor.user_id, grant.settings.stats_access);
