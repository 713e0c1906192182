import { expect, test } from 'vitest';
import { analyzeNew } from '../../../src/storage/database/analyze-new.ts';
import { createTestDatabase } from '../../support/database.ts';

test('tables with rows and without figures get figures, others are left alone', async () => {
  const { store } = await createTestDatabase();
  // Figures are to come from the call alone.
  for (const table of ['ai_usages', 'ai_seats']) {
    await store.pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
  }
  await store.pool.query(
    `insert into ai_usages (entity_id, used_on, llm_model_name, ai_provider_em)
     select 1, date '2026-01-01' + n, 'm', 'custom' from generate_series(1, 500) n`,
  );
  const counts = async () => {
    const { rows } = await store.pool.query<{ count: number }>(
      `select reltuples::integer as count from pg_class where relname in ('ai_usages', 'ai_seats') order by relname`,
    );
    return rows.map(({ count }) => count);
  };
  const [seats] = await counts();
  await analyzeNew(store.db, ['ai_usages', 'ai_seats']);
  expect(await counts()).toEqual([seats, 500]);
});
