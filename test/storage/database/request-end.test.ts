// What a request wrote when its time ran out, or nobody waited for it any more: nothing.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginWork, type SendStatement, workFor } from '../../../src/kit/current-work.ts';
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
  const written = workFor(beginWork(request.signal), () => write('late', 20));
  setTimeout(() => request.abort(new Error('over')), 200);
  await expect(written).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await notes()).toEqual([]);
});

test('it is not committed either when it is over between two statements', async () => {
  const request = new AbortController();
  const written = workFor(beginWork(request.signal), () =>
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
    const over = workFor(beginWork(request.signal), () => write(`over ${round}`, 20)).catch(() => 'ended');
    const kept = workFor(beginWork(new AbortController().signal), () => write(`kept ${round}`, 0.05));
    setTimeout(() => request.abort(new Error('over')), 20);
    expect(await over).toBe('ended');
    await kept;
  }
  expect(await notes()).toEqual(['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4']);
});

test('a write without a transaction is not kept either, however late the end comes before its commit', async () => {
  await sql`delete from request_notes`.execute(store.db);
  const request = new AbortController();
  const written = workFor(beginWork(request.signal), () =>
    sql`insert into request_notes select 'alone' from pg_sleep(0.3)`.execute(store.db),
  );
  setTimeout(() => request.abort(new Error('over')), 100);
  await expect(written).rejects.toThrow();
  expect(await notes()).toEqual([]);
});

test('a write that has ended when its request does is rolled back with the rest, through the pool too', async () => {
  await sql`delete from request_notes`.execute(store.db);
  const request = new AbortController();
  const work = beginWork(request.signal);
  // Ends the request in the moment at which the write is done and not yet committed.
  const atTheEnd = { ...work, beforeCommit: async () => request.abort(new Error('over')) };
  for (const write of [
    () => sql`insert into request_notes values ('kysely')`.execute(store.db),
    () => store.pool.query(`insert into request_notes values ('pool')`),
    () => store.pool.query(`with n as (select 'with' as note) insert into request_notes select note from n`),
  ]) {
    await expect(workFor(atTheEnd, write)).rejects.toThrow('over');
  }
  expect(await notes()).toEqual([]);
});

test('what is committed in part goes on to its end, and is never answered as undone', async () => {
  await sql`delete from request_notes`.execute(store.db);
  const request = new AbortController();
  const work = beginWork(request.signal);
  await workFor(work, async () => {
    await write('first', 0);
    expect(work.isKept).toBe(true);
    request.abort(new Error('over'));
    await write('second', 0.05);
    expect(await notes()).toEqual(['first', 'second']);
  });
});

test('what belongs to a commit is kept exactly when the commit is', async () => {
  await sql`delete from request_notes`.execute(store.db);
  const marked = (mark: string) => ({
    ...beginWork(new AbortController().signal),
    beforeCommit: async (send: SendStatement) => {
      await send('insert into request_notes values ($1)', [mark]);
      if (mark === 'refused') throw new Error(mark);
    },
  });
  await workFor(marked('mark'), () => write('kept', 0));
  await expect(workFor(marked('refused'), () => write('lost', 0))).rejects.toThrow('refused');
  await expect(
    workFor(marked('mark 2'), () =>
      store.db.transaction().execute(async (db) => {
        await sql`insert into request_notes values ('broken')`.execute(db);
        throw new Error('broken');
      }),
    ),
  ).rejects.toThrow('broken');
  expect(await notes()).toEqual(['kept', 'mark']);
});
