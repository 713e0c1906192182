import { expect, test } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { describeSchema } from './describe-schema.ts';

test('the row types are the columns that the migrations make', async () => {
  const { store } = await createTestDatabase();
  await expect(await describeSchema(store)).toMatchFileSnapshot('../../../src/storage/database/schema-tables.ts');
});

test('a column added by a migration changes the row types', async () => {
  const { store } = await createTestDatabase();
  await store.pool.query(`alter table entities add column colour text`);
  await store.pool.query(`alter table entities add constraint entities_colour_check check (colour in ('red', 'blue'))`);
  expect(await describeSchema(store)).toContain(`    colour: 'red' | 'blue' | null;\n`);
});

test('a column type that the row types cannot express is refused by name', async () => {
  const { store } = await createTestDatabase();
  await store.pool.query(`alter table entities add column place point`);
  await expect(describeSchema(store)).rejects.toThrow('entities.place has the type point');
});
