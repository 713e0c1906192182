// Whose statistics a call may show: those that the entity's setting stats_access shows to who asks.
import { todayIn } from '../../domain/calendar/date-range.ts';
import type { Database } from '../../storage/database/handle.ts';
import { listVisiblePeople } from '../../storage/people/contributors.ts';
import { OPERATOR } from '../access/actor.ts';
import { type Grant, mayAs } from '../access/grant.ts';

/** Root committers; null: all. */
export async function findVisiblePeople(
  db: Database,
  grant: Grant<'member'>,
  now: Date,
): Promise<readonly number[] | null> {
  const { actor, entity, settings } = grant;
  if (actor === OPERATOR || mayAs(grant, 'admin')) return null;
  const today = todayIn(settings.time_zone, now);
  return listVisiblePeople(db, entity.id, { userId: actor.user_id, access: settings.stats_access, today });
}
