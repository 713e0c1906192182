// Removes answers of hosts that were kept for long enough.
import { removeRawAnswers } from '../../storage/collect/raw-answers.ts';
import type { Task } from '../task.ts';

const DAY_MS = 86_400_000;

export const sweepCollected: Task<'sweep_collected'> = {
  description: 'Removes answers of code hosts that were kept for long enough.',
  cron: { pattern: '17 3 * * *', payload: {} },
  async run(_payload, { log }, { store, rawAnswerDays = 0, now }) {
    const removed = await removeRawAnswers(store.db, new Date(now().getTime() - rawAnswerDays * DAY_MS));
    if (removed > 0) log.info({ removed }, 'removed old answers of code hosts');
  },
};
