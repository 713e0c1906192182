// The calendar date that it is now for an entity.
import { dateIn } from '../domain/calendar/calendar-date.ts';

/** `YYYY-MM-DD`. */
export const todayOf = (now: Date, timeZone: string): string => dateIn(Math.floor(now.getTime() / 1000), timeZone);
