// The page writes numbers and dates itself, because a browser's own formatters are slow to make. They stay the oracle.
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  addDays,
  formatDay,
  formatInterval,
  formatMoment,
  formatRelative,
  formatTick,
} from '../../web/src/text/dates.ts';
import { formatCompact, formatMeasure, formatValue } from '../../web/src/text/numbers.ts';

const MINUS = '−';
const SIZES = Array.from({ length: 31 }, (_, power) => 10 ** (power / 2 - 3));
/** Beyond that a number has no digit left that decimals could round. */
const isExact = (value: number): boolean => Math.abs(value) < 1e11;
const VALUES = [0, ...SIZES.flatMap((size) => [1, 1.5, 2.25, 9.995, 9.96].flatMap((by) => [size * by, -size * by]))];

describe('numbers read as the browser would write them', () => {
  test.each([0, 1, 2, 3])('with %d decimals', (precision) => {
    const format = (value: number, digits: number): string =>
      new Intl.NumberFormat('en-US', {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        signDisplay: 'negative',
      })
        .format(value)
        .replace('-', MINUS);
    for (const value of VALUES.filter(isExact)) {
      // Only a true 0 is written as one, as far as two decimals can tell.
      const tellsMore = [0, 1, 2].filter((digits) => digits >= precision && /[1-9]/.test(format(value, digits)));
      expect(formatValue(value, { unit: 'lines', precision })).toBe(format(value, tellsMore[0] ?? precision));
    }
  });

  test('with decimals only where they say something', () => {
    const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3, signDisplay: 'negative' });
    for (const value of VALUES.filter(isExact))
      expect(formatMeasure(value)).toBe(format.format(value).replace('-', MINUS));
  });

  test('on axes', () => {
    const format = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
    for (const value of VALUES.filter((each) => Math.abs(each) >= 10_000 && Math.abs(each) < 1e14)) {
      const words = format.format(value).toLowerCase().replace('b', 'bn').replace('-', MINUS);
      expect(formatCompact(value, 'lines')).toBe(words);
    }
  });
});

test('days read as the browser would write them', () => {
  const written = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
    return (day: string) =>
      format
        .format(new Date(`${day}T00:00:00Z`))
        .replace('Sept', 'Sep')
        .replace(',', '');
  };
  const whole = written({ day: 'numeric', month: 'short', year: 'numeric' });
  const weekday = written({ weekday: 'short', day: 'numeric', month: 'short' });
  const short = written({ day: 'numeric', month: 'short' });
  for (let day = '2024-02-20'; day < '2025-03-10'; day = addDays(day, 1)) {
    expect(formatDay(day)).toBe(whole(day));
    expect(formatInterval(day, day, day)).toBe(weekday(day));
    expect(formatTick(day, 'daily', day)).toBe(short(day));
    expect(formatTick(day, 'daily', null)).toBe(whole(day));
  }
});

test('labels of an axis say the year wherever it is not that of the label before', () => {
  const labels = (days: readonly string[], interval: 'weekly' | 'monthly', first: string | null) =>
    days.map((day, index) => formatTick(day, interval, index === 0 ? first : days[index - 1]!));
  expect(labels(['2014-04-01', '2015-03-01', '2015-10-01', '2016-01-01'], 'monthly', null)).toEqual([
    'Apr 2014',
    'Mar 2015',
    'Oct',
    'Jan 2016',
  ]);
  expect(labels(['2019-11-25', '2020-06-01', '2020-12-07'], 'weekly', '2026-11-17')).toEqual([
    '25 Nov 2019',
    '1 Jun 2020',
    '7 Dec',
  ]);
  expect(labels(['2026-10-05', '2026-10-12'], 'weekly', '2026-11-17')).toEqual(['5 Oct', '12 Oct']);
});

test('moments in a zone read as the browser would write them', () => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  for (let hour = 0; hour < 400; hour++) {
    const moment = new Date(Date.UTC(2026, 8, 1, hour, 7 * hour)).toISOString();
    const words = format.format(new Date(moment)).replace('Sept', 'Sep');
    expect([formatMoment(moment, 'UTC'), formatMoment(moment, 'Africa/Abidjan')]).toEqual([words, words]);
  }
});

test('moments read as the browser would write them', () => {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });
  const now = new Date('2026-11-16T12:00:00Z');
  const units = { minute: 60, hour: 3_600, day: 86_400, month: 2_592_000, year: 31_536_000 };
  for (const [unit, seconds] of Object.entries(units)) {
    for (const count of [-2, -1, 1, 2, 11]) {
      const words = format.format(count, unit as keyof typeof units).replace('.', '');
      expect(formatRelative(new Date(now.getTime() + count * seconds * 1_000).toISOString(), now)).toBe(words);
    }
  }
});

describe('before the first chart', () => {
  afterEach(() => void vi.unstubAllGlobals());

  test('no formatter of the browser is made', async () => {
    vi.stubGlobal('Intl', {});
    vi.resetModules();
    const dates = await import('../../web/src/text/dates.ts');
    const numbers = await import('../../web/src/text/numbers.ts');
    expect(dates.dayInZone(new Date('2026-11-16T23:00:00Z'), 'UTC')).toBe('2026-11-16');
    expect(dates.formatInterval('2026-09-14', '2026-09-20', '2026-11-16')).toBe('14–20 Sep');
    expect(numbers.formatValue(48210, { unit: 'lines', precision: 0 })).toBe('48,210');
    expect(numbers.formatCompact(48210, 'lines')).toBe('48.2k');
  });
});
