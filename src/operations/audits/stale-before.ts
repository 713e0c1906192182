// The last moment from which enough business days have passed for an open pull request to be stale.
import { STALE_BUSINESS_DAYS } from '../../domain/audit-types.ts';
import type { BusinessClock } from '../../domain/calendar/business-time.ts';

const MINUTE_MS = 60_000;
/** Ten business days are never further back than this, whatever the holidays. */
const FURTHEST_MINUTES = 366 * 24 * 60;

/** Whole minutes; found by halving, because business time never runs backwards. */
export function staleBefore(clock: BusinessClock, now: Date): Date {
  const needed = STALE_BUSINESS_DAYS * clock.minutesPerDay;
  const isEnough = (minutesAgo: number): boolean =>
    clock.minutesBetween(now.getTime() - minutesAgo * MINUTE_MS, now.getTime()) >= needed;
  let tooFew = 0;
  let enough = FURTHEST_MINUTES;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return new Date(now.getTime() - enough * MINUTE_MS);
}
