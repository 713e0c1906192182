import { expect, test } from 'vitest';
import { unfinishedWork } from '../../src/metrics/unfinished-work.ts';

const known = {
  kinds: new Set<never>(),
  commits: { from: null, allFrom: null },
  releases: { from: null, allFrom: null },
  unseenPeople: 0,
  unfinished: [],
  isDeriving: false,
  derivedOtherwise: [],
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

test('repos that are derived anew after an upgrade are named, for statistics of commits', () => {
  const derivedOtherwise = ['shop/a', 'shop/b', 'shop/c', 'shop/d'];
  expect(unfinishedWork('documentation_delta', { ...known, derivedOtherwise })).toEqual([
    'not yet derived anew after an upgrade: shop/a, shop/b, shop/c and 1 more; until then their figures are, in part or all, those of the earlier version',
  ]);
  expect(unfinishedWork('pr_review_count', { ...known, derivedOtherwise })).toEqual([]);
});
