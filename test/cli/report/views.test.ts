// A report as text: what a person sees in the terminal, in a spreadsheet and in a table.
import { describe, expect, test } from 'vitest';
import { chartLines, csvLines, headingLines, type ReportView, tableText } from '../../../src/cli/report/views.ts';
import { paint, visibleLength } from '../../../src/cli/terminal/text.ts';

const plain = paint(false);
const points = (...values: (number | null)[]) =>
  values.map((y, index) => ({
    x: `May ${index + 1}`,
    y,
    start_date: `2026-05-0${index + 1}`,
    end_date: `2026-05-0${index + 1}`,
  }));

const view: ReportView = {
  title: 'Commits',
  description: 'Commits that count.',
  unit: 'commits',
  precision: 0,
  scope: 'local',
  interval: 'daily',
  range: { from: '2026-05-01', to: '2026-05-03' },
  contributors: { covered: 3, total: 3 },
  isSum: true,
  series: { Commits: points(2, 0, 1) },
  width: 100,
};

describe('the heading', () => {
  test('names the unit where the title does not, and how many people are covered where not all are', () => {
    expect(headingLines(view, plain)).toEqual([
      'Commits',
      'local, 2026-05-01 to 2026-05-03, daily',
      'Commits that count.',
    ]);
    const hours = { ...view, title: 'Time to merge', unit: 'hours', contributors: { covered: 2, total: 9 } };
    expect(headingLines(hours, plain).slice(0, 2)).toEqual([
      'Time to merge (hours)',
      'local, 2026-05-01 to 2026-05-03, daily, 2 of 9 contributors',
    ]);
  });
});

describe('the chart', () => {
  test('draws one series bar by bar, and adds up what can be added up', () => {
    expect(chartLines(view, plain)).toEqual([
      `May 1  2  ${'█'.repeat(50)}`,
      'May 2  0',
      `May 3  1  ${'█'.repeat(25)}`,
      'total  3',
    ]);
    expect(chartLines({ ...view, isSum: false }, plain)).toHaveLength(3);
  });

  test('draws several on one scale, each in a line', () => {
    const lines = chartLines({ ...view, series: { Web: points(8, 0, null), 'Back\u001bend': points(1, 4, 8) } }, plain);
    expect(lines).toEqual([
      '          total  May 1 → May 3, highest 8',
      'Web           8  █· ',
      'Back?end     13  ▁▄█',
      '--format table shows every figure.',
    ]);
  });

  test('shows the latest value of what cannot be added up', () => {
    const lines = chartLines(
      { ...view, isSum: false, precision: 1, series: { a: points(8, 2.5, null), b: points(1, 1, 1) } },
      plain,
    );
    expect(lines[1]).toBe('a     2.5  █▃ ');
  });

  test('puts neighbours together where there are too many points', () => {
    const many = Array.from({ length: 150 }, () => ({ x: '', y: 5, start_date: '', end_date: '' }));
    expect(chartLines({ ...view, series: { a: many, b: many } }, plain)[1]).toBe(`a    750  ${'█'.repeat(50)}`);
  });
});

test.each([40, 60])('on a terminal of %i columns no line of a chart is wider', (width) => {
  const narrow = { ...view, description: 'Commits that count in some way or other. '.repeat(4).trim(), width };
  const many = Array.from({ length: 150 }, () => ({ x: 'May 1', y: 5, start_date: '', end_date: '' }));
  const lines = [
    ...headingLines(narrow, plain),
    ...chartLines(narrow, plain),
    ...chartLines({ ...narrow, series: { Web: many, Backend: many } }, plain).slice(1),
  ];
  for (const line of lines) expect(visibleLength(line)).toBeLessThanOrEqual(width);
});

test('a table has its figures under each other, with totals of sums', () => {
  const series = { 'One with a name': points(1, 2000, null), b: points(0, 3, 4) };
  expect(tableText({ ...view, series }).split('\n')).toEqual([
    '       One with a name  b',
    '-----  ---------------  -',
    'May 1                1  0',
    'May 2            2,000  3',
    'May 3                -  4',
    'total            2,001  7',
  ]);
});

test('CSV is empty where a 0 is unknown', () => {
  const [first] = points(0);
  expect(csvLines({ known: [first!], unknown: [{ ...first!, has_ai_evidence: false }] }).slice(1)).toEqual([
    'known,2026-05-01,2026-05-01,0',
    'unknown,2026-05-01,2026-05-01,',
  ]);
});

test('a name in CSV cannot be a formula or break its line', () => {
  expect(csvLines({ '=HYPERLINK("x")': points(1), 'a, b': points(null) })).toEqual([
    'series,start_date,end_date,value',
    `"'=HYPERLINK(""x"")",2026-05-01,2026-05-01,1`,
    '"a, b",2026-05-01,2026-05-01,',
  ]);
});
