// What an answer's headers say about limits: how long to wait, and what is left. Hosts write times as seconds from now,
// as seconds since 1970, as ISO 8601 and as HTTP dates.
import type { BudgetReading } from '../../domain/collect/stream.ts';

/** A number below this is a time from now, one above a time since 1970. */
const SMALLEST_EPOCH = 1_000_000_000;
const MOST_WAIT_SECONDS = 86_400;

function readMoment(text: string | null, now: Date): Date | null {
  if (text === null || text.trim() === '') return null;
  const number = Number(text);
  const milliseconds = Number.isFinite(number)
    ? number < SMALLEST_EPOCH
      ? now.getTime() + number * 1000
      : number * 1000
    : Date.parse(text);
  if (!Number.isFinite(milliseconds)) return null;
  return new Date(Math.min(milliseconds, now.getTime() + MOST_WAIT_SECONDS * 1000));
}

/** Null where it is absent or asks for no wait: some products send 0 with every answer. */
export function readRetryAfter(headers: Headers, now: Date): Date | null {
  const at = readMoment(headers.get('retry-after'), now);
  return at === null || at.getTime() <= now.getTime() ? null : at;
}

export const readReset = (headers: Headers, now: Date): Date | null =>
  readMoment(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset'), now);

const readNumber = (text: string | null): number | null => {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isInteger(number) ? number : null;
};

/** Null where the answer says nothing. A limit of 0 is no limit. */
export function readBudget(resource: string, headers: Headers, now: Date): BudgetReading | null {
  const quota = readNumber(headers.get('x-ratelimit-limit') ?? headers.get('ratelimit-limit'));
  const remaining = readNumber(headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining'));
  const wait_until = readRetryAfter(headers, now);
  if (quota === null && remaining === null && wait_until === null) return null;
  return {
    resource: headers.get('x-ratelimit-resource') ?? resource,
    quota: quota === 0 ? null : quota,
    remaining: quota === 0 ? null : remaining,
    reset_at: readReset(headers, now),
    wait_until,
  };
}

/** The host's clock. */
export function readHostTime(headers: Headers): Date | null {
  const milliseconds = Date.parse(headers.get('date') ?? '');
  return Number.isFinite(milliseconds) ? new Date(milliseconds) : null;
}
