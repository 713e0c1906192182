// Sums up the weeks whose reports of use changed. Nothing waits for it: until then statistics read the reports themselves.
import { listEntitiesWithDueWeeks, sumDueWeeks } from '../../storage/ai/usage-weeks.ts';
import type { Task } from '../task.ts';

export const sumUsageWeeks: Task<'sum_usage_weeks'> = {
  description: 'Sums up the use of AI tools of the weeks whose reports changed.',
  cron: { pattern: '* * * * *', payload: {} },
  async run(_, { log }, { store }) {
    for (const entity_id of await listEntitiesWithDueWeeks(store.db)) {
      const weeks = await sumDueWeeks(store.db, entity_id);
      if (weeks > 0) log.debug({ entity_id, weeks }, 'summed up weeks of use');
    }
  },
};
