// What a request wrote when its time ran out, or nobody waited for it any more: nothing.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workFor } from '../../../src/kit/current-work.ts';
import { openStore, type Store } from '../../../src/storage/database/handle.ts';
import { createTestDatabase } from '../../support/database.ts';

let store: Store;
beforeAll(async () => {
  const { databaseUrl } = await createTestDatabase();
  store = await openStore({ databaseUrl, poolSize: 2 });
  await sql`create table request_notes (note text)`.execute(store.db);
});
afterAll(() => store.close());

const notes = async (): Promise<string[]> =>
  (await sql<{ note: string }>`select note from request_notes order by note`.execute(store.db)).rows.map((r) => r.note);

const write = (note: string, seconds: number) =>
  store.db.transaction().execute(async (db) => {
    await sql`insert into request_notes values (${note})`.execute(db);
    await sql`select pg_sleep(${seconds})`.execute(db);
  });

test('a transaction whose request is over is cancelled at once and kept in no part', async () => {
  const request = new AbortController();
  const began = performance.now();
  const written = workFor(request.signal, () => write('late', 20));
  setTimeout(() => request.abort(new Error('over')), 200);
  await expect(written).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await notes()).toEqual([]);
});

test('it is not committed either when it is over between two statements', async () => {
  const request = new AbortController();
  const written = workFor(request.signal, () =>
    store.db.transaction().execute(async (db) => {
      await sql`insert into request_notes values ('between')`.execute(db);
      request.abort(new Error('over'));
    }),
  );
  await expect(written).rejects.toThrow('over');
  expect(await notes()).toEqual([]);
});

test('others go on, over the same connections', async () => {
  for (let round = 0; round < 5; round++) {
    const request = new AbortController();
    const over = workFor(request.signal, () => write(`over ${round}`, 20)).catch(() => 'ended');
    const kept = workFor(new AbortController().signal, () => write(`kept ${round}`, 0.05));
    setTimeout(() => request.abort(new Error('over')), 20);
    expect(await over).toBe('ended');
    await kept;
  }
  expect(await notes()).toEqual(['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4']);
});
