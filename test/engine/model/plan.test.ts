// The order of a walk over several branches.
import { expect, test } from 'vitest';
import type { ListedCommit } from '../../../src/engine/git/list-commits.ts';
import { allOf, listOf } from '../../../src/engine/model/commit-list.ts';
import { type PlanInput, planNew, planWalk } from '../../../src/engine/model/plan.ts';

const PERSON = { authorName: '', authorEmail: '', committerName: '', committerEmail: '' };
/** `sha@time: parents` */
const list = (...lines: string[]): ListedCommit[] =>
  lines.map((line) => {
    const [head = '', parents = ''] = line.split(':');
    const [sha = '', time = '0'] = head.split('@');
    const at = Number(time);
    return { ...PERSON, sha, parents: parents.split(' ').filter(Boolean), authoredAt: at, committedAt: at };
  });
const plan = ({ known = [], ...input }: Partial<PlanInput> & { known?: readonly ListedCommit[] }) =>
  planWalk(
    planNew({ fresh: [], since: null, isComplete: () => false, firstParentsFrom: 'm5', ...input }),
    listOf(known),
  );
const order = ({ commits }: ReturnType<typeof plan>): string =>
  allOf(commits)
    .map(({ sha }) => sha)
    .join(' ');
const marked = ({ commits }: ReturnType<typeof plan>, marks: Uint8Array): string =>
  allOf(commits)
    .flatMap(({ sha }, i) => (marks[i] === 1 ? [sha] : []))
    .join(' ');

const MAIN = list('m5@50: m4', 'm4@40: m3 x1', 'x1@35: m2', 'm3@30: m2', 'm2@20: m1', 'm1@10:');

test('commits of other branches stand right before the first of their ancestors', () => {
  const others = list('b2@55: b1 a1', 'b1@45: m3', 'a2@53: a1', 'a1@15: m1', 'o1@60:');
  const woven = plan({ fresh: MAIN, others });
  expect(order(woven)).toBe('m5 m4 x1 b2 b1 m3 m2 a2 a1 m1 o1');
  expect(marked(woven, woven.isOther)).toBe('b2 b1 a2 a1 o1');
  expect(marked(woven, woven.isStepped)).toBe('m5 m4 x1 m3 m2 m1');
  expect(marked(woven, woven.isFirstParent)).toBe('m5 m4 m3 m2 m1');
  expect(woven.isEmitted.every((one) => one === 1)).toBe(true);
});

test('no commit of another branch keeps those before the window from being left unread', () => {
  const windowed = plan({ fresh: MAIN, others: list('b1@45: m3', 'a1@52: m1'), since: 33 });
  expect(order(windowed)).toBe('m5 m4 x1 b1 a1 m3 m2 m1');
  expect(marked(windowed, windowed.isEmitted)).toBe('m5 m4 x1 b1 a1');
  expect(marked(windowed, windowed.isStepped)).toBe('m5 m4 x1');
});

test('where other branches alone have something new, all others are only asked', () => {
  const known = list('k1@1:');
  const complete = plan({ fresh: MAIN, others: list('b1@45: m3'), known, isComplete: (sha) => sha !== 'b1' });
  expect(order(complete)).toBe('b1 m5 m4 x1 m3 m2 m1 k1');
  expect(complete.olderFrom).toBe(1);
  expect(marked(complete, complete.isEmitted)).toBe('b1');
  expect(marked(complete, complete.isStepped)).toBe('');
  expect(marked(complete, complete.isFirstParent)).toBe('');
});
