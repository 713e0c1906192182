import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  disjointRuns,
  KIND_SHARES,
  type LineRun,
  lineShare,
  mergeLineEvidence,
  recordsToEvidence,
} from '../../../src/engine/evidence/line-evidence.ts';

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
        const expected = Math.max(0, ...claims.map((one) => KIND_SHARES[one.kind]));
        expect(lineShare(result, line)).toBe(expected);
      }
    }),
    { seed: SEED, numRuns: 500 },
  );
});

test('a line without a record is not AI’s', () => {
  const runs = [run(0, 2, 'ai', 'gpt-5'), run(2, 3, 'human'), run(5, 6, 'mixed', 'gpt-5')];
  expect([0, 1, 2, 3, 5].map((line) => lineShare(runs, line))).toEqual([1000, 1000, 0, 0, 500]);
  expect(lineShare(undefined, 0)).toBe(0);
});

test.each([
  ['human records only', [run(0, 9, 'human')], 'human', []],
  ['AI records only', [run(0, 9, 'ai', 'm')], 'ai', ['m']],
  ['both kinds of records', [run(0, 9, 'ai', 'm'), run(9, 12, 'human')], 'mixed', ['m']],
  ['records of work done together', [run(0, 9, 'mixed', 'm')], 'mixed', ['m']],
  ['two models', [run(0, 9, 'ai', 'n'), run(9, 12, 'ai', 'm')], 'ai', ['m', 'n']],
] as const)('with %s the commit is decided', (_, runs, kind, models) => {
  const { contributor_kind, ai } = recordsToEvidence(new Map([['a.ts', runs]]));
  expect([contributor_kind, ai.map(({ model }) => model)]).toEqual([kind, models]);
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
