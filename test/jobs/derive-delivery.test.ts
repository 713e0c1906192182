// How the job deals with what waits behind it, and with those who write meanwhile. What it works out is tested beside the
// derivations themselves.
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deriveQueueOptions } from '../../src/domain/derive-queue.ts';
import { deriveDelivery } from '../../src/jobs/derive-delivery.ts';
import { bumpDataVersion } from '../../src/storage/commits/rollups.ts';
import { enqueue } from '../../src/storage/queue/queue.ts';
import { QUEUE_SCHEMA } from '../../src/storage/queue/schema.ts';
import { endWaitingJobs, listWaitingJobs } from '../../src/storage/queue/waiting-jobs.ts';
import { type GoldenRepo, goldenRepo } from '../world/golden-repo.ts';
import { createImportKit, type ImportKit, jobContext } from './import/import-kit.ts';

let folders: GoldenRepo[];
let kit: ImportKit;
let repoIds: number[];

beforeAll(async () => {
  kit = await createImportKit();
  folders = ['one', 'two', 'three'].map((name) =>
    goldenRepo()
      .commit('start', { files: { 'a.ts': `${name}\n` }, message: `ABC-1 start of ${name}` })
      .tag('v1.0.0', 'start')
      .commit('more', {
        files: { 'a.ts': `${name}\nmore\n` },
        message: name === 'one' ? 'ABC-7 more' : `more of ${name}`,
      })
      .tag('v1.1.0', 'more')
      .build(),
  );
  for (const [index, { path }] of folders.entries()) await kit.importFolder(`repo-${index}`, path);
  const repos = await kit.query<{ id: number }>('select id from repos where entity_id = $1 order by id', [
    kit.entityId,
  ]);
  repoIds = repos.map(({ id }) => id);
});
afterAll(() => {
  for (const folder of folders) folder.cleanup();
});
beforeEach(async () => {
  await kit.query(`delete from ${QUEUE_SCHEMA}._private_jobs`);
  await kit.query('delete from releases where entity_id = $1', [kit.entityId]);
});

const payload = (index: number) => ({ entity_id: kit.entityId, repo_id: repoIds[index]! });
const ask = (index: number) =>
  enqueue(kit.store.db, 'derive_delivery', payload(index), deriveQueueOptions(payload(index)));
const run = (index: number, attempt = 1) => deriveDelivery.run(payload(index), { ...jobContext(), attempt }, kit.parts);
const waiting = async () =>
  (
    await kit.query<{ payload: { repo_id?: number } }>(
      `select j.payload from ${QUEUE_SCHEMA}._private_jobs j join ${QUEUE_SCHEMA}._private_tasks t on t.id = j.task_id
       where t.identifier = 'derive_delivery' order by j.id`,
    )
  ).map((job) => repoIds.indexOf(job.payload.repo_id!));
const released = async () =>
  (
    await kit.query<{ repo_id: number }>('select distinct repo_id from releases where entity_id = $1 order by 1', [
      kit.entityId,
    ])
  ).map(({ repo_id }) => repoIds.indexOf(repo_id));
const addIssue = async (key: string) => {
  const [tracker] = await kit.query<{ id: number }>(
    `insert into trackers (entity_id, kind, host_key, name) values ($1, 'jira', 'jira:site', 'Site') returning id`,
    [kit.entityId],
  );
  await kit.query(
    `insert into issues (entity_id, tracker_id, external_id, key, title, type, status, provider_em, opened_at)
     values ($1, $2, $3, $3, 'An issue', 'Story', 'Open', 'tracker_a', now())`,
    [kit.entityId, tracker!.id, key],
  );
};
const list = () =>
  listWaitingJobs(kit.store.db, {
    task: 'derive_delivery',
    queueName: deriveQueueOptions({ entity_id: kit.entityId }).queueName,
    most: 10,
  });

test('one run does what waits for other repos of the entity', async () => {
  for (const index of [1, 2]) await ask(index);
  await run(0);
  expect(await released()).toEqual([0, 1, 2]);
  expect(await waiting()).toEqual([]);
});

test('a run that has failed before does its own alone, and leaves alone what has failed', async () => {
  await ask(1);
  await run(0, 2);
  expect(await released()).toEqual([0]);
  expect(await waiting()).toEqual([1]);
  await kit.query(`update ${QUEUE_SCHEMA}._private_jobs set attempts = 1`);
  await run(0);
  expect(await released()).toEqual([0]);
  expect(await waiting()).toEqual([1]);
});

test('what is asked for again while a run does it stays asked for', async () => {
  for (const index of [1, 2]) await ask(index);
  const seen = await list();
  expect(seen.map((job) => job.payload)).toEqual([payload(1), payload(2)]);
  await ask(2);
  await endWaitingJobs(kit.store.db, seen);
  expect(await waiting()).toEqual([2]);
});

test('jobs of other entities, other tasks and later times are not touched', async () => {
  const other = { entity_id: kit.entityId + 1000, repo_id: 1 };
  await enqueue(kit.store.db, 'derive_delivery', other, deriveQueueOptions(other));
  await enqueue(
    kit.store.db,
    'derive_traits',
    { entity_id: kit.entityId },
    { queueName: deriveQueueOptions({ entity_id: kit.entityId }).queueName },
  );
  const runAt = new Date(Date.now() + 60_000);
  await enqueue(kit.store.db, 'derive_delivery', payload(1), { ...deriveQueueOptions(payload(1)), runAt });
  expect(await list()).toEqual([]);
});

test('whoever asks for several repos and a run that ends them do not wait for each other', async () => {
  for (const index of [1, 0]) await ask(index);
  const seen = await list();
  await kit.store.db.transaction().execute(async (trx) => {
    const askWithin = (index: number) =>
      enqueue(trx, 'derive_delivery', payload(index), deriveQueueOptions(payload(index)));
    await askWithin(0);
    // Ends at once, and leaves what is held.
    await endWaitingJobs(kit.store.db, seen);
    await askWithin(1);
  });
  expect((await waiting()).toSorted()).toEqual([0, 1]);
});

test('a fault in another repo that was taken along stays theirs', async () => {
  await kit.query(`
    create function refuse_release() returns trigger language plpgsql as $$ begin
      if new.repo_id = ${repoIds[2]} then raise exception 'a fault'; end if;
      return new;
    end $$`);
  await kit.query(`
    create trigger refused before insert on releases for each row execute function refuse_release()`);
  try {
    for (const index of [1, 2]) await ask(index);
    await run(0);
    expect(await released()).toEqual([0]);
    expect(await waiting()).toEqual([1, 2]);
    await expect(run(2)).rejects.toThrow('a fault');
  } finally {
    await kit.query('drop trigger refused on releases');
  }
});

test('tables that somebody else counts are left to them', async () => {
  await kit.query(
    `
    insert into issue_mentions (entity_id, source, source_id, key, repo_id)
    select $1, 'commit', 1000000 + n, 'zz-' || n, 1 from generate_series(1, 20000) n`,
    [kit.entityId],
  );
  const holder = await kit.store.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table issue_mentions in share update exclusive mode');
    await run(0);
    expect(await released()).toEqual([0]);
  } finally {
    await holder.query('rollback');
    holder.release();
    await kit.query(`delete from issue_mentions where key like 'zz-%'`);
  }
});

describe('an issue that comes after its commit was released', () => {
  const changes = async () =>
    (
      await kit.query<{ record_type: string }>(
        'select record_type from released_changes where entity_id = $1 and repo_id = $2 order by 1',
        [kit.entityId, repoIds[0]],
      )
    ).map(({ record_type }) => record_type);
  const runWide = () => deriveDelivery.run({ entity_id: kit.entityId }, jobContext(), kit.parts);
  const askWide = () => {
    const wide = { entity_id: kit.entityId };
    return enqueue(kit.store.db, 'derive_delivery', wide, deriveQueueOptions(wide));
  };
  const removeIssues = () => kit.query('delete from issues where entity_id = $1', [kit.entityId]);

  beforeEach(async () => {
    for (const index of [0, 1, 2]) await run(index);
    expect(await changes()).toEqual(['commits']);
    await addIssue('ABC-7');
  });
  afterEach(async () => {
    await removeIssues();
    await kit.query('delete from trackers where entity_id = $1', [kit.entityId]);
  });

  test('is summed up for its repo even if the run that linked it fails further on', async () => {
    await kit.query(`
      create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'a fault'; end $$`);
    await kit.query(
      'create trigger refused before update on releases for each statement execute function refuse_all()',
    );
    try {
      await expect(run(1)).rejects.toThrow('a fault');
    } finally {
      await kit.query('drop trigger refused on releases');
    }
    expect(await waiting()).toEqual([0]);
    await run(1, 2);
    await run(0);
    expect(await changes()).toEqual(['issues']);
  });

  test.each([
    ['a run for the entity', runWide],
    ['a run for the entity that takes another repo along', () => ask(1).then(runWide)],
    ['a run for another repo that takes the entity along', () => askWide().then(() => run(1))],
    ['a run for another repo, then one for the entity', () => run(1).then(runWide)],
  ])('takes the place of the commit: %s', async (_, derive) => {
    await derive();
    expect(await changes()).toEqual(['issues']);
    // And gives it back.
    await removeIssues();
    await derive();
    expect(await changes()).toEqual(['commits']);
  });
});

test('whoever records usage does not wait while issues are linked', async () => {
  await addIssue('ABC-1');
  const holder = await kit.store.pool.connect();
  await holder.query('begin');
  await holder.query('select from issues where entity_id = $1 for update', [kit.entityId]);
  const running = run(0);
  try {
    await expect
      .poll(
        async () =>
          (
            await kit.query(`select from pg_stat_activity 
               where datname = current_database() and wait_event_type = 'Lock' and query like '%issues%'`)
          ).length,
      )
      .toBeGreaterThan(0);
    await kit.store.db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '2s'`.execute(trx);
      await bumpDataVersion(trx, kit.entityId);
    });
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await running;
  expect(await kit.query('select from issue_commits where entity_id = $1', [kit.entityId])).toHaveLength(3);
});
