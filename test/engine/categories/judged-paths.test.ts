// Paths drawn by lot from public repositories and judged one by one, with the reason. The rules were changed after looking
// at the rows of the sample `tuned`; those of `held_out` were drawn and judged afterwards.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../../src/domain/commits/line-model.ts';
import { createFileJudge } from '../../../src/engine/categories/judge-file.ts';
import { lineBlock } from '../judge/marked-diff.ts';

interface JudgedPath {
  readonly sample: string;
  readonly repository: string;
  readonly path: string;
  readonly category: string;
  readonly reason: string;
  /** What the judge sees in addition to the path: an attribute, or the line that tells. */
  readonly seen: string;
}

const [, ...lines] = readFileSync(new URL('./judged-paths.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const rows = lines.map((line): JudgedPath => {
  const [sample = '', repository = '', path = '', category = '', reason = '', seen = ''] = line.split('\t');
  return { sample, repository, path, category, reason, seen };
});

const judge = createFileJudge();
const generated = { of: () => ({ generated: true }) };
function judged({ path, seen }: JudgedPath): string {
  const isAttribute = seen === 'linguist-generated';
  const top = isAttribute || seen === '' ? null : lineBlock([seen]);
  return judge.judge(path, isAttribute ? generated : null, { opening: top, isMarked: undefined }).category;
}

const MAX_WRONG_SHARE = 0.05;

describe.each(['tuned', 'held_out'])('the sample %s', (sample) => {
  const drawn = rows.filter((row) => row.sample === sample);

  test('is of at least 300 paths of six repositories, each with a category and a reason', () => {
    expect(drawn.length).toBeGreaterThanOrEqual(300);
    expect(new Set(drawn.map(({ repository }) => repository)).size).toBeGreaterThanOrEqual(6);
    const keys: readonly string[] = CATEGORIES.map(({ key }) => key);
    expect(drawn.filter(({ category, reason }) => !keys.includes(category) || reason === '')).toEqual([]);
  });

  test('has at most one path in twenty in another category than the one it was judged to have', () => {
    const wrong = drawn.filter((row) => judged(row) !== row.category);
    const share = wrong.length / drawn.length;
    console.info(
      `${sample}: ${wrong.length} of ${drawn.length} paths (${(100 * share).toFixed(1)} %) judged otherwise:\n${wrong
        .map((row) => `  ${row.repository} ${row.path}: ${judged(row)}, should be ${row.category} (${row.reason})`)
        .join('\n')}`,
    );
    expect(share).toBeLessThanOrEqual(MAX_WRONG_SHARE);
  });
});
