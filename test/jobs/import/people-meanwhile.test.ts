// People who are merged or get another status while sums are made: each order of the two ends with the sums that a rebuild makes.
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { storeEvidence } from '../../../src/storage/ai/commit-evidence.ts';
import { creditUsages } from '../../../src/storage/ai/usage-credits.ts';
import { rebuildRollups } from '../../../src/storage/commits/rollups.ts';
import type { Database } from '../../../src/storage/database/handle.ts';
import { setProcessingStatuses } from '../../../src/storage/people/developers.ts';
import { mergeCommitters } from '../../../src/storage/people/merge-committers.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createImportKit, type ImportKit } from './import-kit.ts';

const DAILY = ['daily_commits', 'daily_facts', 'daily_ai', 'daily_people', 'weekly_people'];
const PEOPLE = ['Ada', 'Bo', 'Cy'];
const COMMITS = 12;

const repoWith = (commits: number) => {
  const builder = goldenRepo();
  for (let i = 0; i < commits; i++)
    builder.commit(`c${i}`, {
      author: `${PEOPLE[i % PEOPLE.length]} <${PEOPLE[i % PEOPLE.length]}@example.com>`,
      files: { [`f${i}.js`]: `one(${i});\ntwo(${i});\n` },
      at: 1_704_100_000 + i * 90_000,
    });
  return builder.build().path;
};

let kit: ImportKit;
let repoId: number;

beforeAll(async () => {
  kit = await createImportKit({});
  const { repo_id } = await kit.importFolder('busy', repoWith(COMMITS));
  repoId = repo_id!;
});

const inTransaction = <T>(run: (trx: Database) => Promise<T>) => kit.store.db.transaction().execute(run);
const rebuild = () => inTransaction((trx) => rebuildRollups(trx, kit.entityId, repoId, 'UTC'));

const rootOf = async (name: string): Promise<number> => {
  const [row] = await kit.query<{ id: number }>(
    'select root_committer_id as id from committers where entity_id = $1 and lower(email) = lower($2)',
    [kit.entityId, `${name}@example.com`],
  );
  return row!.id;
};

const readDaily = () =>
  Promise.all(
    DAILY.map(async (table) => {
      const rows = await kit.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${table} t where entity_id = $1`,
        [kit.entityId],
      );
      return rows.map(({ row }) => row).sort();
    }),
  );

const commitCount = async (): Promise<number> => {
  const [row] = await kit.query<{ count: number }>(
    'select sum(commit_count)::int as count from daily_commits where entity_id = $1',
    [kit.entityId],
  );
  return row!.count;
};

/** Until somebody waits for a lock, or the promise has ended. */
async function untilWaiting(promise: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  promise.then(end, end);
  for (;;) {
    const [row] = await kit.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (hasEnded || row!.count > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Holds what `act` has done back until `meanwhile` waits for it. */
async function overlap(act: (trx: Database) => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
  let second: Promise<unknown> = Promise.resolve();
  await inTransaction(async (trx) => {
    await act(trx);
    second = meanwhile();
    await untilWaiting(second);
  });
  await second;
}

async function expectExactSums(commits: number): Promise<void> {
  expect(await commitCount()).toBe(commits);
  const sums = await readDaily();
  await rebuild();
  expect(sums).toEqual(await readDaily());
}

test('a status that changes while sums are built anew', async () => {
  const bo = await rootOf('Bo');
  const setStatus = (status: 'processing_stats' | 'limited_processing') =>
    inTransaction((trx) => setProcessingStatuses(trx, kit.entityId, [bo], status));
  await setStatus('limited_processing');
  // Somebody holds sums of another person: the rebuild stops in the middle, and the status changes there.
  let building: Promise<unknown> = Promise.resolve();
  let changing: Promise<unknown> = Promise.resolve();
  await inTransaction(async (trx) => {
    const ada = await rootOf('Ada');
    await trx.selectFrom('daily_commits').select('authored_on').where('committer_id', '=', ada).forUpdate().execute();
    building = rebuild();
    await untilWaiting(building);
    changing = setStatus('processing_stats');
    const ended = new Promise((resolve) => setTimeout(resolve, 300));
    await Promise.race([changing, ended]);
  });
  await Promise.all([building, changing]);
  await expectExactSums(COMMITS);
});

test('people who are merged while sums are built anew', async () => {
  const [ada, bo] = [await rootOf('Ada'), await rootOf('Bo')];
  await overlap((trx) => mergeCommitters(trx, kit.entityId, bo, ada), rebuild);
  await expectExactSums(COMMITS);
});

test('people who are merged while their commits are imported', async () => {
  const [ada, cy] = [await rootOf('Ada'), await rootOf('Cy')];
  const path = repoWith(2 * COMMITS);
  await overlap(
    (trx) => mergeCommitters(trx, kit.entityId, cy, ada),
    () => kit.importFolder('more', path),
  );
  // The first commits are in both repos and count once.
  const [row] = await kit.query<{ count: number }>(
    'select sum(commit_count)::int as count from daily_people where entity_id = $1',
    [kit.entityId],
  );
  expect(row!.count).toBe(2 * COMMITS);
});

test('evidence that comes while people are merged leaves the credit of their usage right', async () => {
  const own = await createImportKit({});
  const builder = goldenRepo();
  for (const [i, who] of ['Ada', 'Bo'].entries())
    builder.commit(who, {
      author: `${who} <${who}@example.com>`,
      files: { [`f${i}.js`]: 'one();\ntwo();\nthree();\nfour();\n' },
      at: 1_704_100_000 + i * 60,
    });
  await own.importFolder('small', builder.build().path);
  const commits = await own.query<{ id: number; author_id: number; day: string }>(
    `select c.id, c.author_id, c.authored_on::text as day from commits c
     join committers p on p.entity_id = c.entity_id and p.id = c.author_id where c.entity_id = $1 order by p.email`,
    [own.entityId],
  );
  const [ada, bo] = [commits[0]!, commits[1]!];
  await own.query(
    `insert into ai_usages (entity_id, used_on, committer_id, llm_model_name, model, ai_provider_em, lines_added)
     values ($1, $2, $3, 'm', 'm', 'custom', 2)`,
    [own.entityId, bo.day, bo.author_id],
  );
  const { db } = own.store;
  await creditUsages(db, own.entityId, 'entity');
  let merging: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    const credit = { source: 'otlp_commit', model: 'claude', provider: 'custom' } as const;
    await storeEvidence(trx, own.entityId, [{ commitId: bo.id, credits: [credit], share: 1000 }]);
    merging = db.transaction().execute((other) => mergeCommitters(other, own.entityId, bo.author_id, ada.author_id));
    await pause(300);
  });
  await merging;
  expect(await creditUsages(db, own.entityId, 'entity')).toBe(0);
});
