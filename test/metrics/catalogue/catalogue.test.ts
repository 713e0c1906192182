// The catalogue as a whole: complete, honest about itself, and with its SQL checked in.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGE_BUCKETS, OPERATION_ROWS, OPERATIONS } from '../../../src/domain/commits/line-model.ts';
import { SEGMENT_ALIASES, SEGMENT_IDS } from '../../../src/domain/segments.ts';
import { FACTS } from '../../../src/metrics/catalogue/facts.ts';
import { MEASURES } from '../../../src/metrics/catalogue/measures.ts';
import type { SegmentRow } from '../../../src/metrics/catalogue/segment-row.ts';
import { SEGMENTS, SUBJECTS } from '../../../src/metrics/catalogue/segments/index.ts';
import { planSegment } from '../../../src/metrics/compile/plan-segment.ts';
import { generatedMetricFiles } from '../../../src/metrics/generated-files.ts';

const root = new URL('../../../', import.meta.url);

test('there are 120 statistics, each in one subject, and one alias', () => {
  expect(SEGMENT_IDS).toHaveLength(120);
  const listed = Object.values(SUBJECTS).flatMap((subject) => Object.keys(subject));
  expect(listed.toSorted()).toEqual([...SEGMENT_IDS].toSorted());
  expect(SEGMENT_ALIASES).toEqual({ diff_delta: 'none' });
});

test('each statistic has an example worked out by hand', () => {
  const folder = new URL('../', import.meta.url);
  const text = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  expect(SEGMENT_IDS.filter((segment) => !text.includes(`segment: '${segment}'`))).toEqual([]);
});

test('the dictionary and the SQL of each statistic are checked in', () => {
  const files = generatedMetricFiles();
  const outdated = Object.entries(files).filter(([path, content]) => {
    try {
      return readFileSync(new URL(path, root), 'utf8') !== content;
    } catch {
      return true;
    }
  });
  expect(outdated.map(([path]) => path)).toEqual([]);
  const stored = readdirSync(new URL('contract/sql/', root)).map((name) => `contract/sql/${name}`);
  expect(stored.filter((path) => !Object.hasOwn(files, path))).toEqual([]);
});

test('a statistic needs the kinds of data that its measures read', () => {
  for (const segment of SEGMENT_IDS) {
    const row = SEGMENTS[segment];
    for (const { question } of planSegment(row, 'none', 'weekly').questions) {
      const { fact, needs } = {
        fact: MEASURES[question.measure].fact,
        needs: FACTS[MEASURES[question.measure].fact].needs,
      };
      // usage only adds to what evidence in commits says
      if (fact === 'usage_credits' || fact === 'recent_usage_credits') continue;
      expect(row.needs, `${segment} reads ${fact}`).toContain(needs);
    }
  }
});

test('every measure is used by a statistic or a card', () => {
  const used = new Set(
    SEGMENT_IDS.flatMap((segment) => {
      const row: SegmentRow = SEGMENTS[segment];
      const ends = row.range === undefined ? [] : [row.range.low, row.range.high];
      return [row, ...ends.map((end) => ({ ...row, ...end }))].flatMap((each) =>
        planSegment(each, 'none', 'weekly').questions.map(({ question }) => question.measure),
      );
    }),
  );
  const cards = ['summarize', 'remarks/remark-on']
    .map((name) => readFileSync(new URL(`src/metrics/${name}.ts`, root), 'utf8'))
    .join();
  const unused = Object.keys(MEASURES).filter((name) => !used.has(name as never) && !cards.includes(`'${name}'`));
  expect(unused).toEqual([]);
});

test('series are named as the line model names them', () => {
  expect(Object.keys(SEGMENTS.line_operation_counts.bands ?? {})).toEqual(
    OPERATIONS.map((name) => OPERATION_ROWS[name].label),
  );
  expect(Object.keys(SEGMENTS.provenance.bands ?? {})).toEqual(AGE_BUCKETS.map(({ label }) => label));
});

test('what counts as a commit names everything that is left out', () => {
  for (const leftOut of ['merges', 'copies', 'limited or no processing', 'bots']) {
    expect(SEGMENTS.commit_count.description).toContain(leftOut);
  }
});

test('descriptions are sentences, and no statistic keeps itself honest', () => {
  for (const segment of SEGMENT_IDS) {
    const { description, companion } = SEGMENTS[segment];
    expect(description, segment).toMatch(/^[A-Z].*\.$/);
    expect(companion, segment).not.toBe(segment);
  }
});
