// Times as people read them, in the entity's zone.
import { DateTime } from 'luxon';

const inZone = (time: string, zone: string): DateTime => DateTime.fromISO(time, { zone }).setLocale('en-US');

/** October 5, 2026 9:00 AM UTC */
export const humanTime = (time: string, zone: string): string =>
  inZone(time, zone).toFormat('MMMM d, yyyy h:mm a ZZZZ');

/** Oct 5, 2026 */
export const shortDate = (time: string, zone: string): string => inZone(time, zone).toFormat('LLL d, yyyy');

/** 3 days ago */
export const timeInWords = (time: string, now: Date): string =>
  DateTime.fromISO(time)
    .setLocale('en-US')
    .toRelative({ base: DateTime.fromJSDate(now) }) ?? '';
