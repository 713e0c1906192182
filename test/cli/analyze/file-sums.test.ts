import { expect, test } from 'vitest';
import { FileSums, SUM_COLUMNS } from '../../../src/cli/analyze/file-sums.ts';
import { FILE_MEASURES, type FileFact, type FileMeasures } from '../../../src/engine/model/facts.ts';
import { rowsOf } from '../../support/rows-of.ts';

function fileFact(path: string, measures: Partial<FileMeasures>, status: FileFact['status'] = 'modified'): FileFact {
  const zero = Object.fromEntries(FILE_MEASURES.map((name) => [name, 0])) as FileMeasures;
  return { ...zero, ...measures, path, category: 'backend', status, old_path: null, language: null, limited: null };
}

test('a row gives back what was added, whatever the size of its numbers', () => {
  const values = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER];
  const sums = new FileSums();
  const rows = values.map((value) =>
    sums.add(rowsOf([fileFact('a.ts', { lines_churned: value, ai_lines_changed: 3 })])),
  );
  const sum = sums.sum();
  const numberOf = (row: number, column: number) => sum.add(row)[column];
  expect(rows.map((row) => numberOf(row, SUM_COLUMNS.linesChurned))).toEqual(values);
  expect(rows.map((row) => numberOf(row, SUM_COLUMNS.aiLineThousandths))).toEqual(values.map(() => 3));
  expect(rows.map((row) => numberOf(row, SUM_COLUMNS.deltaThousandths))).toEqual(values.map(() => 0));
});

test('only the rows that are added up count, in totals and by path', () => {
  const sums = new FileSums();
  for (let i = 0; i < 5000; i++)
    sums.add(
      rowsOf([
        fileFact(`file-${i % 300}.ts`, { lines_updated: i, lines_churned: 1 }),
        fileFact('gone.ts', { lines_deleted: 7 }, 'deleted'),
      ]),
    );
  const sum = sums.sum();
  const byPath = new Map<string, number>();
  let churned = 0;
  for (let i = 1; i < 5000; i += 3) {
    sum.add(i);
    churned++;
    byPath.set(`file-${i % 300}.ts`, (byPath.get(`file-${i % 300}.ts`) ?? 0) + i);
  }
  expect(sum.total(SUM_COLUMNS.linesChurned)).toBe(churned);
  expect(new Map([...sum.rewritten()].sort())).toEqual(new Map([...byPath].sort()));
});

test('a sum that is no whole number is refused', () => {
  expect(() => new FileSums().add(rowsOf([fileFact('a.ts', { lines_churned: 0.5 })]))).toThrow(RangeError);
});
