// `--since`: the beginning of the window, as seconds since 1970; null for the whole history.

import { StrataError } from '../errors.ts';
import { ACCEPTED_DATES, isAcceptedInstant } from './accepted-dates.ts';
import { isCalendarDate } from './calendar-date.ts';

const DAY_MS = 86_400_000;
const SPAN_DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };

/** No commit is from before 1970. */
const beginning = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

export function parseSince(text: string, nowMs: number): number | null {
  if (text === 'all') return null;
  const span = /^(\d{1,5})([dwmy])$/.exec(text);
  if (span) return beginning(nowMs - Number(span[1]) * SPAN_DAYS[span[2]!]! * DAY_MS);
  const isDated = isCalendarDate(text.slice(0, 10)) && (text.length === 10 || text[10] === 'T');
  const at = isDated ? Date.parse(text) : Number.NaN;
  if (isAcceptedInstant(new Date(at), new Date(nowMs))) return beginning(at);
  throw new StrataError(
    'invalid_parameter',
    `--since: ${JSON.stringify(text)} is not accepted; give all, a date ${ACCEPTED_DATES} such as 2024-01-31, or a span such as 90d, 12w, 6m, 1y.`,
    { errors: { '--since': ['give all, a date or a span'] } },
  );
}
