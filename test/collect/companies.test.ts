// A generated company at every host with a tracker: after provisioning, listing, importing and collecting, each statistic
// that needs a host or a tracker is what a plain computation makes of the company's own records. `npm run bench:companies`
// does the same at full size.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FULL_WORKS, scaleWorks } from '../world/company/generate-works.ts';
import {
  COMPANIES,
  type CollectedCompany,
  type CompanyRow,
  collectCompany,
  countPoints,
  findDifferences,
  HOST_STATISTICS,
} from './companies.ts';

/** A tenth at GitHub; the others, which take several calls for each pull request, have less. */
const SHARES: Readonly<Record<string, number>> = { github: 0.1 };
const OTHER_SHARE = 0.03;
const isFull = process.env.STRATA_COMPANIES === 'full';

test('39 statistics need a code host or a tracker', () => {
  expect(HOST_STATISTICS).toHaveLength(39);
});

describe.each(COMPANIES)('$host.name with $tracker.name', (row) => {
  let collected: CollectedCompany;
  beforeAll(async () => {
    const share = isFull ? 1 : (SHARES[row.host.name] ?? OTHER_SHARE);
    const startedAt = performance.now();
    collected = await collectCompany(row, 41 + COMPANIES.indexOf(row), scaleWorks(FULL_WORKS, share));
    if (isFull) console.log(describeCompany(row, collected, performance.now() - startedAt));
  }, 3_600_000);
  afterAll(() => collected?.kit.close());

  test('every statistic is that of the company’s own records', { timeout: 3_600_000 }, async () => {
    expect(await findDifferences(collected)).toEqual({});
    // A statistic that shows nothing proves nothing; a small company may lack one or the other.
    if (!isFull && row.host.name !== 'github') return;
    const empty = Object.entries(countPoints(collected.told)).filter(([, points]) => points === 0);
    // Where accounts lead to no committer, everybody's first pull request is the first that is known of them.
    const always = row.host.tells.tiesCommitters ? [] : ['days_to_first_pr'];
    expect(empty.map(([name]) => name)).toEqual(always);
  });
});

/** A line of the table that the full size prints. */
function describeCompany({ host, tracker }: CompanyRow, { works, calls, told }: CollectedCompany, ms: number): string {
  const { pulls, issues } = works.company.repos[0]!;
  const own = told.hasHostIssues ? issues.length : 0;
  const points = Object.values(countPoints(told)).reduce((sum, count) => sum + count, 0);
  return [
    `${host.name} with ${tracker.name}`.padEnd(36),
    `${pulls.length} pull requests, ${works.tracker.issues.length + own} issues, ${works.tracker.sprints.length} sprints,`,
    `${works.commits.length} commits, ${calls} calls, ${points} points, ${(ms / 1000).toFixed(0)} s`,
  ].join(' ');
}
