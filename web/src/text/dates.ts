// Days as the wire has them, `2026-09-14`, and as people read them. A day has no time and no zone; the one
// place where a zone matters is what "today" means, and the entity decides that, not the browser.

const DAY_MILLISECONDS = 86_400_000;

export const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

const parse = (day: string): Date => new Date(`${day}T00:00:00Z`);
const write = (date: Date): string => date.toISOString().slice(0, 10);

/** Whether the text is a day of the calendar: `2026-02-30` is not. */
export const isDay = (text: string): boolean =>
  DAY_PATTERN.test(text) && !Number.isNaN(parse(text).getTime()) && write(parse(text)) === text;

export const addDays = (day: string, count: number): string =>
  write(new Date(parse(day).getTime() + count * DAY_MILLISECONDS));

/** The 31st goes to the last day of a shorter month. */
export function addMonths(day: string, count: number): string {
  const date = parse(day);
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1));
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return write(target);
}

/** Both ends included. */
export const countDays = (start: string, end: string): number =>
  Math.round((parse(end).getTime() - parse(start).getTime()) / DAY_MILLISECONDS) + 1;

const UTC_NAMES = ['UTC', 'Etc/UTC'];

/** Making one takes longer than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The day it is in a zone; `now` is a moment. */
export function dayInZone(now: Date, zone: string): string {
  if (UTC_NAMES.includes(zone)) return write(now);
  let format = dayFormats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    dayFormats.set(zone, format);
  }
  return format.format(now);
}

// Written out here: a browser's first formatter of dates costs more time than the first chart's drawing.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

const monthOnly = (day: string): string => MONTHS[Number(day.slice(5, 7)) - 1]!;
const monthYear = (day: string): string => `${monthOnly(day)} ${Number(day.slice(0, 4))}`;
const dayMonth = (day: string): string => `${Number(day.slice(8, 10))} ${monthOnly(day)}`;
const dayMonthYear = (day: string): string => `${dayMonth(day)} ${Number(day.slice(0, 4))}`;
const weekdayDay = (day: string): string => `${WEEKDAYS[parse(day).getUTCDay()]!} ${dayMonth(day)}`;

const isWholeMonth = (start: string, end: string): boolean =>
  start.endsWith('-01') && start.slice(0, 7) === end.slice(0, 7) && addDays(end, 1).endsWith('-01');

/** `14–20 Sep`, `28 Sep – 4 Oct`, `Sep 2026`, with the year where it is not the reader's own. */
export function formatInterval(start: string, end: string, today: string): string {
  const isThisYear = start.slice(0, 4) === today.slice(0, 4) && end.slice(0, 4) === today.slice(0, 4);
  if (start === end) return isThisYear ? weekdayDay(start) : dayMonthYear(start);
  if (isWholeMonth(start, end)) return monthYear(start);
  if (start.slice(0, 4) !== end.slice(0, 4)) return `${dayMonthYear(start)} – ${dayMonthYear(end)}`;
  const last = isThisYear ? dayMonth(end) : dayMonthYear(end);
  return start.slice(0, 7) === end.slice(0, 7) ? `${Number(start.slice(8))}–${last}` : `${dayMonth(start)} – ${last}`;
}

export const formatDay = (day: string): string => dayMonthYear(day);

/**
 * For axes: a month's name or a day, with the year where it is not that of `before`: the day of the label before, or of
 * today in front of the first. Null: it stands alone.
 */
export function formatTick(day: string, interval: 'daily' | 'weekly' | 'monthly', before: string | null): string {
  const isSameYear = before !== null && before.slice(0, 4) === day.slice(0, 4);
  if (interval === 'monthly') return isSameYear ? monthOnly(day) : monthYear(day);
  return isSameYear ? dayMonth(day) : dayMonthYear(day);
}

const UNITS: readonly { readonly one: string; readonly many: string; readonly seconds: number }[] = [
  { one: 'yr', many: 'yr', seconds: 31_536_000 },
  { one: 'mo', many: 'mo', seconds: 2_592_000 },
  { one: 'day', many: 'days', seconds: 86_400 },
  { one: 'hr', many: 'hr', seconds: 3_600 },
  { one: 'min', many: 'min', seconds: 60 },
];

/** `12 min ago`, `in 3 days`; `just now` within a minute. */
export function formatRelative(moment: string, now: Date): string {
  const seconds = (new Date(moment).getTime() - now.getTime()) / 1000;
  const unit = UNITS.find((each) => Math.abs(seconds) >= each.seconds);
  if (unit === undefined) return 'just now';
  const count = Math.trunc(Math.abs(seconds) / unit.seconds);
  const words = `${count} ${count === 1 ? unit.one : unit.many}`;
  return seconds < 0 ? `${words} ago` : `in ${words}`;
}

/** One for each zone: a list has a moment in every row. */
const zoneFormats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const known = zoneFormats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  zoneFormats.set(zone, format);
  return format;
}

/** A moment in the entity's zone: `16 Sep 2026, 14:05`. */
export function formatMoment(moment: string, zone: string): string {
  if (!UTC_NAMES.includes(zone)) return zoneFormat(zone).format(new Date(moment)).replace('Sept', 'Sep');
  const written = new Date(moment).toISOString();
  return `${dayMonthYear(written.slice(0, 10))}, ${written.slice(11, 16)}`;
}

/** The day of a moment that the API wrote for people: `October 12, 2026 9:00 AM UTC`. Null where it is none. */
export function dayOfWords(words: string): string | null {
  const written = /^[A-Z][a-z]+ \d{1,2}, \d{4}/.exec(words)?.[0];
  const date = new Date(`${written} UTC`);
  return written === undefined || Number.isNaN(date.getTime()) ? null : write(date);
}
