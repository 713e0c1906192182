// Which dates are taken, from whatever call or command: from 1970 until ten years from now, after the zone is applied.
// A date beyond is a slip or an attack: loops over its days would never end, and some cannot be stored or shown.
import { isCalendarDate } from './calendar-date.ts';

const YEARS_AHEAD = 10;
const EARLIEST_DATE = '1970-01-01';
/** Ends "expected a date …". */
export const ACCEPTED_DATES = `from 1970 to ${YEARS_AHEAD} years from now`;

const latestDate = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear() + YEARS_AHEAD, now.getUTCMonth(), now.getUTCDate()))
    .toISOString()
    .slice(0, 10);

/** Whether a text is a day that exists, as YYYY-MM-DD, and is taken. */
export const isAcceptedDate = (text: string, now: Date): boolean =>
  isCalendarDate(text) && text >= EARLIEST_DATE && text <= latestDate(now);

/** Whether a moment is taken: on the last day that is, everywhere on earth. */
export const isAcceptedInstant = (moment: Date, now: Date): boolean =>
  moment.getTime() >= 0 &&
  moment.getTime() <= Date.UTC(now.getUTCFullYear() + YEARS_AHEAD, now.getUTCMonth(), now.getUTCDate() + 1);
