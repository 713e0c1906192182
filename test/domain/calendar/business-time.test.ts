import { DateTime } from 'luxon';
import { describe, expect, it, vi } from 'vitest';
import { type BusinessCalendar, createBusinessClock } from '../../../src/domain/calendar/business-time.ts';
import { holidaysOfYear, isHolidayCalendar } from '../../../src/domain/calendar/holidays.ts';
import { DEFAULT_BUSINESS_CALENDAR } from '../../support/default-business-calendar.ts';

const calendar = (change: Partial<BusinessCalendar>): BusinessCalendar => ({ ...DEFAULT_BUSINESS_CALENDAR, ...change });
const at = (text: string, zone = 'UTC'): number => DateTime.fromISO(text, { zone }).toMillis();

/** The rule again, the slow way: look at every minute. */
function minutesByCounting(rules: BusinessCalendar, fromMs: number, toMs: number): number {
  const holidays = holidaysOfYear(rules.holidayCalendar, 2026);
  let count = 0;
  for (let ms = fromMs; ms < toMs; ms += 60_000) {
    const local = DateTime.fromMillis(ms, { zone: rules.zone });
    const date = local.toISODate()!;
    const minute = local.hour * 60 + local.minute;
    const isDayOff = local.weekday > 5 || rules.extraHolidays.includes(date) || holidays.includes(date);
    if (!isDayOff && minute >= rules.opensAtMinute && minute < rules.closesAtMinute) count++;
  }
  return count;
}

it('in UTC a clock is made, and says the date, without the dates of a language', () => {
  const format = vi.spyOn(Intl, 'DateTimeFormat');
  try {
    const clock = createBusinessClock(calendar({ zone: 'UTC' }));
    expect(clock.dateOf(Date.parse('2026-10-05T10:00Z'))).toBe('2026-10-05');
    expect(format).not.toHaveBeenCalled();
    expect(clock.startOf('2026-10-05')).toBe(Date.parse('2026-10-05T00:00Z'));
    expect(() => createBusinessClock(calendar({ zone: 'utopia' }))).toThrow('is not a time zone');
    expect(format).toHaveBeenCalled();
  } finally {
    format.mockRestore();
  }
});

describe('business time', () => {
  const clock = createBusinessClock(DEFAULT_BUSINESS_CALENDAR);

  it.each([
    ['within one day', '2026-10-05T10:00', '2026-10-05T12:30', 150],
    ['over a night', '2026-10-05T16:00', '2026-10-06T10:00', 120],
    ['over a weekend', '2026-10-02T16:00', '2026-10-05T10:00', 120],
    ['a whole night counts nothing', '2026-10-05T17:00', '2026-10-06T09:00', 0],
    ['a whole week is five days of eight hours', '2026-10-19T00:00', '2026-10-26T00:00', 5 * 480],
    ['a holiday is left out', '2026-11-25T09:00', '2026-11-27T17:00', 2 * 480],
    ['backwards is nothing', '2026-10-06T12:00', '2026-10-05T12:00', 0],
  ])('%s', (_name, from, to, minutes) => {
    expect(clock.minutesBetween(at(from), at(to))).toBe(minutes);
  });

  it('leaves out a person’s days off', () => {
    expect(clock.minutesBetween(at('2026-10-05T09:00'), at('2026-10-07T17:00'), new Set(['2026-10-06']))).toBe(960);
  });

  it('keeps the window at local time when the clocks change', () => {
    const berlin = createBusinessClock(calendar({ zone: 'Europe/Berlin', holidayCalendar: 'none' }));
    // Clocks go back on Sunday 25 October 2026; Friday 09:00 to Monday 17:00 is two business days.
    expect(
      berlin.minutesBetween(at('2026-10-23T09:00', 'Europe/Berlin'), at('2026-10-26T17:00', 'Europe/Berlin')),
    ).toBe(960);
  });

  it('agrees with counting minute by minute', () => {
    const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
    let seed = 20261115;
    const random = (): number => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed / 0x7fffffff;
    };
    for (let round = 0; round < 60; round++) {
      const rules = calendar({
        zone: zones[round % zones.length]!,
        opensAtMinute: 480 + Math.floor(random() * 3) * 60,
        holidayCalendar: round % 2 ? 'US' : 'none',
        extraHolidays: round % 3 ? [] : ['2026-03-11'],
      });
      const from = at('2026-03-01T00:00') + Math.floor(random() * 14 * 1440) * 60_000;
      const to = from + Math.floor(random() * 12 * 1440) * 60_000;
      expect(
        createBusinessClock(rules).minutesBetween(from, to),
        `round ${round} ${JSON.stringify(rules)} ${from}`,
      ).toBe(minutesByCounting(rules, from, to));
    }
  });

  it('counts business days of a range, both ends included', () => {
    expect(clock.countBusinessDays('2026-11-23', '2026-11-29')).toBe(4);
    expect(clock.countBusinessDays('2026-10-03', '2026-10-04')).toBe(0);
    expect(clock.countBusinessDays('2026-10-05', '2026-10-05')).toBe(1);
    expect(clock.countBusinessDays('2026-10-06', '2026-10-05')).toBe(0);
  });

  it('refuses an unknown zone by name', () => {
    expect(() => createBusinessClock(calendar({ zone: 'Mars/Base' }))).toThrow(/"Mars\/Base" is not a time zone/);
  });

  it('knows which holiday calendars exist', () => {
    expect(['US', 'DE-BY', 'none', 'us'].map(isHolidayCalendar)).toEqual([true, true, true, true]);
    expect(['XX', 'DE-ZZ', ''].map(isHolidayCalendar)).toEqual([false, false, false]);
  });
});

it('a federal holiday on a weekend is taken on the Friday before or the Monday after', () => {
  expect(holidaysOfYear('US', 2023)).toContain('2023-11-10');
  expect(holidaysOfYear('US-CA', 2018)).toContain('2018-11-12');
  expect(holidaysOfYear('US', 2026).filter((date) => date.startsWith('2026-11'))).toEqual(['2026-11-11', '2026-11-26']);
  // those that the data have by themselves stay single
  expect(holidaysOfYear('US', 2021).filter((date) => date === '2021-12-31')).toHaveLength(1);
  expect(holidaysOfYear('DE', 2023)).not.toContain('2023-11-10');
});

it('a span of thousands of years is counted at once, and any moment has a date', () => {
  const clock = createBusinessClock(DEFAULT_BUSINESS_CALENDAR);
  const begin = performance.now();
  const minutes = clock.minutesBetween(Date.parse('2026-11-16T00:00:00Z'), Date.parse('9999-12-28T00:00:00Z'));
  expect(minutes / clock.minutesPerDay / 365.25).toBeCloseTo((7973 * 5) / 7, -2);
  expect(clock.countBusinessDays('0001-01-03', '9999-12-28')).toBeGreaterThan(2_600_000);
  for (const moment of [-8.64e15, Date.parse('0001-01-01T00:00:00Z'), 8.64e15]) {
    expect(clock.dateOf(moment)).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  // Day by day, with the holidays of each year, it took a minute.
  expect(performance.now() - begin).toBeLessThan(5000);
});
