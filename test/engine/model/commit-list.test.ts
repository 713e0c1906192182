// Two lists that follow one another say of places what one list of all their commits does.
import { expect, test } from 'vitest';
import type { ListedCommit } from '../../../src/engine/git/list-commits.ts';
import { allOf, joinLists, listOf } from '../../../src/engine/model/commit-list.ts';
import { createRandom } from '../../world/random-history.ts';

const PERSON = { authorName: '', authorEmail: '', committerName: '', committerEmail: '' };

test.each([1, Math.floor(Math.random() * 2 ** 31)])('random lists %d', (seed) => {
  const random = createRandom(seed);
  for (let round = 0; round < 100; round++) {
    const count = random(12);
    const sha = (i: number): string => String(i).padStart(40, '0');
    const commits = Array.from({ length: count }, (_, i): ListedCommit => {
      const parents = Array.from({ length: random(4) }, () => sha(i + 1 + random(count)));
      return { ...PERSON, sha: sha(i), parents: [...new Set(parents)], authoredAt: i, committedAt: random(100) };
    });
    const [one, two] = [random(count + 1), random(count + 1)].sort((a, b) => a - b) as [number, number];
    const parts = [commits.slice(0, one), commits.slice(one, two), commits.slice(two)].map(listOf);
    const joined = joinLists(parts[0]!, joinLists(parts[1]!, parts[2]!));
    const plain = listOf(commits);
    expect(allOf(joined)).toEqual(commits);
    for (let i = 0; i < count; i++) {
      expect(joined.find(sha(i))).toBe(i);
      expect(joined.parentsOf(i)).toEqual(plain.parentsOf(i));
      expect(joined.firstParentOf(i)).toBe(plain.firstParentOf(i));
      expect(joined.committedAt(i)).toBe(commits[i]!.committedAt);
    }
    expect(joined.find(sha(count))).toBe(-1);
  }
});
