// Which days a range means, and which it is compared with.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intervalsOf } from '../../src/metrics/intervals.ts';
import {
  addDays,
  addMonths,
  countDays,
  dayInZone,
  dayOfWords,
  formatInterval,
  formatRelative,
  isDay,
} from '../../web/src/text/dates.ts';
import {
  comparisonDays,
  describeRange,
  intervalOf,
  offersGrain,
  parseRange,
  passedDays,
  resolveRange,
  shiftRange,
} from '../../web/src/url/range.ts';
import { GRAIN_INTERVALS } from '../../web/src/url/view.ts';

const TODAY = '2026-11-16';

describe('a range', () => {
  test.each([
    ['30d', '2026-10-18', TODAY],
    ['1d', TODAY, TODAY],
    ['6m', '2026-05-17', TODAY],
    ['ytd', '2026-01-01', TODAY],
    ['all', '2009-06-26', TODAY],
    ['2026-07-01..2026-09-30', '2026-07-01', '2026-09-30'],
  ])('%s means %s to %s', (range, start, end) => {
    expect(resolveRange(range, TODAY, '2009-06-26')).toEqual({ start, end });
  });

  test.each(['0d', '36501d', '1201m', '7w', '2026-01-01', '2026-01-02..2026-01-01', '2026-13-01..2026-13-02', ''])(
    '%j is not a range',
    (text) => expect(parseRange(text)).toBeUndefined(),
  );

  test('the first day with data decides where all time begins, but not after today', () => {
    expect(resolveRange('all', TODAY, '2027-01-01')).toEqual({ start: TODAY, end: TODAY });
    expect(countDays(resolveRange('all', TODAY, null).start, TODAY)).toBeGreaterThan(3_600);
  });

  test('the period before has the same length and ends the day before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 46, max: 2_000 }), (length) => {
        const days = resolveRange(`${length}d`, TODAY, null);
        const before = comparisonDays(days, 'prev', false)!;
        expect(countDays(before.start, before.end)).toBe(length);
        expect(addDays(before.end, 1)).toBe(days.start);
      }),
    );
  });

  test('what has passed of a range is compared with as many days', () => {
    const passed = passedDays({ start: '2026-10-01', end: '2026-10-31' }, '2026-10-15');
    expect(comparisonDays(passed, 'prev', false)).toEqual({ start: '2026-09-16', end: '2026-09-30' });
    expect(comparisonDays(passed, 'year', false)).toEqual({ start: '2025-10-01', end: '2025-10-15' });
    const whole = { start: '2026-10-01', end: '2026-10-14' };
    for (const today of ['2026-10-14', '2026-11-01', '2026-09-30']) expect(passedDays(whole, today)).toEqual(whole);
  });

  test('daily points are compared with the same weekday', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 45 }),
        fc.constantFrom('prev' as const, 'year' as const),
        (length, kind) => {
          const days = resolveRange(`${length}d`, TODAY, null);
          const before = comparisonDays(days, kind, true)!;
          expect((countDays(before.start, days.start) - 1) % 7).toBe(0);
          expect(before.end < days.start || length > 360).toBe(true);
        },
      ),
    );
  });

  test('days before the first that the API takes are not compared with', () => {
    expect(comparisonDays({ start: '1988-01-01', end: TODAY }, 'prev', false)).toBeNull();
  });

  test.each([
    ['day', '2025-09-28', true],
    ['day', '2025-09-27', false],
    ['week', '2014-04-26', false],
    ['week', '2020-01-01', true],
    ['month', '1993-08-01', true],
    ['month', '1993-07-31', false],
  ] as const)('by %s since %s it is offered: %s', (grain, start, isOffered) => {
    const days = { start, end: '2026-11-01' };
    expect(offersGrain(grain, days)).toBe(isOffered);
  });

  test('no more intervals are offered than the API gives', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        fc.integer({ min: 1, max: 13_000 }),
        fc.boolean(),
        (grain, length, startsOnSunday) => {
          const { start, end } = resolveRange(`${length}d`, TODAY, null);
          const count = intervalsOf({ from: start, to: end }, GRAIN_INTERVALS[grain], startsOnSunday).length;
          if (offersGrain(grain, { start, end })) expect(count).toBeLessThanOrEqual(400);
          else expect(count).toBeGreaterThanOrEqual(400);
        },
      ),
    );
  });

  test('shifting never passes today and keeps the length', () => {
    const days = { start: '2026-10-01', end: '2026-10-31' };
    expect(shiftRange(days, -1, TODAY)).toBe('2026-08-31..2026-09-30');
    expect(shiftRange(days, 1, TODAY)).toBe('2026-10-17..2026-11-16');
  });

  test('its length chooses days, weeks or months', () => {
    expect(intervalOf(resolveRange('45d', TODAY, null))).toBe('daily');
    expect(intervalOf(resolveRange('46d', TODAY, null))).toBe('weekly');
    expect(intervalOf(resolveRange('201d', TODAY, null))).toBe('monthly');
  });

  test('it has a name', () => {
    expect(['90d', '14d', '1m', 'all', '2026-01-01..2026-02-01'].map(describeRange)).toEqual([
      '90 days',
      '14 days',
      '1 month',
      'All time',
      'Chosen days',
    ]);
  });
});

describe('days', () => {
  test('months end on their last day', () => {
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
    expect(addMonths('2024-03-31', -1)).toBe('2024-02-29');
    expect(isDay('2026-02-29')).toBe(false);
  });

  test('today is the day of the entity’s zone, not of the browser', () => {
    const moment = new Date('2026-11-16T23:30:00Z');
    expect(dayInZone(moment, 'Asia/Tokyo')).toBe('2026-11-17');
    expect(dayInZone(moment, 'America/New_York')).toBe('2026-11-16');
  });

  test.each([
    ['2026-09-14', '2026-09-20', '14–20 Sep'],
    ['2026-09-28', '2026-10-04', '28 Sep – 4 Oct'],
    ['2026-09-01', '2026-09-30', 'Sep 2026'],
    ['2026-09-14', '2026-09-14', 'Mon 14 Sep'],
    ['2025-09-14', '2025-09-20', '14–20 Sep 2025'],
    ['2025-12-29', '2026-01-04', '29 Dec 2025 – 4 Jan 2026'],
  ])('%s to %s is %s', (start, end, words) => expect(formatInterval(start, end, TODAY)).toBe(words));

  test('a moment written for people has a day', () => {
    expect(dayOfWords('October 12, 2026 9:00 AM UTC')).toBe('2026-10-12');
    expect(dayOfWords('soon')).toBeNull();
  });

  test('moments are told from now', () => {
    const now = new Date('2026-11-16T12:00:00Z');
    expect(formatRelative('2026-11-16T11:48:00Z', now)).toBe('12 min ago');
    expect(formatRelative('2026-11-16T11:59:50Z', now)).toBe('just now');
    expect(formatRelative('2026-11-19T12:00:00Z', now)).toBe('in 3 days');
  });
});
