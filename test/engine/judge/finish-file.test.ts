import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import {
  ageAnswer,
  finishFile as finishInto,
  type OpenFile,
  OWN_RECENT,
  openFile,
  spread,
} from '../../../src/engine/judge/finish-file.ts';
import { SCORE } from '../../../src/engine/judge/score-table.ts';
import { DOC_COMMENT_BIT, FILE_COLUMN_COUNT, LINE_OP, UNSCORED_BIT } from '../../../src/engine/model/classified.ts';
import { createMeasureRow, FILE_MEASURES, type FileMeasures } from '../../../src/engine/model/facts.ts';
import { parseMarkedDiff } from './marked-diff.ts';

const classifier = createClassifier();
const NO_AI = { commitShare: 0, addedShares: null };

function open(diff: string, ai: Parameters<typeof openFile>[2] = NO_AI): OpenFile {
  return openFile(classifier.classify(parseMarkedDiff(diff).commit, { attributes: null }), 0, ai);
}

function finishFile(file: OpenFile, answers: Uint8Array): FileMeasures {
  const row = createMeasureRow();
  finishInto(file, answers, row);
  return Object.fromEntries(FILE_MEASURES.map((name, place) => [name, row[place]])) as FileMeasures;
}

const LINE = 'const total = sumOfAllThings(first, second, third);';
/** One whole added line of backend code, in thousandths. */
const FULL = Math.round(10 * SCORE.k * 1000);

describe('ages', () => {
  test('an age in days falls into the bucket below its limit; a negative age is young', () => {
    expect([-5, 0, 13.99, 14, 29.9, 30, 364.9, 365, 729.9, 730, 9999].map((days) => ageAnswer(days))).toEqual([
      1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
    ]);
  });

  test('a deleted line scores by the age of what it removes', () => {
    const file = open(`= src/a.ts\nd-${LINE}`);
    const scores = [1, 2, 3, 4, 5].map((age) => finishFile(file, Uint8Array.of(age)).delta_deleted);
    expect(scores).toEqual([0.1, 0.5, 1, 1.75, 2.5].map((factor) => Math.round(FULL * factor)));
  });

  test('an updated line scores by the age of what it replaces', () => {
    const file = open(`= src/a.ts\nu-${LINE}\nu+${LINE.replace('third', 'fourth')}`);
    const scores = [1, 2, 3, 4, 5].map((age) => finishFile(file, Uint8Array.of(age)).delta_updated);
    expect(scores).toEqual([0.1, 0.5, 0.8, 1, 1].map((factor) => Math.round(FULL * factor)));
  });

  test('an open line counts in no age and no score, and is counted as an operation', () => {
    const measures = finishFile(open(`= src/a.ts\nd-${LINE}`), Uint8Array.of(0));
    expect(measures.lines_deleted).toBe(1);
    expect(measures.delta_deleted).toBe(0);
    expect(measures.age_lt_2w + measures.age_gte_2y).toBe(0);
  });

  test('the wrong number of answers is refused', () => {
    expect(() => finishFile(open(`= src/a.ts\nd-${LINE}`), new Uint8Array(2))).toThrow(/2 entries.*1 removed/);
  });
});

describe('churn', () => {
  test('rewriting lines one wrote days ago costs four fifths of what they would score as new', () => {
    const file = open(
      `= src/a.ts\n@ 0 0\nd-${LINE}\n@ 30 29\na+${LINE.replace('total', 'a + b + c').replace('sum', 'x')}`,
    );
    const foreign = finishFile(file, Uint8Array.of(1));
    const own = finishFile(file, Uint8Array.of(1 | OWN_RECENT));
    const sum = (m: typeof own) => m.delta_added + m.delta_deleted;
    expect(sum(foreign) - sum(own)).toBe(Math.round(FULL * 0.8));
    expect(own.lines_churned).toBe(1);
  });

  test('the subtraction never makes a score negative', () => {
    const measures = finishFile(open(`= src/a.ts\nd-${LINE}`), Uint8Array.of(1 | OWN_RECENT));
    expect(measures.delta_deleted).toBe(0);
  });
});

describe('AI credit', () => {
  const DIFF = `= src/a.ts\na+${LINE}\na+somethingElse(entirely, different, words, here);\n@ 90 92\nd-old.line(of, no, interest);`;

  test('a share for the commit credits every line of it', () => {
    const measures = finishFile(open(DIFF, { commitShare: 500, addedShares: null }), Uint8Array.of(3));
    expect([measures.ai_lines_added, measures.ai_lines_deleted, measures.ai_lines_changed]).toEqual([1000, 500, 1500]);
    const delta = measures.delta_added + measures.delta_deleted;
    expect(measures.ai_delta).toBe(Math.round(delta / 2));
  });

  test('exact records credit the lines they name; the larger share counts', () => {
    const exact = { commitShare: 300, addedShares: Uint16Array.of(1000, 0) };
    const measures = finishFile(open(DIFF, exact), Uint8Array.of(3));
    expect([measures.ai_lines_added, measures.ai_lines_deleted]).toEqual([1300, 300]);
  });
});

describe('any file', () => {
  const OPS = [LINE_OP.noop, LINE_OP.deleted, LINE_OP.moved, LINE_OP.updated, LINE_OP.find_replaced];
  const removedLine = fc.record({
    op: fc.constantFrom(...OPS),
    bits: fc.constantFrom(0, 0, DOC_COMMENT_BIT, UNSCORED_BIT),
    score: fc.nat(60_000),
    asNew: fc.nat(60_000),
    answer: fc.constantFrom(0, 1, 1 | OWN_RECENT, 2, 3, 4, 5),
  });

  test('the score split by operation and split by age add up to the same, exactly', () => {
    fc.assert(
      fc.property(fc.array(removedLine, { maxLength: 40 }), fc.nat(2 ** 34), fc.nat(1000), (lines, added, share) => {
        const scores = Uint32Array.from(lines, ({ score, bits }) => (bits === UNSCORED_BIT ? 0 : score));
        const file: OpenFile = {
          category: 'backend',
          commit: {
            files: new Int32Array(FILE_COLUMN_COUNT),
            removedOps: Uint8Array.from(lines, ({ op, bits }) => op | bits),
            removedScores: scores,
            removedAsNew: Uint32Array.from(lines, ({ asNew }) => asNew),
          },
          fileIndex: 0,
          removedFrom: 0,
          removedTo: lines.length,
          isDeleted: false,
          aiLinesAdded: 0,
          aiLinesDeleted: 0,
          aiLinesChanged: 0,
          docLines: 0,
          addedScore: added,
          addedDocScore: Math.floor(added / 3),
          addedAiScore: added * share,
          shares: share,
        };
        const answers = Uint8Array.from(lines, ({ answer }) => answer);
        const m = finishFile(file, answers);
        const byOperation = m.delta_added + m.delta_updated + m.delta_deleted + m.delta_find_replaced;
        const byAge = m.delta_new + m.delta_lt_2w + m.delta_lt_1m + m.delta_lt_1y + m.delta_lt_2y + m.delta_gte_2y;
        expect(byOperation).toBe(byAge);
        expect(Object.values(m).every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
        expect(m.doc_delta).toBeLessThanOrEqual(byAge);
        expect(m.ai_delta).toBeLessThanOrEqual(byAge);
        // What was taken off is what the rule says, to the unit.
        const without = finishFile(
          file,
          answers.map((answer) => answer & ~OWN_RECENT),
        );
        const before =
          without.delta_added + without.delta_updated + without.delta_deleted + without.delta_find_replaced;
        const counted = [LINE_OP.deleted, LINE_OP.updated, LINE_OP.find_replaced] as number[];
        const ownAsNew = lines.reduce(
          (sum, { op, answer, asNew }) => sum + (counted.includes(op) && (answer & OWN_RECENT) !== 0 ? asNew : 0),
          0,
        );
        expect(byOperation).toBe(Math.max(0, before - Math.round((ownAsNew * 80) / 100)));
      }),
      { numRuns: 1000 },
    );
  });

  test('spreading keeps the sum and never moves a part by a whole unit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(2 ** 40), { minLength: 1, maxLength: 16 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (parts, ratio) => {
          const whole = parts.reduce((sum, part) => sum + part, 0);
          const kept = Math.floor(whole * ratio);
          const result = spread(Float64Array.from(parts), whole, kept);
          expect(result.reduce((sum, part) => sum + part, 0)).toBe(kept);
          parts.forEach((part, i) => {
            if (whole > 0) expect(Math.abs(result[i]! - part * (kept / whole))).toBeLessThan(1.01);
          });
        },
      ),
    );
  });
});
