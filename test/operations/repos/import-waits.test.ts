// Why an import does not run just now, and until when.
import { hostname } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { importWait } from '../../../src/domain/repos/import-wait.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
  const repo = goldenRepo()
    .commit('a', { files: { 'a.ts': 'a();\n' } })
    .build();
  const target = { kind: 'path' as const, address: repo.path, as: 'acme/website' };
  await app.operations.imports.register(OPERATOR, app.entity, target, { all: true });
});

const wait = async () => {
  const { body } = await app.request({ route: 'GET /imports', query: `resource_path=${app.entity}` });
  const [{ waits_for_em, waits_until }] = body.repos as [{ waits_for_em: string | null; waits_until: string | null }];
  return [waits_for_em, waits_until === null ? null : new Date(waits_until).toISOString()];
};
const set = (text: string, values: readonly unknown[] = []) => app.store.pool.query(text, [...values]);

test('a list of imports says what each waits for, and until when', async () => {
  expect(await wait()).toEqual(['worker', null]);
  await set(
    `insert into workers (id, host, pid, concurrency, started_at, beat_at) values ('w', $1, $2, 1, now(), now())`,
    [hostname(), process.pid],
  );
  expect(await wait()).toEqual(['turn', null]);

  const until = new Date(Date.now() + 300_000).toISOString();
  await set('update strata_queue._private_jobs set run_at = $1', [until]);
  expect(await wait()).toEqual(['retry', until]);
  await set('update imports set started_at = now(), last_provider_quota_exceeded_at = now()');
  expect(await wait()).toEqual(['quota', until]);
  await set(`update strata_queue._private_jobs set locked_at = now(), locked_by = 'w'`);
  expect(await wait()).toEqual([null, null]);
  await set('update strata_queue._private_jobs set locked_at = null, locked_by = null, attempts = max_attempts');
  expect(await wait()).toEqual([null, null]);
  await set('delete from strata_queue._private_jobs');
  expect(await wait()).toEqual([null, null]);
});

test('a quota of an attempt before the last one is not the reason', () => {
  const job = { run_at: '2026-10-05T10:00:00Z', is_running: false };
  const at = { startedAt: '2026-10-05T09:30:00Z', now: new Date('2026-10-05T09:45:00Z'), hasWorker: true };
  expect(importWait(job, '2026-10-05T09:00:00Z', at).waits_for_em).toBe('retry');
  expect(importWait(job, '2026-10-05T09:40:00Z', at).waits_for_em).toBe('quota');
});

test('one that a worker took and left behind waits for the next', () => {
  const job = { run_at: '2026-10-05T10:00:00Z', is_running: true };
  const at = { startedAt: '2026-10-05T10:00:00Z', now: new Date('2026-10-05T10:05:00Z') };
  expect(importWait(job, null, { ...at, hasWorker: true }).waits_for_em).toBeNull();
  expect(importWait(job, null, { ...at, hasWorker: false }).waits_for_em).toBe('worker');
});
