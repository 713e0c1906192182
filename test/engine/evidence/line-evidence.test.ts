import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  combineEvidence,
  disjointRuns,
  KIND_SHARES,
  type LineRun,
  lineShare,
  mergeLineEvidence,
} from '../../../src/engine/evidence/line-evidence.ts';
import { readCommitEvidence } from '../../../src/engine/evidence/read-commit-evidence.ts';

const SEED = Number(process.env.SEED ?? 7);
const run = (start: number, end: number, kind: LineRun['kind'], model: string | null = null): LineRun => ({
  start,
  end,
  kind,
  model,
  provider: kind === 'human' ? null : 'other',
  source: 'note',
});

const anyRun = fc
  .tuple(
    fc.nat(60),
    fc.integer({ min: 1, max: 20 }),
    fc.constantFrom<LineRun['kind']>('ai', 'human', 'mixed'),
    fc.constantFrom('m1', 'm2'),
  )
  .map(([start, length, kind, model]) => run(start, start + length, kind, kind === 'human' ? null : model));

test(`overlapping runs become disjoint ones that give each line its largest share (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 12 }), (runs) => {
      const result = disjointRuns(runs);
      for (let index = 1; index < result.length; index += 1)
        expect(result[index]!.start >= result[index - 1]!.end).toBe(true);
      for (let line = 0; line < 90; line += 1) {
        const claims = runs.filter((one) => one.start <= line && line < one.end);
        const expected = Math.max(333, ...claims.map((one) => KIND_SHARES[one.kind]));
        expect(lineShare(result, line, 333)).toBe(expected);
      }
    }),
    { seed: SEED, numRuns: 500 },
  );
});

const AUTHOR = { name: 'Ada', email: 'ada@x.org' };
const commitWith = (message: string) => readCommitEvidence({ raw_author: AUTHOR, raw_committer: AUTHOR, message });

test('of an exact record and the marks of the commit the larger share counts', () => {
  const commit = commitWith('Fix\n\nCo-Authored-By: Claude Opus 4.5 <noreply@anthropic.com>\n');
  const runs = [run(0, 2, 'ai', 'gpt-5'), run(2, 3, 'human')];
  expect([0, 1, 2, 3].map((line) => lineShare(runs, line, 500))).toEqual([1000, 1000, 500, 500]);
  const both = combineEvidence(commit, new Map([['a.ts', runs]]));
  expect(both.contributor_kind).toBe('mixed');
  expect(both.ai).toEqual([
    { model: 'claude-opus-4.5', provider: 'vendorC_platform', source: 'co_author', share: 500 },
    { model: 'gpt-5', provider: 'other', source: 'note', share: 0 },
  ]);
});

test.each([
  ['nothing', 'Fix\n', [], 'unknown'],
  ['human records only', 'Fix\n', [run(0, 9, 'human')], 'human'],
  ['AI records only', 'Fix\n', [run(0, 9, 'ai', 'm')], 'ai'],
  ['both kinds of records', 'Fix\n', [run(0, 9, 'ai', 'm'), run(9, 12, 'human')], 'mixed'],
  ['a co-author and human records', 'Fix\n\nCo-authored-by: Codex <codex@openai.com>\n', [run(0, 9, 'human')], 'mixed'],
] as const)('with %s the commit is decided', (_, message, runs, kind) => {
  expect(combineEvidence(commitWith(message), new Map([['a.ts', runs]])).contributor_kind).toBe(kind);
});

test('notes and traces of the same file merge by the larger share', () => {
  const merged = mergeLineEvidence([
    new Map([['a.ts', [run(0, 4, 'human')]]]),
    new Map([
      ['a.ts', [run(2, 6, 'ai', 'm')]],
      ['b.ts', [run(0, 1, 'human')]],
    ]),
  ]);
  expect(merged.get('a.ts')?.map(({ start, end, kind }) => [start, end, kind])).toEqual([
    [0, 2, 'human'],
    [2, 6, 'ai'],
  ]);
  expect(merged.get('b.ts')).toHaveLength(1);
});
