// Business time of an entity: weekdays less holidays, within the daily window, in the entity's zone.
// A clock answers in about constant time per question, however long the span: it keeps, for each calendar day it has
// met, when that day's window opens and closes in UTC, and counts the days between by arithmetic, less the holidays of
// the years between. Daylight saving only moves
// the window, so a business day always has the same length.
import { DateTime, IANAZone } from 'luxon';
import { StrataError } from '../errors.ts';
import { HOLIDAY_YEARS, holidaysOfYear } from './holidays.ts';
import { placeOf } from './place.ts';

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
/** Of what can be stored; see storable-seconds. */
const FIRST_MS = Date.parse('0001-01-03T00:00:00Z');
const LAST_MS = Date.parse('9999-12-29T00:00:00Z');

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
  /** Null until it is asked for: whoever wants the date alone does not wait for the holidays of the world. */
  isBusinessDay: boolean | null;
}

export function createBusinessClock(calendar: BusinessCalendar): BusinessClock {
  // The zone that entities begin with is known: a question makes Node load the dates and words of a language.
  if (calendar.zone !== 'UTC' && !IANAZone.isValidZone(calendar.zone)) {
    throw new StrataError(
      'invalid_parameter',
      `"${calendar.zone}" is not a time zone; expected an IANA name such as Europe/Berlin`,
    );
  }
  const place = placeOf(calendar.zone);
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

  /** Weekdays from day `from` to `to`, both inclusive, without a look at holidays. */
  function countWeekdays(from: number, to: number): number {
    if (to < from) return 0;
    const days = to - from + 1;
    let count = Math.floor(days / 7) * 5;
    for (let day = to - (days % 7) + 1; day <= to; day += 1) if (weekdayOf(day) < 5) count += 1;
    return count;
  }

  /** Numbers of the weekdays off of a year, in order. */
  const offByYear = new Map<number, readonly number[]>();
  function daysOffOf(year: number): readonly number[] {
    let off = offByYear.get(year);
    if (off === undefined) {
      isHoliday(`${String(year).padStart(4, '0')}-01-01`); // fills the year's set
      const dates = new Set([...(holidays.get(year) ?? []), ...calendar.extraHolidays]);
      off = [...dates]
        .filter((date) => Number(date.slice(0, 4)) === year)
        .map(dayNumberOf)
        .filter((day) => weekdayOf(day) < 5)
        .toSorted((x, y) => x - y);
      offByYear.set(year, off);
    }
    return off;
  }

  /** The same without holidays. Years without known holidays are passed over, so that no span takes long. */
  function countBusinessDaysBetween(from: number, to: number): number {
    const yearOf = (day: number): number => new Date(day * DAY_MS).getUTCFullYear();
    const last = Math.min(yearOf(to), HOLIDAY_YEARS.last);
    let count = countWeekdays(from, to);
    for (let year = Math.max(yearOf(from), HOLIDAY_YEARS.first); year <= last; year += 1) {
      for (const day of daysOffOf(year)) if (day >= from && day <= to) count -= 1;
    }
    return count;
  }

  function countBusinessDays(first: string, last: string, daysOff?: ReadonlySet<string>): number {
    const from = dayNumberOf(first);
    const to = dayNumberOf(last);
    if (to < from) return 0;
    let count = countBusinessDaysBetween(from, to);
    for (const date of daysOff ?? []) if (date >= first && date <= last && isBusinessDay(date)) count -= 1;
    return count;
  }

  const midnights = new Map<number, number>();
  function midnightOf(day: number): number {
    let midnight = midnights.get(day);
    if (midnight === undefined) {
      midnight = DateTime.fromISO(dateOfDayNumber(day), place).toMillis();
      midnights.set(day, midnight);
    }
    return midnight;
  }

  const isCounted = (day: number): boolean => weekdayOf(day) < 5 && !isHoliday(dateOfDayNumber(day));

  const days = new Map<number, Day>();
  function dayNumbered(number: number): Day {
    let day = days.get(number);
    if (day === undefined) {
      const midnight = DateTime.fromISO(dateOfDayNumber(number), place);
      // 24:00 is the next day's midnight, which luxon's set() reaches by overflow.
      const at = (minute: number): number =>
        midnight.set({ hour: Math.floor(minute / 60), minute: minute % 60 }).toMillis();
      day = {
        number,
        begins: midnightOf(number),
        ends: midnightOf(number + 1),
        opensAt: at(calendar.opensAtMinute),
        closesAt: at(calendar.closesAtMinute),
        isBusinessDay: null,
      };
      days.set(number, day);
    }
    return day;
  }

  let offsetMs = 0;
  /** The local calendar day of an instant, found from the last one's distance to UTC. */
  function dayAt(given: number): Day {
    const ms = Math.min(Math.max(given, FIRST_MS), LAST_MS);
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
    const isWorked = (day: Day): boolean => {
      day.isBusinessDay ??= isCounted(day.number);
      return day.isBusinessDay && !off?.has(dateOfDayNumber(day.number));
    };
    if (first === last)
      return isWorked(first) ? Math.floor(minutesBefore(first, toMs) - minutesBefore(first, fromMs)) : 0;
    let minutes = 0;
    if (isWorked(first)) minutes += minutesPerDay - minutesBefore(first, fromMs);
    if (isWorked(last)) minutes += minutesBefore(last, toMs);
    let between = countBusinessDaysBetween(first.number + 1, last.number - 1);
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
