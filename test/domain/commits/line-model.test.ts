// The rows of the line model against the tables. A row without a column does not compile; this holds the other way.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILE_MEASURES } from '../../../src/domain/commits/file-measures.ts';
import {
  AGE_BUCKETS,
  CATEGORIES,
  CHURN_DAYS,
  CHURN_WINDOW,
  FLOW_OPERATIONS,
} from '../../../src/domain/commits/line-model.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { createTestDatabase } from '../../support/database.ts';

const MEASURE_COLUMN = /^(added|removed|calls|(error|lines|noop|age|delta|doc|ai_lines|ai|duplicate)_.*)$/;

async function measureColumns(store: Store, table: string): Promise<string[]> {
  const { rows } = await store.pool.query<{ column_name: string }>(
    `select column_name::text from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );
  return rows.map(({ column_name }) => column_name).filter((name) => MEASURE_COLUMN.test(name));
}

test('the tables of facts have a column for each measure, and no other', async () => {
  const { store } = await createTestDatabase();
  const measures = [...FILE_MEASURES].sort();
  expect((await measureColumns(store, 'commit_files')).sort()).toEqual(measures);
  expect((await measureColumns(store, 'daily_facts')).sort()).toEqual(measures);
  const counts = ['ai_commit_count', 'ai_line_commit_count'];
  expect((await measureColumns(store, 'daily_commits')).sort()).toEqual([...measures, ...counts].sort());
  const flows = [...FLOW_OPERATIONS.map((operation) => `lines_${operation}`), 'ai_lines'].filter((name) =>
    MEASURE_COLUMN.test(name),
  );
  expect((await measureColumns(store, 'line_flows')).sort()).toEqual(flows.sort());
});

test('the ages that the database accepts are those of the line model, in their order', async () => {
  const { store } = await createTestDatabase();
  const { rows } = await store.pool.query<{ age: string }>('select unnest(enum_range(null::age_bucket))::text as age');
  expect(rows.map(({ age }) => age)).toEqual(AGE_BUCKETS.map(({ key }) => key));
});

test('ages ascend from the churn window on, and ids of categories are given once', () => {
  const limits = AGE_BUCKETS.map(({ belowDays }) => belowDays as number);
  expect(limits).toEqual([...new Set(limits)].sort((a, b) => a - b));
  const ids = CATEGORIES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ['docs/glossary.md', `less than ${CHURN_DAYS} days after it was written`],
  ['docs/diff-delta.md', `less than ${CHURN_WINDOW} old`],
  ['docs/diff-delta.md', `${AGE_BUCKETS[1].short_label.replace('under', 'below')} 0.1`],
  ['docs/diff-delta.md', `churn is below ${CHURN_DAYS} days`],
])('%s names the churn window: %s', (page, words) => {
  expect(readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')).toContain(words);
});
