// The kernel's hunks against those of the git program, for random pairs of files. A failure names its seed.
import { describe, expect, test } from 'vitest';
import { createHunkTeller, gitHunks, type TextPair } from '../../oracles/hunks.ts';
import { createRandom } from '../../world/random-history.ts';

/** Those of the second and third met ties that a former table of costs did not know. */
const SEEDS = [1, 1013, 479748992, Math.floor(Math.random() * 2 ** 31)];
const tell = createHunkTeller();

type Random = (below: number) => number;

function expectGitsHunks(pairs: readonly TextPair[], mostLeft: number): void {
  const expected = gitHunks(pairs);
  let left = 0;
  for (const [i, pair] of pairs.entries()) {
    const hunks = tell(pair);
    if (hunks === null) left++;
    else expect(hunks, JSON.stringify(pair)).toEqual(expected[i]);
  }
  expect(left).toBeLessThanOrEqual(mostLeft);
}

/** Lines of few or many contents, with indentation, blank ones, and some that no other version has. */
function lineMaker(random: Random, contents: number): () => string {
  let fresh = 0;
  return () => {
    if (random(4) === 0) return `only${fresh++}-${random(1e6)}`;
    const content = random(contents);
    return content % 5 === 0 ? '' : `${' '.repeat((content % 4) * 2)}line${content}`;
  };
}

function randomPair(random: Random, size: number): TextPair {
  const line = lineMaker(random, 1 + random(random(2) === 0 ? 12 : size * 3));
  const lines = (count: number): string[] => Array.from({ length: count }, line);
  const before = lines(random(size));
  const after = [...before];
  for (let edits = 1 + random(5); edits > 0; edits--)
    after.splice(random(after.length + 1), random(1 + random(size)), ...lines(random(4)));
  if (random(3) === 0) after.splice(random(after.length + 1), 0, ...after.splice(random(after.length + 1), random(9)));
  const join = (all: readonly string[]): string => all.join('\n') + (all.length > 0 && random(6) > 0 ? '\n' : '');
  return [join(before), join(after)];
}

/** A block that is repeated, so that the added or removed copy can stand in several places. */
function slider(random: Random): TextPair {
  let number = 0;
  const line = (): string =>
    random(4) === 0 ? '' : `${['', ' ', '  ', '    ', '\t', ' \t', '\r'][random(7)]}line${number++}`;
  const lines = (count: number): string[] => Array.from({ length: count }, line);
  const [head, block, tail] = [lines(random(4)), lines(1 + random(6)), lines(random(4))];
  const text = (all: readonly string[]): string => all.map((each) => `${each}\n`).join('');
  const [shorter, longer] = [text([...head, ...block, ...tail]), text([...head, ...block, ...block, ...tail])];
  return random(2) === 0 ? [shorter, longer] : [longer, shorter];
}

describe.each(SEEDS)('seed %i', (seed) => {
  test.each([6, 25, 120])('pairs of up to %i lines', (size) => {
    const random = createRandom(seed);
    expectGitsHunks(
      Array.from({ length: 400 }, () => randomPair(random, size)),
      0,
    );
  });

  test('pairs of up to 1500 lines, of which few are left to git', () => {
    const random = createRandom(seed);
    expectGitsHunks(
      Array.from({ length: 60 }, () => randomPair(random, 1500)),
      15,
    );
  });

  test('sliders stand where git puts them', () => {
    const random = createRandom(seed);
    const pairs = Array.from({ length: 600 }, () => slider(random));
    const expected = gitHunks(pairs);
    const elsewhere = pairs.filter((pair, i) => `${tell(pair)}` !== `${expected[i]}`);
    expect(elsewhere).toEqual([]);
  });
});
