// Texts that hide an error are found wherever they stand on a line.
import { expect, test } from 'vitest';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import { C_MASKS, PHP_MASKS, PYTHON_MASKS, RUBY_MASKS, SHELL_MASKS } from '../../../src/engine/judge/error-masks.ts';
import { fileColumn } from '../../../src/engine/model/classified.ts';
import { commitDiff, fileDiff } from './marked-diff.ts';

const classifier = createClassifier();

function countMasks(path: string, added: string[]): number {
  const commit = commitDiff([fileDiff(path, path, [{ oldIndex: 50, newIndex: 50, removed: [], added }])]);
  return fileColumn(classifier.classify(commit, { attributes: null }), 0, 'error_masks');
}

/** Behind 0 to 40 other bytes, so that it begins and ends anywhere in what is looked at together. */
const shifted = (text: string, rest: string) => Array.from({ length: 41 }, (_, n) => `${'x'.repeat(n)}${text}${rest}`);

const LANGUAGES = [
  ['a.ts', C_MASKS],
  ['a.php', PHP_MASKS],
  ['a.py', PYTHON_MASKS],
  ['a.rb', RUBY_MASKS],
  ['a.sh', SHELL_MASKS],
] as const;

test.each(LANGUAGES)('each text of %s is found behind any number of bytes', (path, masks) => {
  for (const mask of masks) {
    const spread = mask.replaceAll('*', ' (Of e) ').replaceAll(' ', '  ');
    const closed = mask.replaceAll('*', '').replaceAll(' ', '');
    for (const text of [spread, closed])
      for (const rest of ['', 'y'.repeat(30)]) expect(countMasks(path, shifted(text, rest)), text).toBe(41);
  }
});

test.each(LANGUAGES)(
  'a text of %s without its last byte is none, and the next line does not complete it',
  (path, masks) => {
    for (const mask of masks) {
      const text = mask.replaceAll('*', ' (Of e) ');
      const lines = shifted(text.slice(0, -1), '').flatMap((line) => [line, text.slice(-1)]);
      expect(countMasks(path, lines), text).toBe(0);
    }
  },
);
