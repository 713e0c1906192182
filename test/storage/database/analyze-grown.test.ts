import { expect, test } from 'vitest';
import { analyzeGrown } from '../../../src/storage/database/analyze-grown.ts';
import type { Database } from '../../../src/storage/database/handle.ts';
import { createTestDatabase } from '../../support/database.ts';

const TABLES = ['ai_usages', 'ai_seats'] as const;

test('tables that have outgrown their figures get new ones, others are left alone', async () => {
  const { store } = await createTestDatabase();
  // Figures are to come from the call alone.
  for (const table of TABLES) await store.pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
  const add = (from: number, to: number) =>
    store.pool.query(
      `insert into ai_usages (entity_id, used_on, llm_model_name, ai_provider_em)
       select 1, date '1990-01-01' + n, 'm', 'custom' from generate_series($1::int, $2::int) n`,
      [from, to],
    );
  const counts = async () => {
    const { rows } = await store.pool.query<{ count: number }>(
      `select reltuples::integer as count from pg_class where relname in ('ai_usages', 'ai_seats') order by relname`,
    );
    return rows.map(({ count }) => count);
  };
  const [seats] = await counts();
  await add(1, 500);
  await analyzeGrown(store.db, 1, TABLES);
  expect(await counts()).toEqual([seats, 500]);
  // Hardly larger.
  await add(501, 510);
  await analyzeGrown(store.db, 1, TABLES);
  expect(await counts()).toEqual([seats, 500]);
  await add(511, 10_000);
  await analyzeGrown(store.db, 1, TABLES);
  expect(await counts()).toEqual([seats, 10_000]);
});

test('an entity that the figures do not know gets some once it has much of the table', async () => {
  const { store } = await createTestDatabase();
  await store.pool.query('alter table ai_usages set (autovacuum_enabled = off)');
  const add = (entity: number, from: number, count: number) =>
    store.pool.query(
      `insert into ai_usages (entity_id, used_on, llm_model_name, ai_provider_em)
       select $1, date '1900-01-01' + n, 'm', 'custom' from generate_series($2::int, $2::int + $3::int - 1) n`,
      [entity, from, count],
    );
  const guessed = async (entity: number): Promise<number> => {
    const { rows } = await store.pool.query(`explain (format json) select from ai_usages where entity_id = ${entity}`);
    return rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
  };
  await add(1, 1, 40_000);
  await analyzeGrown(store.db, 1, TABLES);
  await add(2, 1, 250);
  await analyzeGrown(store.db, 2, TABLES);
  expect(await guessed(2)).toBeLessThan(10);
  await add(2, 251, 1750);
  expect(await guessed(2)).toBeLessThan(10);
  await analyzeGrown(store.db, 2, TABLES);
  expect(await guessed(2)).toBeGreaterThan(1000);
});

test('a transaction gets figures of its own rows', async () => {
  const { store } = await createTestDatabase();
  const countWithin = (db: Database) =>
    db.transaction().execute(async (trx) => {
      await trx
        .insertInto('ai_usages')
        .values(
          Array.from({ length: 300 }, (_, day) => ({
            entity_id: 1,
            used_on: new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
            llm_model_name: 'm',
            ai_provider_em: 'custom' as const,
          })),
        )
        .execute();
      await analyzeGrown(trx, 1, TABLES);
      const row = await trx
        .selectFrom('pg_class' as never)
        .select('reltuples' as never)
        .where('relname' as never, '=', 'ai_usages' as never)
        .executeTakeFirst();
      return Number((row as unknown as { reltuples: number }).reltuples);
    });
  expect(await countWithin(store.db)).toBe(300);
});
