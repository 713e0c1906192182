// A moment as the wire writes it: ISO 8601 in UTC, to the second.

/** Further from 1970 than this, a Date has no value. */
const LIMIT_SECONDS = 8.64e12;

export function isoTime(seconds: number): string {
  const shown = Math.max(-LIMIT_SECONDS, Math.min(LIMIT_SECONDS, seconds));
  return new Date(shown * 1000).toISOString().replace('.000Z', 'Z');
}
