// Two requests that lock the same two rows in opposite order: both end well, and each is kept once.
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Database, Store } from '../../../src/storage/database/handle.ts';
import { inTransaction } from '../../../src/storage/database/in-transaction.ts';
import { createTestDatabase } from '../../support/database.ts';

let store: Store;
beforeAll(async () => {
  store = (await createTestDatabase()).store;
  await sql`create table tallies (id int primary key, count int not null)`.execute(store.db);
  await sql`insert into tallies values (1, 0), (2, 0)`.execute(store.db);
});

const add = (id: number, db: Database) => sql`update tallies set count = count + 1 where id = ${id}`.execute(db);

test('the one that a deadlock ends begins anew', async () => {
  let begun = 0;
  let release = () => {};
  const bothLocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const lockBoth = (first: number, second: number) =>
    inTransaction(store.db, async (trx) => {
      await add(first, trx);
      begun += 1;
      if (begun === 2) release();
      await bothLocked;
      await add(second, trx);
    });
  await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
  const { rows } = await sql<{ count: number }>`select count from tallies order by id`.execute(store.db);
  expect(rows.map(({ count }) => count)).toEqual([2, 2]);
  expect(begun).toBe(3);
});

test('what fails for another reason fails at once', async () => {
  let runs = 0;
  const failing = inTransaction(store.db, async () => {
    runs += 1;
    throw new Error('of its own');
  });
  await expect(failing).rejects.toThrow('of its own');
  expect(runs).toBe(1);
});
