// The walk over intervals by itself: the step that is drawn in provenance.ts, and random histories against a walk that
// asks line by line.
import { expect, test } from 'vitest';
import { IntervalList } from '../../../src/engine/trace/interval-list.ts';
import { ProvenanceWalk, type WalkCommit } from '../../../src/engine/trace/provenance.ts';
import { createRandom } from '../../world/random-history.ts';

/** Of one file. */
const commit = (index: number, hunks: readonly number[], questions: number): WalkCommit => ({
  index,
  parents: [index + 1],
  files: [{ oldPath: 'f', newPath: 'f', isFollowed: true, isUnread: false, hunkStart: 0, hunkEnd: hunks.length }],
  routes: [],
  hunks: Int32Array.from(hunks),
  followed: new Map(),
  questions,
  remover: index,
  sources: null,
});

test('an interval is cut at the hunks: new lines are answered, the others go on with their old numbers', () => {
  const answers: string[] = [];
  const walk = new ProvenanceWalk((remover, offset, count, origin, path, line) =>
    answers.push(`${remover}:${offset}+${count} by ${origin} at ${path}:${line}`),
  );
  walk.step(commit(0, [2, 7, 2, 0], 7));
  walk.check();
  expect(walk.dump()).toBe('1 f: 2+7→0:0');
  walk.step(commit(1, [3, 1, 3, 2, 7, 2, 8, 0], 3));
  walk.check();
  expect(answers).toEqual(['0:1+2 by 1 at f:3']);
  expect(walk.dump()).toBe('2 f: 2+1→0:0 3+1→1:0 4+3→0:3 7+2→1:1 9+1→0:6');
  expect(walk.openLines).toBe(8);
});

test('intervals that continue each other are joined, and only those', () => {
  const list = new IntervalList();
  list.push(4, 2, 1, 0);
  list.push(6, 1, 1, 2);
  list.push(7, 1, 1, 9);
  list.push(8, 1, 2, 10);
  expect(list.dump()).toBe('4+3→1:0 7+1→1:9 8+1→2:10');
});

test.each([
  ['an empty interval', (list: IntervalList) => list.push(3, 0, 9, 0), /bad interval/],
  ['a line that is open twice', (list: IntervalList) => list.push(3, 1, 0, 0), /is open twice/],
  ['a line that was never counted', (list: IntervalList) => list.push(3, 1, 9, 0), /counted open/],
])('the check finds %s', (_, damage, message) => {
  const walk = new ProvenanceWalk(() => {});
  const push = IntervalList.prototype.push;
  walk.step(commit(0, [2, 1, 2, 0], 1));
  walk.check();
  try {
    // The next list gets one interval more than was asked for.
    IntervalList.prototype.push = function (...numbers) {
      IntervalList.prototype.push = push;
      push.apply(this, numbers);
      damage(this);
    };
    walk.step(commit(1, [9, 1, 9, 0], 1));
  } finally {
    IntervalList.prototype.push = push;
  }
  expect(() => walk.check()).toThrow(message);
});

/** A history of one file, newest first: what each commit added stands in its version under the commit's number. */
function randomVersions(random: (below: number) => number, commits: number) {
  let lines: string[] = [];
  const steps: { hunks: number[]; removed: string[] }[] = [];
  for (let n = commits - 1; n >= 0; n--) {
    const next: string[] = [];
    const hunks: number[] = [];
    const removed: string[] = [];
    let at = 0;
    while (at <= lines.length) {
      const kept = Math.min(random(6), lines.length - at);
      next.push(...lines.slice(at, at + kept));
      at += kept;
      const gone = Math.min(random(3), lines.length - at);
      const added = random(3);
      if (gone + added > 0) hunks.push(at, gone, next.length, added);
      removed.push(...lines.slice(at, at + gone));
      for (let i = 0; i < added; i++) next.push(`${n}`);
      at += gone;
      if (at === lines.length) break;
    }
    steps.unshift({ hunks: joined(hunks), removed });
    lines = next;
  }
  return steps;
}

/** Hunks that touch are one. */
function joined(hunks: readonly number[]): number[] {
  const all: number[] = [];
  for (let at = 0; at < hunks.length; at += 4) {
    const [oldAt, gone, newAt, added] = hunks.slice(at, at + 4) as [number, number, number, number];
    const last = all.length - 4;
    if (last >= 0 && all[last]! + all[last + 1]! === oldAt && all[last + 2]! + all[last + 3]! === newAt) {
      all[last + 1]! += gone;
      all[last + 3]! += added;
    } else all.push(oldAt, gone, newAt, added);
  }
  return all;
}

test.each([1, 2, 3, Math.floor(Math.random() * 2 ** 31)])('every line has one answer, the right one (%i)', (seed) => {
  const steps = randomVersions(createRandom(seed), 40);
  const answered = new Map<string, string>();
  const walk = new ProvenanceWalk((remover, offset, count, origin) => {
    for (let i = 0; i < count; i++) {
      expect(answered.has(`${remover}:${offset + i}`)).toBe(false);
      answered.set(`${remover}:${offset + i}`, `${origin}`);
    }
  });
  steps.forEach(({ hunks, removed }, index) => {
    walk.step(commit(index, hunks, removed.length));
    walk.check();
  });
  const expected = steps.flatMap(({ removed }, remover) =>
    removed.map((origin, i) => [`${remover}:${i}`, origin] as const),
  );
  expect(walk.openLines).toBe(0);
  expect(new Map([...answered].sort())).toEqual(new Map([...expected].sort()));
});
