// `since`: the beginning of the window, as seconds since 1970; null for the whole history.

import { StrataError } from '../errors.ts';

const DAY_MS = 86_400_000;
const SPAN_DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };

export interface SinceOptions {
  readonly now: Date;
  /** Of dates that name none. */
  readonly zone: string;
  /** As the caller knows it. */
  readonly name: 'since' | '--since';
}

/** No commit is from before 1970. */
const beginning = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

export async function parseSince(text: string, { now, zone, name }: SinceOptions): Promise<number | null> {
  if (text === 'all') return null;
  const span = /^(\d{1,5})([dwmy])$/.exec(text);
  const days = span && Number(span[1]) * SPAN_DAYS[span[2]!]!;
  const at = days === null ? await readDate(text, zone) : new Date(now.getTime() - days * DAY_MS);
  // From now on nothing would be imported, and what is known already would seem to begin then.
  if (at === null || at >= now || (days === null && at.getTime() < 0)) {
    const message = `${JSON.stringify(text)} is not accepted; give all, a date in the past from 1970 on such as 2024-01-31, or a span such as 90d, 12w, 6m, 1y`;
    throw new StrataError('invalid_parameter', `${name}: ${message}`, { errors: { [name]: [message] } });
  }
  return beginning(at.getTime());
}

/** A span needs no library of time zones: commands with one do not wait for it. */
async function readDate(text: string, zone: string): Promise<Date | null> {
  const { readIsoTime } = await import('./read-iso-time.ts');
  return readIsoTime(text.trim(), zone) ?? null;
}
