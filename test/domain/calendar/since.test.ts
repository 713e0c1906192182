// From when on commits are wanted, as people write it.
import { expect, test } from 'vitest';
import { parseSince } from '../../../src/domain/calendar/since.ts';

const now = new Date('2026-11-15T02:30:00Z');
const read = async (text: string, zone = 'America/New_York') => {
  const seconds = await parseSince(text, { now, zone, name: 'since' });
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
};

test.each([
  ['all', null],
  ['2d', '2026-11-13T02:30:00.000Z'],
  ['1w', '2026-11-08T02:30:00.000Z'],
  ['9999y', '1970-01-01T00:00:00.000Z'],
  ['2026-05-01', '2026-05-01T04:00:00.000Z'],
  ['2026-11-14', '2026-11-14T05:00:00.000Z'],
  ['2026-05-01T10:00', '2026-05-01T14:00:00.000Z'],
  ['2026-05-01T10:00:00+02:00', '2026-05-01T08:00:00.000Z'],
])('%s without a zone is in the zone of the entity', async (text, expected) => {
  expect(await read(text)).toBe(expected);
});

test.each([
  ...['0001-01-01', '1969-12-31', '1970-01-01T00:00:00+14:00', '2026-02-30', 'soon', '', '-1d'],
  // In New York it is still the 14th.
  ...['0d', '0y', '2030-01-01', '9999-12-31', '2026-11-15', '2026-11-15T02:30:00Z'],
])('%j is refused with what is accepted', async (text) => {
  const problem = `${JSON.stringify(text)} is not accepted; give all, a date in the past from 1970 on such as 2024-01-31, or a span such as 90d, 12w, 6m, 1y`;
  await expect(read(text)).rejects.toMatchObject({ message: `since: ${problem}`, errors: { since: [problem] } });
});
