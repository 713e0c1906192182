// Days, weeks and months of a range, and how they are written. All dates are `YYYY-MM-DD` of the entity.
import type { IntervalName } from '../domain/segments.ts';

export interface DateRange {
  readonly from: string;
  readonly to: string;
}

export interface Interval {
  /** What the database groups by: first day of the whole day, week or month. */
  readonly key: string;
  /** The part of it that lies in the range, both inclusive. */
  readonly start: string;
  readonly end: string;
  /** Last day of the whole interval. */
  readonly wholeEnd: string;
}

const DAY_MS = 86_400_000;
const MOST_DAILY_DAYS = 45;
const MOST_WEEKLY_DAYS = 200;

/** A report names the same few hundred dates again and again, and finding one is far cheaper than writing it. */
const MOST_DATES = 50_000;
const datesByDay = new Map<number, string>();
const daysByDate = new Map<string, number>();

export function dayNumber(date: string): number {
  let day = daysByDate.get(date);
  if (day === undefined) {
    day = Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
    if (daysByDate.size >= MOST_DATES) daysByDate.clear();
    daysByDate.set(date, day);
  }
  return day;
}

export function dateOfDay(day: number): string {
  let date = datesByDay.get(day);
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    if (datesByDay.size >= MOST_DATES) datesByDay.clear();
    datesByDay.set(day, date);
  }
  return date;
}

export const addDays = (date: string, days: number): string => dateOfDay(dayNumber(date) + days);
export const daysIn = ({ from, to }: DateRange): number => dayNumber(to) - dayNumber(from) + 1;

export const intervalFor = (range: DateRange): IntervalName =>
  daysIn(range) <= MOST_DAILY_DAYS ? 'daily' : daysIn(range) <= MOST_WEEKLY_DAYS ? 'weekly' : 'monthly';

/** Monday of the date's ISO week. */
export const weekOf = (date: string): string => addDays(date, -((((dayNumber(date) + 3) % 7) + 7) % 7));

function wholeInterval(date: string, name: IntervalName, startsOnSunday: boolean): { first: string; last: string } {
  if (name === 'daily') return { first: date, last: date };
  if (name === 'weekly') {
    const first = startsOnSunday ? addDays(weekOf(addDays(date, 1)), -1) : weekOf(date);
    return { first, last: addDays(first, 6) };
  }
  const first = `${date.slice(0, 7)}-01`;
  // No month has more than 31 days: 31 after the first lies in the next one, whose first is a day too far.
  return { first, last: addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1) };
}

/** Days are compared as numbers, and each step goes on by one at least: no range makes more intervals than it has days. */
export function intervalsOf(range: DateRange, name: IntervalName, startsOnSunday: boolean): Interval[] {
  const intervals: Interval[] = [];
  const to = dayNumber(range.to);
  for (let day = dayNumber(range.from); day <= to; ) {
    const start = dateOfDay(day);
    const { first, last } = wholeInterval(start, name, startsOnSunday);
    const lastDay = dayNumber(last);
    intervals.push({ key: first, start, end: lastDay > to ? range.to : last, wholeEnd: last });
    day = Math.max(day, lastDay) + 1;
  }
  return intervals;
}

/** Every date of a range. */
export const datesOf = ({ from, to }: DateRange): string[] =>
  Array.from({ length: Math.max(0, dayNumber(to) - dayNumber(from) + 1) }, (_, index) => addDays(from, index));

/** The whole range as one interval: for totals, which ratios and distinct counts need from the parts. */
export const wholeRange = ({ from, to }: DateRange): Interval => ({ key: from, start: from, end: to, wholeEnd: to });

/**
 * The ISO weeks that belong to an interval: those whose Thursday lies in it. Where the range cuts them all off, the week
 * whose Thursday the whole interval has: of a month that began on a Saturday and is four days old, not that Saturday's.
 */
export function weeksOf({ key, start, end, wholeEnd }: Interval): string[] {
  const touched: string[] = [];
  const last = dayNumber(end);
  for (let day = dayNumber(weekOf(start)); day <= last; day += 7) touched.push(dateOfDay(day));
  const withThursdayIn = (from: string, to: string): string[] =>
    touched.filter((week) => addDays(week, 3) >= from && addDays(week, 3) <= to);
  const own = withThursdayIn(start, end);
  if (own.length > 0) return own;
  const cut = withThursdayIn(key, wholeEnd);
  return cut.length > 0 ? cut : touched.slice(0, 1);
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

interface ReadDate {
  readonly year: number;
  readonly month: string;
  readonly day: number;
}

const read = (date: string): ReadDate => {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return { year, month: MONTHS[month - 1]!, day };
};

export function labelOf({ key, start, end }: Interval, name: IntervalName): string {
  const first = read(start);
  const last = read(end);
  if (name === 'daily') return `${first.month} ${first.day}`;
  if (name === 'monthly') return `${read(key).month} ${read(key).year}`;
  if (start === end) return `${first.month} ${first.day}, ${first.year}`;
  if (first.year !== last.year) {
    return `${first.month} ${first.day}, ${first.year} - ${last.month} ${last.day}, ${last.year}`;
  }
  if (first.month !== last.month) return `${first.month} ${first.day} - ${last.month} ${last.day}, ${last.year}`;
  return `${first.month} ${first.day} - ${last.day}, ${last.year}`;
}
