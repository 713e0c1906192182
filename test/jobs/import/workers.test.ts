// Several workers on one queue: repos side by side, one repo never twice at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { importQueueOptions } from '../../../src/domain/repos/import-queue.ts';
import { deleteEntity } from '../../../src/jobs/delete-entity.ts';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { refreshRepos } from '../../../src/jobs/refresh-repos.ts';
import { inTransaction } from '../../../src/storage/database/in-transaction.ts';
import { countJobs, enqueue } from '../../../src/storage/queue/queue.ts';
import { startQueueWorker } from '../../../src/storage/queue/worker.ts';
import { readImport, takeImport } from '../../../src/storage/repos/imports.ts';
import { removeRepo } from '../../../src/storage/repos/remove-repo.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';
import { contentOf, createImportKit, type ImportKit, jobContext } from './import-kit.ts';

const repo = randomHistory(9, { commits: 40, words: 14 });

async function drain(kit: ImportKit): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    const jobs = await countJobs(kit.store.db);
    if (jobs.every(({ task }) => task !== 'import_repo')) return;
    await sleep(50);
  }
  throw new Error('the queue does not get empty');
}

it('two workers import two repos side by side, and never one repo together', async () => {
  const kit = await createImportKit();
  const running = new Map<number, number>();
  let mostTogether = 0;
  let mostOfOne = 0;
  const startWorker = () =>
    startQueueWorker({
      store: kit.store,
      concurrency: 2,
      pollMilliseconds: 50,
      tasks: {
        async import_repo(payload, job) {
          const count = (running.get(payload.import_id) ?? 0) + 1;
          running.set(payload.import_id, count);
          mostOfOne = Math.max(mostOfOne, count);
          mostTogether = Math.max(
            mostTogether,
            [...running.values()].reduce((sum, one) => sum + one, 0),
          );
          try {
            await importRepo.run(payload, job, kit.parts);
          } finally {
            running.set(payload.import_id, running.get(payload.import_id)! - 1);
          }
        },
      },
    });
  const workers = [await startWorker(), await startWorker()];
  const ids = [
    await kit.queue('left', { kind: 'path', address: repo.path }),
    await kit.queue('right', { kind: 'path', address: repo.path }),
  ];
  // More jobs than repos: asked for again while the first is still running.
  for (let times = 0; times < 3; times += 1) {
    for (const import_id of ids) {
      const payload = { entity_id: kit.entityId, import_id };
      await enqueue(kit.store.db, 'import_repo', payload, importQueueOptions(payload));
    }
    await sleep(150);
  }
  await drain(kit);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(mostOfOne).toBe(1);
  expect(mostTogether).toBe(2);
  const [left, right] = await kit.query<{ repo_id: number; status: string }>(
    'select repo_id, status from imports order by id',
  );
  expect([left?.status, right?.status]).toEqual(['processing_completed', 'processing_completed']);
  // The same history twice: its work counts in the first repo, and in the second it stands as shared with it.
  const apart = JSON.parse(
    JSON.stringify([await contentOf(kit, left!.repo_id), await contentOf(kit, right!.repo_id)], (key, value) =>
      key === 'counted_in' || key === 'is_shared' ? undefined : value,
    ),
  );
  expect(apart[0]).toEqual(apart[1]);
});

it('a run that lost its import to another worker writes nothing more', async () => {
  const kit = await createImportKit({ settings: { batchBytes: 1 } });
  const id = await kit.queue('taken', { kind: 'path', address: repo.path });
  let taken: Promise<unknown> | undefined;
  const onBatch = () => {
    taken ??= takeImport(kit.store.db, { entityId: kit.entityId, importId: id }, 'another run');
  };
  const first = importRepo.run({ entity_id: kit.entityId, import_id: id }, jobContext(undefined, onBatch), kit.parts);
  await expect(first).rejects.toThrow('taken over by another worker');
  await taken;
  const [before] = await kit.query<{ count: number }>('select count(*) from commits');
  expect(before!.count).toBeLessThan(Object.keys(repo.shas).length);
  expect((await kit.run(id)).status).toBe('processing_completed');
  const fresh = await createImportKit();
  const { repo_id } = await fresh.importFolder('fresh', repo.path);
  expect(await contentOf(kit, (await kit.run(id)).repo_id)).toEqual(await contentOf(fresh, repo_id));
});

it('a run whose repo is removed meanwhile ends, and says so in one line', async () => {
  const kit = await createImportKit({ settings: { batchBytes: 1 } });
  const id = await kit.queue('removed', { kind: 'path', address: repo.path });
  const key = { entityId: kit.entityId, importId: id };
  let removed: Promise<unknown> | undefined;
  const onBatch = () => {
    removed ??= inTransaction(kit.store.db, async (trx) => removeRepo(trx, (await readImport(trx, key))!));
  };
  const said: string[] = [];
  const { log, ...context } = jobContext(undefined, onBatch);
  const say = (level: string) => (_fields: object, message: string) => void said.push(`${level}: ${message}`);
  const heard = { debug: log.debug, info: say('info'), warn: say('warn'), error: say('error') };
  await importRepo.run({ entity_id: kit.entityId, import_id: id }, { ...context, log: heard }, kit.parts);
  await removed;
  expect(said).toEqual(['info: the import was removed while it ran, and ends']);
});

it('a source that refuses is named without a trace', async () => {
  const kit = await createImportKit();
  const id = await kit.queue('empty', { kind: 'path', address: goldenRepo().build().path });
  const said: object[] = [];
  const { log, ...context } = jobContext();
  const heard = { ...log, warn: (fields: object) => void said.push(fields) };
  await importRepo.run({ entity_id: kit.entityId, import_id: id }, { ...context, log: heard }, kit.parts);
  expect(said).toEqual([{ reason: expect.any(String), import_id: id, attempts: 1, retry_in_seconds: null }]);
});

it('a repo is queued again when its time has come, and an entity is removed with all it has', async () => {
  const kit = await createImportKit();
  const other = await createImportKit({ store: kit.store });
  const row = await kit.importFolder('due', repo.path);
  const kept = await other.importFolder(
    'kept',
    goldenRepo()
      .commit('one', { files: { a: 'text\n' } })
      .build().path,
  );
  const waiting = async () => (await countJobs(kit.store.db)).find(({ task }) => task === 'import_repo')?.waiting ?? 0;
  await refreshRepos.run({}, jobContext(), kit.parts);
  expect(await waiting()).toBe(0);
  const later: typeof kit.parts = { ...kit.parts, now: () => new Date(Date.now() + 20 * 60_000) };
  await refreshRepos.run({}, jobContext(), later);
  expect(await waiting()).toBe(2);

  await deleteEntity.run({ entity_id: kit.entityId }, jobContext(), kit.parts);
  const tables = await kit.query<{ table_name: string }>(`select table_name from table_kinds where kind = 'tenant'`);
  for (const { table_name } of tables) {
    const [left] = await kit.query<{ count: number }>(`select count(*) from ${table_name} where entity_id = $1`, [
      kit.entityId,
    ]);
    expect([table_name, left?.count]).toEqual([table_name, 0]);
  }
  expect(await waiting()).toBe(1);
  expect((await other.run(kept.id)).status).toBe('processing_completed');
  await importRepo.run({ entity_id: kit.entityId, import_id: row.id }, jobContext(), kit.parts);
  expect(await kit.query('select from commits where entity_id = $1', [kit.entityId])).toEqual([]);
});

it('a removed entity leaves nobody behind whom a running import was just about to store', async () => {
  const kit = await createImportKit();
  const id = await kit.queue('leaving', { kind: 'path', address: repo.path });
  // Holds the import where it makes new people known, until all rows of the entity are gone.
  const holder = await kit.store.pool.connect();
  await holder.query('select pg_advisory_lock(7080002, $1)', [kit.entityId]);
  const running = importRepo.run({ entity_id: kit.entityId, import_id: id }, jobContext(), kit.parts).catch(() => {});
  const waits = `select from pg_locks where locktype = 'advisory' and classid = 7080002 and not granted`;
  for (let tries = 0; tries < 200 && (await kit.query(waits)).length === 0; tries += 1) await sleep(50);
  expect(await kit.query(waits)).toHaveLength(1);
  await deleteEntity.run({ entity_id: kit.entityId }, jobContext(), kit.parts);
  await holder.query('select pg_advisory_unlock_all()');
  holder.release();
  await running;
  for (const table of ['committers', 'signatures', 'commits', 'repos']) {
    expect([table, await kit.query(`select from ${table} where entity_id = $1`, [kit.entityId])]).toEqual([table, []]);
  }
});
