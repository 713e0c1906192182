// What docs/engine/comparing.md states, a scenario each: what git was seen to do, and that the kernel does the same.
import { describe, expect, test } from 'vitest';
import { createHunkTeller, gitHunks, type Hunks, type TextPair } from '../../oracles/hunks.ts';

const tell = createHunkTeller();

const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`);
const repeated = (line: string, count: number): string[] => Array.from({ length: count }, () => line);

/** The hunks of git, which the kernel has to tell as well. */
function hunksOf(...pair: TextPair): Hunks {
  const [hunks = []] = gitHunks([pair]);
  expect(tell(pair), JSON.stringify(pair)).toEqual(hunks);
  return hunks;
}

const removedLines = (hunks: Hunks): number => hunks.reduce((sum, count, i) => sum + (i % 4 === 1 ? count : 0), 0);

describe('lines', () => {
  test('equal files have no hunks', () => {
    expect(hunksOf('a\nb\n', 'a\nb\n')).toEqual([]);
    expect(hunksOf('', '')).toEqual([]);
  });

  test('a last line without a line feed is another line', () => {
    expect(hunksOf('a\nb', 'a\nb\n')).toEqual([1, 1, 1, 1]);
    expect(hunksOf('a', 'a\nb\n')).toEqual([0, 1, 0, 2]);
  });

  test('a carriage return is part of its line', () => {
    expect(hunksOf('a\r\nb\n', 'a\nb\n')).toEqual([0, 1, 0, 1]);
  });

  test('an empty file has no lines', () => {
    expect(hunksOf('', 'a\nb\n')).toEqual([0, 0, 0, 2]);
    expect(hunksOf('a\nb\n', '')).toEqual([0, 2, 0, 0]);
  });
});

describe('equal ends', () => {
  test('a group does not move into equal blocks of 1024 bytes at the end', () => {
    const cycle = ['  x', '  y'];
    const pair = (tail: number): TextPair => {
      const lines = ['top', ...Array.from({ length: tail }, () => cycle).flat()];
      return [text(...lines), text(...lines, ...cycle)];
    };
    const reachOf = (tail: number): number => hunksOf(...pair(tail))[2]! / (2 * tail);
    expect(reachOf(100)).toBe((1 + 200) / 200);
    expect(reachOf(200)).toBeLessThan(0.5);
  });
});

describe('which edit', () => {
  test('of equally short ones, the one that the search from both ends meets on first, higher diagonals first', () => {
    expect(hunksOf(text('a', 'b', 'c', 'a', 'b', 'b', 'a'), text('c', 'b', 'a', 'b', 'a', 'c'))).toHaveLength(16);
    expect(hunksOf(text('a', 'b'), text('b', 'a'))).toEqual([0, 1, 0, 0, 2, 0, 1, 1]);
  });

  test.each([
    [41, 8],
    [64, 16],
    [256, 32],
    [1024, 64],
  ])('of %i lines, one with %i partners may be passed over', (lines, many) => {
    const pair = (partners: number): TextPair => {
      const head = numbered('h', lines - 41);
      const others = Array.from({ length: partners }, (_, i) => [`r${i}`, 'often']).flat();
      return [text(...head, ...numbered('p', 20), 'often', ...numbered('q', 20)), text(...head, ...others, 'last')];
    };
    expect(removedLines(hunksOf(...pair(many - 1)))).toBe(40);
    expect(removedLines(hunksOf(...pair(many)))).toBe(41);
  });

  test.each([
    [1, 6, true],
    [1, 5, false],
    [3, 4, true],
    [3, 3, false],
    [0, 20, false],
    [20, 0, false],
  ])('a frequent line after %i and before %i without partner is passed over: %s', (above, below, isPassedOver) => {
    const others = Array.from({ length: 16 }, (_, i) => [`r${i}`, 'often']).flat();
    const hunks = hunksOf(
      text('A', ...numbered('p', above), 'often', ...numbered('q', below), 'B', ...numbered('z', 20)),
      text('A', ...others, 'r', 'B', 'y'),
    );
    expect(removedLines(hunks) - above - below - 20).toBe(isPassedOver ? 1 : 0);
  });

  test('the surroundings of a frequent line are looked at a hundred lines far', () => {
    const kept = (frequent: number): number => {
      const before = ['A', ...numbered('p', 300), ...repeated('often', frequent), 'q', 'B', 'z'];
      const hunks = hunksOf(text(...before), text('A', 's', ...repeated('often', 40), 'r', 'B', 'y'));
      return 300 + frequent + 2 - removedLines(hunks);
    };
    expect([24, 25, 26, 32, 33].map(kept)).toEqual([0, 2, 6, 30, 33]);
  });

  test('what takes a long search is left to git', () => {
    const before = Array.from({ length: 2000 }, (_, i) => `${(i * 7919) % 611}`);
    const after = Array.from({ length: 2000 }, (_, i) => `${(i * 104729) % 613}`);
    expect(tell([text(...before), text(...after)])).toBeNull();
  });
});

describe('where a group stands', () => {
  test('as far down as it goes where nothing speaks for another place', () => {
    expect(hunksOf(text('x', 'x', 'end'), text('x', 'x', 'x', 'x', 'x', 'x', 'end')).slice(2)).toEqual([2, 4]);
  });

  test('beside a group of the other file, if it can be', () => {
    expect(hunksOf(text('a', 'b', 'old', 'a', 'b', 'e'), text('a', 'b', 'a', 'b', 'a', 'b', 'e'))).toEqual([
      2, 1, 2, 2,
    ]);
  });

  test('together with groups that it comes to touch', () => {
    expect(hunksOf(text('a', 'x', 'e'), text('a', 'n', 'x', 'x', 'e'))).toEqual([1, 0, 1, 2]);
  });

  test('behind a blank line, and where a block of less indentation begins', () => {
    const block = ['f() {', '  body', '}', ''];
    const other = ['g() {', '  other', '}'];
    expect(hunksOf(text('start', '', ...other), text('start', '', ...block, ...other)).slice(2)).toEqual([2, 4]);
    const added = ['if (a) {', '  one', '}'];
    const pair: TextPair = [text('x', 'if (a) {', '  two', '}'), text('x', ...added, 'if (a) {', '  two', '}')];
    expect(hunksOf(...pair).slice(2)).toEqual([1, 3]);
  });

  test.each([
    [1, [1, 2, 0, 0]],
    [2, [2, 0, 0, 0]],
    [5, [5, 0, 0, 0]],
  ])('a group of %i lines no further up than its size and one more', (size, expected) => {
    const cycle = numbered('  x', size);
    const ups = [1, 2, 3, 4].map((times) => {
      const run = Array.from({ length: times }, () => cycle).flat();
      const hunks = hunksOf(text('a', '', ...run, '  z', 'e'), text('a', '', ...run, ...cycle, '  z', 'e'));
      return times * size + 2 - hunks[2]!;
    });
    expect(ups).toEqual(expected);
  });

  test('no more than a hundred lines above its lowest place', () => {
    const line = (i: number): string => ` ${String.fromCharCode(0x90 + (i % 100))}${i < 100 ? '' : 'a'}`;
    const up = (distance: number): number => {
      const block = Array.from({ length: 200 }, (_, i) => (i === 200 - distance ? 'T' : line(i)));
      return 201 - hunksOf(text(' a', ...block, ' z', 'e'), text(' a', ...block, ...block, ' z', 'e'))[2]!;
    };
    expect([1, 99, 100, 102].map(up)).toEqual([1, 99, 100, 0]);
  });

  test.each([
    ['\t', 8],
    [' \t', 8],
    ['\t ', 9],
    ['\r ', 1],
    ['\f ', 0],
  ])('white space %j is as deep as %i blanks', (white, blanks) => {
    const places = (indent: string): Hunks[] => {
      const pairs = Array.from({ length: 20 }, (_, depth): TextPair => {
        const block = [`${indent}s`, `${' '.repeat(depth)}t`];
        return [text('  a', ...block, '  z', 'e'), text('  a', ...block, ...block, '  z', 'e')];
      });
      const hunks = gitHunks(pairs);
      expect(pairs.map(tell)).toEqual(hunks);
      return hunks;
    };
    expect(places(white)).toEqual(places(' '.repeat(blanks)));
  });
});
