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
