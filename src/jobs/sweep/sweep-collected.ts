// Once a day: removes answers of hosts that were kept for long enough, and warns of tokens that end.

import { daysLeft, expiryWarning, WARN_DAYS } from '../../domain/collect/token-expiry.ts';
import { removeDeliveries } from '../../storage/collect/hooks.ts';
import { listExpiringTokens } from '../../storage/collect/overview.ts';
import { removeRawAnswers } from '../../storage/collect/raw-answers.ts';
import type { Task } from '../task.ts';

const DAY_MS = 86_400_000;
/** Hosts send a delivery again within days, not weeks. */
const DELIVERY_DAYS = 7;

export const sweepCollected: Task<'sweep_collected'> = {
  description: 'Removes answers of code hosts that were kept for long enough.',
  cron: { pattern: '17 3 * * *', payload: {} },
  async run(_payload, { log }, { store, rawAnswerDays = 0, now }) {
    const removed = await removeRawAnswers(store.db, new Date(now().getTime() - rawAnswerDays * DAY_MS));
    await removeDeliveries(store.db, new Date(now().getTime() - DELIVERY_DAYS * DAY_MS));
    const soon = new Date(now().getTime() + (Math.max(...WARN_DAYS) + 1) * DAY_MS);
    for (const { token_expires_at, ...token } of await listExpiringTokens(store.db, soon)) {
      const days = daysLeft(token_expires_at, now());
      // Two weeks before, and daily at the end.
      if (days === WARN_DAYS[0] || (days !== null && days <= WARN_DAYS[1])) log.warn(token, expiryWarning(days));
    }
    if (removed > 0) log.info({ removed }, 'removed old answers of code hosts');
  },
};
