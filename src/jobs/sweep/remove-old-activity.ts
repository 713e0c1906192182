// Removes what has been in the activity trail for longer than it is kept.
import { deleteActivitiesBefore } from '../../storage/activity/activities.ts';
import type { Task } from '../task.ts';

const DAY_MILLISECONDS = 86_400_000;

export const removeOldActivity: Task<'remove_old_activity'> = {
  description: 'Removes activities that are older than activity_retention_days.',
  cron: { pattern: '17 3 * * *', payload: {} },
  async run(_payload, { log }, { store, now, activityRetentionDays }) {
    if (activityRetentionDays === undefined) return;
    const before = new Date(now().getTime() - activityRetentionDays * DAY_MILLISECONDS);
    const rows = await deleteActivitiesBefore(store.db, before);
    if (rows > 0) log.info({ rows, before }, 'old activities were removed');
  },
};
