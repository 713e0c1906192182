import { expect, test } from 'vitest';
import type { ImportedRepo } from '../../web/src/api/queries.ts';
import { describeState, hasNothingToLose } from '../../web/src/imports/describe-import.ts';
import { describeSources } from '../../web/src/imports/describe-sources.ts';

const NOW = new Date('2026-11-16T12:00:00Z');
const waiting = (waits_for_em: ImportedRepo['waits_for_em'], waits_until: string | null): ImportedRepo =>
  ({ phase_em: 'waiting', waits_for_em, waits_until }) as ImportedRepo;

test.each([
  ['retry', '2026-11-16T12:05:30Z', 'The last attempt failed, tries again in 5 min'],
  ['retry', '2026-11-16T12:00:20Z', 'The last attempt failed, tries again shortly'],
  ['quota', '2026-11-16T13:00:00Z', 'The host allows no more calls for now, tries again in 1 hr'],
  ['worker', null, 'Waiting: no worker is running'],
  ['turn', null, 'Waiting for its turn'],
  [null, null, 'Waiting to start'],
] as const)('an import that waits for %s until %s says so', (reason, until, words) => {
  expect(describeState(waiting(reason, until), NOW)).toBe(words);
});

test('the form offers a role what it may import from, and nothing else', () => {
  const words = (mayUseAddresses: boolean, folders: readonly string[]): string =>
    Object.values(describeSources({ mayUseAddresses, folders })).join('\n');
  expect(words(false, [])).not.toMatch(/https|clone|folder/i);
  expect(words(true, [])).toMatch(/https/);
  expect(words(true, [])).not.toMatch(/folder/i);
  expect(words(true, ['/srv/code'])).toMatch(/Folders below \/srv\/code/);
});

test('only an import that failed without a commit can be removed by a click', () => {
  const repo = { phase_em: 'failed', commit_processed_count: 0, pull_request_processed_count: 0 } as const;
  expect(hasNothingToLose(repo)).toBe(true);
  expect(hasNothingToLose({ ...repo, commit_processed_count: 1 })).toBe(false);
  expect(hasNothingToLose({ ...repo, pull_request_processed_count: 1 })).toBe(false);
  expect(hasNothingToLose({ ...repo, phase_em: 'waiting' })).toBe(false);
});
