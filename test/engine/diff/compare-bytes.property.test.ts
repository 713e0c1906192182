// The in-process diff against `git diff -U0`, hunk by hunk, on random edits. The seed is in the name.
import { describe, expect, test } from 'vitest';
import { createLooseComparer } from '../../../src/engine/diff/blob-comparer.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

const KNOWN_SEEDS = [1, 2];
const RANDOM_SEEDS = Array.from({ length: 2 }, () => Math.floor(Math.random() * 2 ** 31));
const PAIRS = 120;

const INDENTS = ['', '  ', '    ', '\t'];

function randomText(random: (below: number) => number, lines: number, words: number): string[] {
  return Array.from({ length: lines }, () => {
    const word = random(words);
    if (word < words / 6) return ['', '}', '  }', 'end'][word % 4]!;
    return `${INDENTS[random(4)]}word${word}`;
  });
}

function randomEdit(random: (below: number) => number, lines: readonly string[], words: number): string[] {
  const edited = [...lines];
  for (let times = 1 + random(12); times > 0; times--) {
    const at = random(edited.length + 1);
    const size = 1 + random(random(8) === 0 ? 200 : 6);
    const kind = random(5);
    if (kind === 0) edited.splice(at, 0, ...randomText(random, size, words));
    else if (kind === 1) edited.splice(at, size);
    else if (kind === 2) edited.splice(at, size, ...randomText(random, 1 + random(6), words));
    else if (kind === 3) edited.splice(at, 0, ...edited.slice(at, at + size));
    else edited.splice(random(edited.length + 1), 0, ...edited.splice(at, size));
  }
  return edited;
}

/** `oldIndex,oldCount,newIndex,newCount` of each hunk header that git printed. */
function gitHunks(patch: string): string[] {
  return [...patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map((match) => {
    const [oldCount, newCount] = [Number(match[2] ?? 1), Number(match[4] ?? 1)];
    return `${Number(match[1]) - (oldCount ? 1 : 0)},${oldCount},${Number(match[3]) - (newCount ? 1 : 0)},${newCount}`;
  });
}

function ourHunks(hunks: Int32Array): string[] {
  return Array.from({ length: hunks.length / 4 }, (_, n) => hunks.subarray(n * 4, n * 4 + 4).join(','));
}

describe.each([...KNOWN_SEEDS, ...RANDOM_SEEDS])('random edits %i', (seed) => {
  test('give the hunks that git diff -U0 gives, or are left to git', () => {
    const random = createRandom(seed);
    const pairs = Array.from({ length: PAIRS }, () => {
      const words = 4 + random(random(3) === 0 ? 3000 : 40);
      const before = randomText(random, random(random(6) === 0 ? 3000 : 120), words);
      const after = randomEdit(random, before, words);
      const eol = random(6) === 0 ? '\r\n' : '\n';
      const text = (lines: readonly string[]) => lines.join(eol) + (random(5) === 0 ? '' : eol);
      return [text(before), text(after)] as const;
    });
    let builder = goldenRepo();
    pairs.forEach(([before, after], n) => {
      builder = builder.commit(`${n} before`, { tree: { f: before } }).commit(`${n} after`, { tree: { f: after } });
    });
    const repo = builder.build();
    const comparer = createLooseComparer();
    const wrong: string[] = [];
    let left = 0;
    for (const record of repo.git('log', '-U0', '-p', '--format=%x00%s', '--indent-heuristic').split('\0').slice(1)) {
      const [, number, side] = /^(\d+) (\w+)/.exec(record)!;
      if (side === 'before') continue;
      const [before, after] = pairs[Number(number)]!;
      const hunks = comparer.compareBytes(Buffer.from(before), Buffer.from(after));
      if (hunks === null) left++;
      else if (ourHunks(hunks).join(' ') !== gitHunks(record).join(' '))
        wrong.push(
          `pair ${number}: ours ${ourHunks(hunks).slice(0, 5).join(' ')}, git ${gitHunks(record).slice(0, 5).join(' ')}`,
        );
    }
    expect(left).toBeLessThan(PAIRS / 4);
    repo.cleanup();
    expect(wrong).toEqual([]);
  });
});
