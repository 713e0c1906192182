// Business time of an entity: weekdays less holidays, within the daily window, in the entity's zone.
// A clock answers in constant time per question: it keeps, for each calendar day it has met, when that
// day's window opens and closes in UTC and how many minutes lie before it. Daylight saving only moves
// the window, so a business day always has the same length.
import { DateTime, IANAZone } from 'luxon';
import { StrataError } from '../errors.ts';
import { holidaysOfYear } from './holidays.ts';

export interface BusinessCalendar {
  /** IANA zone name. */
  readonly zone: string;
  /** Minutes after local midnight. */
  readonly opensAtMinute: number;
  readonly closesAtMinute: number;
  /** "US", "DE-BY", "none", … */
  readonly holidayCalendar: string;
  /** Further days off, YYYY-MM-DD. */
  readonly extraHolidays: readonly string[];
}

export interface BusinessClock {
  readonly calendar: BusinessCalendar;
  /** Length of one business day in minutes. */
  readonly minutesPerDay: number;
  /** Whole business minutes in [fromMs, toMs); 0 when toMs is not later. `daysOff` are further YYYY-MM-DD. */
  minutesBetween(fromMs: number, toMs: number, daysOff?: ReadonlySet<string>): number;
  /** The entity's calendar date of an instant. */
  dateOf(ms: number): string;
  /** The instant at which a date of the entity begins. */
  startOf(date: string): number;
  /** Monday to Friday and no holiday. */
  isBusinessDay(date: string): boolean;
  /** Business days from `first` to `last`, both inclusive. */
  countBusinessDays(first: string, last: string, daysOff?: ReadonlySet<string>): number;
}

const DAY_MS = 86_400_000;

const dayNumberOf = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
const dateOfDayNumber = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
/** 1970-01-01 was a Thursday; Monday is 0. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** What is worked out once about a calendar day; moments in Unix milliseconds. */
interface Day {
  /** Since 1970-01-01. */
  readonly number: number;
  readonly begins: number;
  readonly ends: number;
  readonly opensAt: number;
  readonly closesAt: number;
  readonly isBusinessDay: boolean;
}

export function createBusinessClock(calendar: BusinessCalendar): BusinessClock {
  if (!IANAZone.isValidZone(calendar.zone)) {
    throw new StrataError(
      'invalid_parameter',
      `"${calendar.zone}" is not a time zone; expected an IANA name such as Europe/Berlin`,
    );
  }
  const minutesPerDay = calendar.closesAtMinute - calendar.opensAtMinute;
  if (minutesPerDay <= 0) {
    throw new StrataError('invalid_parameter', 'business hours must close later than they open');
  }
  const extra = new Set(calendar.extraHolidays);
  const holidays = new Map<number, ReadonlySet<string>>();

  function isHoliday(date: string): boolean {
    if (extra.has(date)) return true;
    const year = Number(date.slice(0, 4));
    let ofYear = holidays.get(year);
    if (!ofYear) {
      ofYear = new Set(holidaysOfYear(calendar.holidayCalendar, year));
      holidays.set(year, ofYear);
    }
    return ofYear.has(date);
  }

  const isBusinessDay = (date: string): boolean => weekdayOf(dayNumberOf(date)) < 5 && !isHoliday(date);

  function countBusinessDays(first: string, last: string, daysOff?: ReadonlySet<string>): number {
    const from = dayNumberOf(first);
    const to = dayNumberOf(last);
    if (to < from) return 0;
    const days = to - from + 1;
    let count = Math.floor(days / 7) * 5;
    for (let day = from + Math.floor(days / 7) * 7; day <= to; day++) if (weekdayOf(day) < 5) count++;
    const off = new Set<string>();
    for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year++) {
      isHoliday(`${year}-01-01`); // fills the year's set
      for (const date of holidays.get(year) ?? []) off.add(date);
    }
    for (const date of extra) off.add(date);
    for (const date of daysOff ?? []) off.add(date);
    for (const date of off) if (date >= first && date <= last && weekdayOf(dayNumberOf(date)) < 5) count--;
    return count;
  }

  const midnights = new Map<number, number>();
  function midnightOf(day: number): number {
    let midnight = midnights.get(day);
    if (midnight === undefined) {
      midnight = DateTime.fromISO(dateOfDayNumber(day), { zone: calendar.zone }).toMillis();
      midnights.set(day, midnight);
    }
    return midnight;
  }

  // Business days before each day, counted from the first one that was asked for.
  const counts = new Map<number, number>();
  let lowest = Number.NaN;
  let highest = Number.NaN;
  const isCounted = (day: number): boolean => weekdayOf(day) < 5 && !isHoliday(dateOfDayNumber(day));
  function businessDaysBefore(day: number): number {
    if (Number.isNaN(lowest)) {
      lowest = day;
      highest = day;
      counts.set(day, 0);
    }
    for (; highest < day; highest += 1) counts.set(highest + 1, counts.get(highest)! + Number(isCounted(highest)));
    for (; lowest > day; lowest -= 1) counts.set(lowest - 1, counts.get(lowest)! - Number(isCounted(lowest - 1)));
    return counts.get(day)!;
  }

  const days = new Map<number, Day>();
  function dayNumbered(number: number): Day {
    let day = days.get(number);
    if (day === undefined) {
      const midnight = DateTime.fromISO(dateOfDayNumber(number), { zone: calendar.zone });
      // 24:00 is the next day's midnight, which luxon's set() reaches by overflow.
      const at = (minute: number): number =>
        midnight.set({ hour: Math.floor(minute / 60), minute: minute % 60 }).toMillis();
      day = {
        number,
        begins: midnightOf(number),
        ends: midnightOf(number + 1),
        opensAt: at(calendar.opensAtMinute),
        closesAt: at(calendar.closesAtMinute),
        isBusinessDay: isCounted(number),
      };
      days.set(number, day);
    }
    return day;
  }

  let offsetMs = 0;
  /** The local calendar day of an instant, found from the last one's distance to UTC. */
  function dayAt(ms: number): Day {
    let day = dayNumbered(Math.floor((ms + offsetMs) / DAY_MS));
    while (ms < day.begins) day = dayNumbered(day.number - 1);
    while (ms >= day.ends) day = dayNumbered(day.number + 1);
    offsetMs = day.number * DAY_MS - day.begins;
    return day;
  }

  /** Minutes of the day's window that lie before `ms`, as a real number. */
  function minutesBefore({ opensAt, closesAt }: Day, ms: number): number {
    if (ms <= opensAt) return 0;
    if (ms >= closesAt) return minutesPerDay;
    // Where a clock change falls inside the window, scale so that the day keeps its length.
    return ((ms - opensAt) / (closesAt - opensAt)) * minutesPerDay;
  }

  function minutesBetween(fromMs: number, toMs: number, daysOff?: ReadonlySet<string>): number {
    if (!(toMs > fromMs)) return 0;
    const first = dayAt(fromMs);
    const last = dayAt(toMs);
    const off = daysOff !== undefined && daysOff.size > 0 ? daysOff : null;
    const isWorked = (day: Day): boolean => day.isBusinessDay && !off?.has(dateOfDayNumber(day.number));
    if (first === last)
      return isWorked(first) ? Math.floor(minutesBefore(first, toMs) - minutesBefore(first, fromMs)) : 0;
    let minutes = 0;
    if (isWorked(first)) minutes += minutesPerDay - minutesBefore(first, fromMs);
    if (isWorked(last)) minutes += minutesBefore(last, toMs);
    let between = businessDaysBefore(last.number) - businessDaysBefore(first.number + 1);
    for (const date of off ?? []) {
      const day = dayNumberOf(date);
      if (day > first.number && day < last.number && isCounted(day)) between -= 1;
    }
    return Math.floor(minutes + between * minutesPerDay + 1e-9);
  }

  const dateOf = (ms: number): string => dateOfDayNumber(dayAt(ms).number);
  const startOf = (date: string): number => midnightOf(dayNumberOf(date));

  return { calendar, minutesPerDay, minutesBetween, dateOf, startOf, isBusinessDay, countBusinessDays };
}
