// For worlds that write reports of use by themselves: what storeUsages does for the weeks of those it stores.
import { noteUsageWeeks, sumDueWeeks } from '../../src/storage/ai/usage-weeks.ts';
import type { Store } from '../../src/storage/database/handle.ts';

/** Every week with a report is due. */
export async function noteAllUsageWeeks({ db }: Store, entityId: number): Promise<void> {
  const used = await db
    .selectFrom('ai_usages')
    .select(['committer_id', 'used_on'])
    .distinct()
    .where('entity_id', '=', entityId)
    .execute();
  await noteUsageWeeks(db, entityId, used);
}

export async function sumAllUsageWeeks(store: Store, entityId: number): Promise<void> {
  await noteAllUsageWeeks(store, entityId);
  await sumDueWeeks(store.db, entityId);
}
