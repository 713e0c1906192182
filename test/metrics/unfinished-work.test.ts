import { expect, test } from 'vitest';
import { unfinishedWork } from '../../src/metrics/unfinished-work.ts';

const known = {
  kinds: new Set<never>(),
  commitsFrom: null,
  allCommitsFrom: null,
  unseenPeople: 0,
  unfinished: [],
  isDeriving: false,
};
const repos = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ repo_path: `shop/r${index}`, percent: 10 * index }));

test('imports that are under way matter to statistics of commits alone', () => {
  expect(unfinishedWork('commit_count', { ...known, unfinished: repos(1) })).toHaveLength(1);
  expect(unfinishedWork('pr_review_count', { ...known, unfinished: repos(1) })).toEqual([]);
  expect(unfinishedWork('commit_count', known)).toEqual([]);
});

test('three are named, the others counted', () => {
  expect(unfinishedWork('commit_count', { ...known, unfinished: repos(5) })).toEqual([
    'not imported to the end: shop/r0 to 0 %, shop/r1 to 10 %, shop/r2 to 20 % and 2 more; the figures lack the commits that are left',
  ]);
});

test('what is worked out after imports matters where it is shown', () => {
  expect(unfinishedWork('opex_ratio', { ...known, isDeriving: true })).toHaveLength(1);
  expect(unfinishedWork('commit_count', { ...known, isDeriving: true })).toEqual([]);
});
