// Removes what nobody will look at again.
import { removeProgressBefore } from '../storage/queue/job-progress.ts';
import type { Task } from './task.ts';

const PROGRESS_KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

export const housekeeping: Task<'housekeeping'> = {
  description: `Removes the progress of jobs that last moved more than ${PROGRESS_KEPT_DAYS} days ago.`,
  cron: { pattern: '17 * * * *', payload: {} },
  async run(_payload, { log }, { store, now }) {
    const removed = await removeProgressBefore(store.db, new Date(now().getTime() - PROGRESS_KEPT_DAYS * DAY_MS));
    log.info({ progress_rows: removed }, 'housekeeping is done');
  },
};
