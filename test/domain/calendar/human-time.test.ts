import { describe, expect, test } from 'vitest';
import { humanTime, shortDate, timeInWords } from '../../../src/domain/calendar/human-time.ts';

describe('a time for people', () => {
  test.each([
    ['2026-10-05T09:00:00Z', 'UTC', 'October 5, 2026 9:00 AM UTC', 'Oct 5, 2026'],
    ['2026-10-05T00:05:00Z', 'UTC', 'October 5, 2026 12:05 AM UTC', 'Oct 5, 2026'],
    ['2026-10-05T02:00:00Z', 'America/New_York', 'October 4, 2026 10:00 PM EDT', 'Oct 4, 2026'],
    ['2026-12-31T23:30:00Z', 'Europe/Berlin', 'January 1, 2027 12:30 AM GMT+1', 'Jan 1, 2027'],
  ])('%s in %s is %s', (time, zone, long, short) => {
    expect([humanTime(time, zone), shortDate(time, zone)]).toEqual([long, short]);
  });

  test.each([
    ['2026-10-20T11:59:59Z', '1 second ago'],
    ['2026-10-20T12:00:00Z', 'in 0 seconds'],
    ['2026-10-20T11:00:01Z', '59 minutes ago'],
    ['2026-10-20T11:00:00Z', '1 hour ago'],
    ['2026-10-19T12:00:01Z', '23 hours ago'],
    ['2026-10-05T09:00:00Z', '15 days ago'],
    ['2026-08-20T12:00:00Z', '2 months ago'],
    ['2024-10-01T12:00:00Z', '2 years ago'],
    ['2026-10-23T13:00:00Z', 'in 3 days'],
  ])('%s is %s', (time, words) => {
    expect(timeInWords(time, new Date('2026-10-20T12:00:00Z'))).toBe(words);
  });
});
