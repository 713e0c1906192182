// What has happened has a time that has come. Clocks differ a little: so much is let pass.
import { StrataError } from '../errors.ts';

const SKEW_MS = 5 * 60_000;

/** Throws unprocessable, by field, for a time that has not come. */
export function requirePast(times: Readonly<Record<string, Date | undefined>>, now: Date): void {
  for (const [field, time] of Object.entries(times)) {
    if (time === undefined || time.getTime() <= now.getTime() + SKEW_MS) continue;
    const message = `${time.toISOString()} is in the future; expected a time that has come (now: ${now.toISOString()})`;
    throw new StrataError('unprocessable', `${field}: ${message}`, { errors: { [field]: [message] } });
  }
}

const DAY_MS = 86_400_000;

/** The same by the UTC day of each time: a day that has come somewhere may be named as a whole. */
export function requirePastDay(times: Readonly<Record<string, Date>>, now: Date): void {
  const starts = Object.entries(times).map(([field, time]) => [
    field,
    new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS),
  ]);
  requirePast(Object.fromEntries(starts), now);
}
