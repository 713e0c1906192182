// A token that is revoked in one process is refused in the others at once, also after their connection was lost.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '../../../src/kit/log.ts';
import { createOperations, OPERATOR, type Operations } from '../../../src/operations/index.ts';
import { startOffboarding } from '../../../src/storage/access/delete-entity.ts';
import { findEntity } from '../../../src/storage/access/entities.ts';
import { listenForRevocations, type RevocationListener } from '../../../src/storage/access/revocations.ts';
import { openStore, type Store } from '../../../src/storage/database/handle.ts';
import { createTestDatabase } from '../../support/database.ts';

let here: Operations;
let there: Operations;
let far: Store;
let near: Store;
let listener: RevocationListener;
const forgotten: (string | undefined)[] = [];

beforeAll(async () => {
  const { store, databaseUrl } = await createTestDatabase();
  near = store;
  far = await openStore({ databaseUrl, poolSize: 2 });
  // A clock that stands still: what is cached stays so until somebody says otherwise.
  const parts = { log: silentLog, now: () => new Date(), elapsedMs: () => 0 };
  here = createOperations({ ...parts, store });
  there = createOperations({ ...parts, store: far });
  listener = listenForRevocations(
    far,
    (hash) => {
      forgotten.push(hash);
      there.tokens.forget(hash);
    },
    silentLog,
  );
  await here.entities.create(OPERATOR, { slug: 'acme' });
  await here.users.create(OPERATOR, { email: 'a@example.com', entity: 'acme', role: 'admin' });
  await vi.waitFor(() => expect(forgotten.length).toBeGreaterThan(0), { timeout: 10_000 });
});
afterAll(async () => {
  await listener.close();
  await Promise.all([here.close(), there.close()]);
  await far.close();
});

const newToken = () => here.tokens.create(OPERATOR, { entity: 'acme', user_email: 'a@example.com' });
const isRefused = async (token: string) => (await there.tokens.authenticate(token)) === null;

test('a revocation, a lower role and a removed entity reach other processes', async () => {
  const { id, token } = await newToken();
  const other = await newToken();
  expect(await isRefused(token)).toBe(false);
  await here.tokens.revoke(OPERATOR, String(id));
  await expect.poll(() => isRefused(token), { timeout: 5_000 }).toBe(true);
  expect((await there.tokens.authenticate(other.token))?.role).toBe('admin');
  await here.users.create(OPERATOR, { email: 'a@example.com', entity: 'acme', role: 'member' });
  await expect
    .poll(async () => (await there.tokens.authenticate(other.token))?.role, { timeout: 5_000 })
    .toBe('member');
  await here.entities.create(OPERATOR, { slug: 'gone' });
  await here.users.create(OPERATOR, { email: 'g@example.com', entity: 'gone', role: 'admin' });
  const leaving = await here.tokens.create(OPERATOR, { entity: 'gone', user_email: 'g@example.com' });
  expect(await isRefused(leaving.token)).toBe(false);

  await startOffboarding(near.db, (await findEntity(near.db, 'gone'))!.id);
  await expect.poll(() => isRefused(leaving.token), { timeout: 5_000 }).toBe(true);
});

test('one that was said while nobody listened is known as soon as somebody does', async () => {
  const { id, token } = await newToken();
  expect(await isRefused(token)).toBe(false);
  const listening = `application_name = 'strata listener' and datname = current_database()`;
  await near.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${listening}`);
  await here.tokens.revoke(OPERATOR, String(id));
  await expect.poll(() => isRefused(token), { timeout: 5_000 }).toBe(true);
});
