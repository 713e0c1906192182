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

/** Whether a text is a date that exists, as YYYY-MM-DD; one that does not is read as a later one, or as none. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The next day, as YYYY-MM-DD. */
export const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_SECONDS * 1000).toISOString().slice(0, 10);
