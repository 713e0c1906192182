// The one reader of hosts' times: ISO 8601 with any offset, or milliseconds since 1970. Dates that stand for
// "never" are null.

const EARLIEST_MS = Date.UTC(1971, 0, 1);
const LATEST_MS = Date.UTC(9000, 0, 1);

/** Null where there is none, also for the far past and future that some hosts write in place of none. */
export function readTime(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  const milliseconds = typeof value === 'number' ? value : Date.parse(value);
  if (!Number.isFinite(milliseconds) || milliseconds < EARLIEST_MS || milliseconds > LATEST_MS) return null;
  return new Date(milliseconds).toISOString();
}

/** Where the host's description promises a time. */
export function needTime(value: string | number | null | undefined, what: string): string {
  const time = readTime(value);
  if (time === null) throw new Error(`the host gives no time for ${what}`);
  return time;
}
