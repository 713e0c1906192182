// Dates as people of a time zone write them.

const DAY_SECONDS = 86_400;
const formats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD` of a moment in seconds since 1970. */
export function dateIn(seconds: number, timeZone: string): string {
  const clamped = Math.min(Math.max(seconds, -62_135_596_800), 253_402_300_799 - DAY_SECONDS);
  if (timeZone === 'UTC') return new Date(clamped * 1000).toISOString().slice(0, 10);
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(clamped * 1000);
}
