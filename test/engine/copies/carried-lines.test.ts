import { expect, test } from 'vitest';
import { matchCarriedLines } from '../../../src/engine/copies/carried-lines.ts';

const minHash = (hashes: readonly number[], lineCount = hashes.length) => ({
  hashes: Uint32Array.from(hashes.toSorted((a, b) => a - b)),
  lineCount,
});

test('added lines belong to the newest source that added them, removed ones to none', () => {
  const squash = minHash([1, 3, 5, 7, 8]);
  expect(matchCarriedLines(squash, [minHash([3, 8]), minHash([1, 3, 9])])).toEqual({ compared: 4, found: [1, 1] });
});

test('where a min-hash is cut, lines count up to where all are complete', () => {
  const squash = minHash([1, 3, 5, 7]);
  expect(matchCarriedLines(squash, [minHash([1, 3], 10)])).toEqual({ compared: 2, found: [2] });
});
