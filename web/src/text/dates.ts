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

/** The day it is in a zone; `now` is a moment. */
export function dayInZone(now: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return parts.format(now);
}

const text = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (day: string): string => format.format(parse(day)).replace('Sept', 'Sep');
};
const dayMonth = text({ day: 'numeric', month: 'short' });
const dayMonthYear = text({ day: 'numeric', month: 'short', year: 'numeric' });
const monthYear = text({ month: 'short', year: 'numeric' });
const monthOnly = text({ month: 'short' });
const weekdayDay = text({ weekday: 'short', day: 'numeric', month: 'short' });

const isWholeMonth = (start: string, end: string): boolean =>
  start.endsWith('-01') && start.slice(0, 7) === end.slice(0, 7) && addDays(end, 1).endsWith('-01');

/** `14–20 Sep`, `28 Sep – 4 Oct`, `Sep 2026`, with the year where it is not the reader's own. */
export function formatInterval(start: string, end: string, today: string): string {
  const isThisYear = start.slice(0, 4) === today.slice(0, 4) && end.slice(0, 4) === today.slice(0, 4);
  if (start === end) return isThisYear ? weekdayDay(start).replace(',', '') : dayMonthYear(start);
  if (isWholeMonth(start, end)) return monthYear(start);
  if (start.slice(0, 4) !== end.slice(0, 4)) return `${dayMonthYear(start)} – ${dayMonthYear(end)}`;
  const last = isThisYear ? dayMonth(end) : dayMonthYear(end);
  return start.slice(0, 7) === end.slice(0, 7) ? `${Number(start.slice(8))}–${last}` : `${dayMonth(start)} – ${last}`;
}

export const formatDay = (day: string): string => dayMonthYear(day);

/** For axes: a month's name, a day, and the year where it begins. */
export function formatTick(day: string, interval: 'daily' | 'weekly' | 'monthly', isFirst: boolean): string {
  if (interval === 'monthly') return isFirst || day.slice(5, 7) === '01' ? monthYear(day) : monthOnly(day);
  return isFirst ? dayMonth(day) : dayMonth(day);
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** `12 min. ago`, `in 3 days`; `just now` within a minute. */
export function formatRelative(moment: string, now: Date): string {
  const seconds = (new Date(moment).getTime() - now.getTime()) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit).replace('.', '');
  }
  return 'just now';
}

/** A moment in the entity's zone: `16 Sep 2026, 14:05`. */
export const formatMoment = (moment: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
    .format(new Date(moment))
    .replace('Sept', 'Sep');

/** The day of a moment that the API wrote for people: `October 12, 2026 9:00 AM UTC`. Null where it is none. */
export function dayOfWords(words: string): string | null {
  const written = /^[A-Z][a-z]+ \d{1,2}, \d{4}/.exec(words)?.[0];
  const date = new Date(`${written} UTC`);
  return written === undefined || Number.isNaN(date.getTime()) ? null : write(date);
}
