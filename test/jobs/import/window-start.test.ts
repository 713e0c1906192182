import { expect, test } from 'vitest';
import { effectiveEntitySettings } from '../../../src/domain/access/entity-settings.ts';
import { windowStart } from '../../../src/jobs/import/window-start.ts';

const NOW = new Date('2026-11-17T12:00:00Z');
const ALL = { wanted_from: null, wants_all: true };
const startOf = (...[row, settings]: [Parameters<typeof windowStart>[0], Record<string, unknown>]): string | null => {
  const seconds = windowStart(row, null, false, effectiveEntitySettings(settings), NOW);
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
};

test.each([
  ['UTC', '2026-10-03T00:00:00.000Z'],
  ['Asia/Tokyo', '2026-10-02T15:00:00.000Z'],
  ['America/New_York', '2026-10-03T04:00:00.000Z'],
])('the day that processing starts on begins where the entity is: %s', (time_zone, start) => {
  expect(startOf(ALL, { processing_starts_on: '2026-10-03', time_zone })).toBe(start);
});

test('the later of what was asked for and the start of processing counts', () => {
  const settings = { processing_starts_on: '2026-10-03' };
  expect(startOf({ wanted_from: '2026-11-01T00:00:00Z', wants_all: false }, settings)).toBe('2026-11-01T00:00:00.000Z');
  expect(startOf({ wanted_from: '2026-01-01T00:00:00Z', wants_all: false }, settings)).toBe('2026-10-03T00:00:00.000Z');
  expect(startOf(ALL, {})).toBeNull();
  expect(startOf({ wanted_from: null, wants_all: false }, { import_window_days: 1 })).toBe('2026-11-16T12:00:00.000Z');
});
