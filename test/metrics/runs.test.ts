// Every statistic can be asked for in every way it offers.
import { expect, test } from 'vitest';
import { SEGMENT_IDS } from '../../src/domain/segments.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import { createFactsKit } from '../world/facts-kit.ts';

// Thousands of statements: beside the test of faults, which is run last, too, they take more than a minute.
test('each statistic runs with each of its aggregations, intervals and filters', { timeout: 300_000 }, async () => {
  const kit = await createFactsKit();
  const range = { from: '2026-01-01', to: '2026-03-31' };
  const failures: string[] = [];
  for (const segment of SEGMENT_IDS) {
    for (const by of SEGMENTS[segment].by) {
      for (const [interval, scope] of [
        ['monthly', {}],
        ['monthly', { isDefaultBranchOnly: true, repoIds: [1] }],
        ['weekly', { teamId: 1, isAboutPeople: true, weekStartsOnSunday: true }],
        ['daily', { repoIds: [1], organizationIds: [1], personIds: [1], isAboutPeople: true, aiProvider: 'x' }],
      ] as const) {
        try {
          await kit.report(segment, { range, by, interval, scope });
        } catch (error) {
          failures.push(`${segment} by ${by} ${interval}: ${String(error)}`);
        }
      }
    }
  }
  expect([...new Set(failures)].slice(0, 10)).toEqual([]);
});
