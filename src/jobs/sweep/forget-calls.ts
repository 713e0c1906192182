// A call with an Idempotency-Key can be repeated for a day; then nothing of it is kept.
import { KEPT_HOURS } from '../../domain/access/idempotency.ts';
import { forgetCalls } from '../../storage/access/idempotency-keys.ts';
import type { Task } from '../task.ts';

export const forgetCallsTask: Task<'forget_calls'> = {
  description: 'Removes what is kept of calls with an Idempotency-Key that are older than a day.',
  cron: { pattern: '17 * * * *', payload: {} },
  async run(_payload, { log }, { store }) {
    const count = await forgetCalls(store.db, KEPT_HOURS);
    if (count > 0) log.debug({ calls: count }, 'calls with an Idempotency-Key were forgotten');
  },
};
