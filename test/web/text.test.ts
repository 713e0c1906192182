// Numbers as people read them.
import { describe, expect, test } from 'vitest';
import { countOf, describeChange, formatCompact, formatValue, formatWithUnit } from '../../web/src/text/numbers.ts';
import { firstLine, initials, sentence, wireWords } from '../../web/src/text/words.ts';

describe('a value', () => {
  test.each([
    [48210.4, 'lines', 0, '48,210'],
    [10.44, '%', 1, '10.4\u202f%'],
    [null, '%', 1, '–'],
    [0, 'lines', 0, '0'],
    [-3, 'Diff Delta', 0, '−3'],
    [-0.04, '%', 1, '−0.04\u202f%'],
    [-0.004, '%', 1, '0.0\u202f%'],
    [0.23, 'developers', 0, '0.2'],
    [4210, 'cents', 0, '$42.10'],
    [-50, 'cents', 0, '−$0.50'],
  ])('%j %s with %d decimals is %s', (value, unit, precision, text) => {
    expect(formatValue(value, { unit, precision })).toBe(text);
  });

  test.each([
    [1, 'commits', '1 commit'],
    [2, 'commits', '2 commits'],
    [1, 'Diff Delta', '1 Diff Delta'],
    [12, '%', '12\u202f%'],
  ])('in a sentence %d %s is %s', (value, unit, text) => {
    expect(formatWithUnit(value, { unit, precision: 0 })).toBe(text);
  });

  test('the number that is shown decides between one and many', () => {
    expect(formatWithUnit(1.04, { unit: 'developers', precision: 0 })).toBe('1 developer');
    expect(formatWithUnit(1.04, { unit: 'developers', precision: 1 })).toBe('1.0 developers');
  });

  test('axes are short', () => {
    expect([0, 0.5, 1200, 48_000, 2_500_000].map((value) => formatCompact(value, 'lines'))).toEqual([
      '0',
      '0.5',
      '1,200',
      '48k',
      '2.5m',
    ]);
    expect(formatCompact(25, '%')).toBe('25\u202f%');
    expect([0, 6_000, 8_000, 10_000, 12_000].map((value) => formatCompact(value, 'lines', 12_000))).toEqual([
      '0',
      '6k',
      '8k',
      '10k',
      '12k',
    ]);
    expect(formatCompact(250_000, 'cents', 2_500_000)).toBe('$2.5k');
    expect(formatCompact(250_000, 'cents')).toBe('$2,500');
  });
});

describe('a change', () => {
  const lines = { unit: 'lines', precision: 0 };
  const share = { unit: '%', precision: 1 };

  test('of a count is told in percent', () => {
    expect(describeChange(106, 100, lines, true)).toEqual({ text: '6\u202f%', direction: 'up', isBetter: true });
    expect(describeChange(50, 100, lines, null)).toEqual({ text: '50\u202f%', direction: 'down', isBetter: null });
  });

  test('of nearly all is not all', () => {
    const lost = (left: number) => describeChange(left, 39_994, lines, null)?.text;
    expect([lost(37), lost(1), lost(0), lost(500)]).toEqual(['99.9\u202f%', '99.9\u202f%', '100\u202f%', '99\u202f%']);
  });

  test('of a percentage is told in points', () => {
    expect(describeChange(10.4, 12.3, share, false)).toEqual({ text: '1.9 points', direction: 'down', isBetter: true });
  });

  test('of many times is told as a factor', () => {
    expect(describeChange(24_000, 100, lines, true)?.text).toBe('240×');
  });

  test('is not told where there is nothing to compare with', () => {
    expect(describeChange(5, null, lines, true)).toBeNull();
    expect(describeChange(null, 5, lines, true)).toBeNull();
    expect(describeChange(5, 0, lines, true)).toBeNull();
  });

  test('too small to show is no change', () => {
    expect(describeChange(10.01, 10.02, share, false)).toEqual({
      text: 'no change',
      direction: 'same',
      isBetter: null,
    });
  });
});

test('a sentence begins with a capital, a name with its own letters', () => {
  expect(sentence('the host has no such repo')).toBe('The host has no such repo.');
  expect(sentence('imported/empty has no branch')).toBe('imported/empty has no branch.');
  expect(sentence('git.example.org does not answer')).toBe('git.example.org does not answer.');
  expect(sentence('interval: daily points are too many')).toBe('Interval: daily points are too many.');
});

test('words of the wire become words', () => {
  expect(wireWords('same_commit_in_another_repo')).toBe('same commit in another repo');
  expect(firstLine('Fix quoting\n\nLong story')).toBe('Fix quoting');
  expect([initials('Ada Lovelace'), initials('ada@corp.example'), initials('')]).toEqual(['AL', 'A', '?']);
  expect([countOf(1, 'commit'), countOf(1204, 'commit'), countOf(2, 'person', 'people')]).toEqual([
    '1 commit',
    '1,204 commits',
    '2 people',
  ]);
});
