// What single lines are worth before age, each worked out by hand as a share of one full added line.
import { describe, expect, test } from 'vitest';
import { FORMULA_VERSION } from '../../../src/domain/commits/current-derivation.ts';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import { CATEGORY_MULTIPLIER, SCORE } from '../../../src/engine/judge/score-table.ts';
import { commitDiff, fileDiff } from './marked-diff.ts';

const FULL = 10 * SCORE.k * 1000;
const classifier = createClassifier();

function scores(path: string | null, oldPath: string | null, removed: string[], added: string[], options = {}) {
  const at = oldPath === null || path === null ? 0 : 50;
  const commit = commitDiff([fileDiff(oldPath, path, [{ oldIndex: at, newIndex: at, removed, added }])]);
  const own = Object.keys(options).length === 0 ? classifier : createClassifier(options);
  const { addedScores, removedScores, removedAsNew } = own.classify(commit, { attributes: null });
  return { added: [...addedScores], removed: [...removedScores], asNew: [...removedAsNew] };
}
const shares = (...factors: number[]) => factors.map((factor) => Math.round(FULL * factor));

/** A line of 40 characters or more, different for each number. */
const line = (n: number) => `const name${n} = computeSomething(firstOf${n}, second${n});`;

describe('the score of a line', () => {
  test('grows with its length from a fifth to the whole', () => {
    expect(scores('a.ts', 'a.ts', [], ['ab', 'x'.repeat(20), 'y'.repeat(40), 'z'.repeat(400)]).added).toEqual(
      shares(0.2, 0.5, 1, 1),
    );
  });

  test('is nothing for blank lines, brackets, bare keywords and ad-hoc comments', () => {
    expect(scores('a.ts', 'a.ts', [], ['', '});', '} else {', '// because of this and that']).added).toEqual(
      shares(0, 0, 0, 0),
    );
  });

  test('is that of documentation in a doc comment', () => {
    expect(scores('a.ts', 'a.ts', [], [`/** ${'d'.repeat(40)} */`, line(1)]).added).toEqual(shares(0.5, 1));
  });

  test('follows the category of the file', () => {
    expect(scores('docs/a.md', 'docs/a.md', [], [line(1)]).added).toEqual(shares(0.5));
    expect(scores('a.css', 'a.css', [], [line(1)]).added).toEqual(shares(0.6));
    expect(scores('test/fixtures/a.js', 'test/fixtures/a.js', [], [line(1)]).added).toEqual(shares(0.1));
    expect(scores('vendor/a.js', 'vendor/a.js', [line(2)], [line(1)])).toEqual({
      added: [0],
      removed: [0],
      asNew: [0],
    });
  });

  test('follows the multiplier of a customer rule', () => {
    const options = { pathRules: [{ pattern: 'core/**', multiplier: 3 }] };
    expect(scores('core/a.ts', 'core/a.ts', [], [line(1)], options).added).toEqual(shares(3));
  });

  test('is lower in a file that the commit creates or deletes', () => {
    expect(scores('a.ts', null, [], [line(1)]).added).toEqual(shares(0.7));
    expect(scores(null, 'a.ts', [line(1)], []).removed).toEqual(shares(0.7));
  });

  test('falls from the 21st line of an operation in a file on', () => {
    const many = Array.from({ length: 40 }, (_, n) => line(n));
    const expected = shares(...many.map((_, n) => (n < 20 ? 1 : 20 / (n + 1))));
    expect(scores('a.ts', 'a.ts', [], many).added).toEqual(expected);
    expect(scores('a.ts', 'a.ts', many, []).removed).toEqual(expected);
  });

  test('of a removed line as new knows no bulk', () => {
    const many = Array.from({ length: 40 }, (_, n) => line(n));
    expect(scores('a.ts', 'a.ts', many, []).asNew).toEqual(shares(...many.map(() => 1)));
  });

  test('of a pair stands at both its lines, by the new text', () => {
    const result = scores('a.ts', 'a.ts', ['total = a + b + c'], ['total = a + b + c + d']);
    expect(result.added).toEqual(shares(13 / 40));
    expect(result.removed).toEqual(result.added);
    expect(result.asNew).toEqual(shares(11 / 40));
  });

  test('is nothing for copies and moves', () => {
    const long = `throw new Error('${'because '.repeat(10)}');`;
    expect(scores('a.ts', 'a.ts', [], [long, line(1), long]).added).toEqual(shares(1, 1, 0));
  });
});

test('the table of constants is that of its version', () => {
  // Whoever changes a constant raises the version and writes down the new table here.
  expect({ version: FORMULA_VERSION, SCORE, CATEGORY_MULTIPLIER }).toMatchSnapshot();
});
