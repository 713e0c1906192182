// A night at a tracker: what changed without moving its time is found by the comparison, stored, and counted.
import { expect } from 'vitest';
import { reconcileHosts } from '../../../src/jobs/collect/reconcile.ts';
import { jobContext } from '../../jobs/import/import-kit.ts';
import { current, type TrackerCompany } from '../../world/company/tracker-company.ts';
import type { TrackerKit } from './tracker-kit.ts';

async function night(kit: TrackerKit): Promise<{ compared: number; differed: number }> {
  kit.clock = new Date(kit.clock.getTime() + 86_400_000);
  await kit.collectAll();
  await reconcileHosts.run({}, jobContext(), kit.parts);
  for (let round = 0; round < 5; round += 1) {
    kit.clock = new Date(kit.clock.getTime() + 1_000);
    await kit.collect();
  }
  expect(await kit.query('select 1 from refetches')).toEqual([]);
  const { comparisons } = await kit.app.operations.hosts.list('operator', 'acme');
  return comparisons[0] ?? { compared: 0, differed: 0 };
}

export async function expectNight(kit: TrackerKit, company: TrackerCompany): Promise<void> {
  const quiet = await night(kit);
  const open = company.issues.filter(
    (issue) => issue.type !== 'Epic' && !['done', 'closed'].includes(String(current(issue, 'status'))),
  );
  expect(quiet.compared).toBeGreaterThanOrEqual(Math.min(open.length, 90));
  expect(quiet.differed).toBe(0);
  const issue = open.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))[0]!;
  const before = issue.title;
  issue.title = 'Changed in silence';
  expect((await night(kit)).differed).toBe(1);
  expect(await kit.query(`select 1 from issues where title = 'Changed in silence'`)).toHaveLength(1);
  expect((await night(kit)).differed).toBe(0);
  issue.title = before;
}
