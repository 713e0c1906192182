// A database of the first round, and of every schema since, becomes one of this version with all that it held, and its
// facts are derived anew. first-round.backup was written by that version: a repository of 14 commits (first-round.bundle),
// two people, releases, defects, AI usage, a team, days off and a survey.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { importRepo } from '../../../../src/jobs/import/repo.ts';
import { restore } from '../../../../src/storage/backup/restore.ts';
import type { Store } from '../../../../src/storage/database/handle.ts';
import { migrate, readMigrations } from '../../../../src/storage/database/migrate.ts';
import {
  contentOf,
  createImportKit,
  digestOfRepository,
  jobContext,
  makeFolder,
} from '../../../jobs/import/import-kit.ts';
import { digestStoredFacts } from '../../../oracles/digest-stored-facts.ts';
import { createTestDatabase } from '../../../support/database.ts';

const BACKUP = join(import.meta.dirname, 'first-round.backup');
const BUNDLE = join(import.meta.dirname, 'first-round.bundle');
const LAST_OF_FIRST_ROUND = '0040_first_commits';

const migrations = readMigrations();
const first = migrations.findIndex(({ name }) => name === LAST_OF_FIRST_ROUND) + 1;
const steps = migrations.slice(first - 1).map(({ name }, index) => [name, first + index] as const);

/** What a user would miss, in words that every schema since the first round understands after the upgrade. */
const TOTALS = `
  select
    (select count(*) from commits) as commits, (select sum(lines_added) from commits) as lines_added,
    (select count(*) from commit_files) as files, (select count(*) from line_flows) as flows,
    (select count(*) from commit_ai) as ai_commits, (select sum(commit_count) from daily_commits) as counted,
    (select count(*) from committers) as people, (select count(*) from releases) as releases,
    (select count(*) from critical_defects) as defects,
    (select count(*) from critical_defects where final_fix_released_at is not null) as fixed_defects,
    (select sum(lines_added) from ai_usages) as ai_lines, (select sum(cost_microcents) from ai_usages) as microcents,
    (select count(*) from team_members) as members, (select count(*) from surveys) as surveys,
    (select count(*) from users) as users, (select count(*) from api_tokens) as tokens`;

const EXPECTED = {
  commits: 14,
  lines_added: 25,
  files: 25,
  flows: 29,
  ai_commits: 1,
  counted: 14,
  people: 3,
  releases: 3,
  defects: 2,
  fixed_defects: 2,
  ai_lines: 16,
  // 12.34 and 0.5 cents
  microcents: 12_840_000,
  members: 1,
  surveys: 1,
  users: 1,
  tokens: 1,
};

const totalsOf = async (store: Store): Promise<Record<string, number>> =>
  (await store.pool.query<Record<string, number>>(TOTALS)).rows[0]!;

let repository: string;
beforeAll(() => {
  repository = join(makeFolder(), 'repo.git');
  execFileSync('git', ['clone', '-q', '--mirror', BUNDLE, repository]);
});

test('there is a schema of the first round, and some since', () => {
  expect(first).toBeGreaterThan(0);
  expect(steps.length).toBeGreaterThan(10);
});

test.each(steps)('a database as %s left it is brought up to date with all that it held', async (_, count) => {
  const database = await createTestDatabase({ empty: true });
  const { store } = database;
  await restore(store, BACKUP, { migrations: migrations.slice(0, count) });
  await migrate(store);
  expect(await totalsOf(store)).toEqual(EXPECTED);
  await database.drop();
});

test('facts of the first round are derived anew, and are those of a fresh import', async () => {
  const { store } = await createTestDatabase({ empty: true });
  await restore(store, BACKUP);
  await store.pool.query('update repo_sources set address = $1', [repository]);
  const kit = await createImportKit({ store });
  const [stored] = await kit.query<{ id: number; entity_id: number; repo_id: number }>(
    'select id, entity_id, repo_id from imports',
  );
  const { id: import_id, entity_id, repo_id } = stored!;
  const digest = () => digestStoredFacts(store.db, { entityId: entity_id, repoId: repo_id });
  expect(await digest()).not.toBe(await digestOfRepository(repository));
  await importRepo.run({ entity_id, import_id }, jobContext(), kit.parts);
  expect(await digest()).toBe(await digestOfRepository(repository));
  const fresh = await kit.importFolder('fresh', repository);
  expect(await contentOf({ ...kit, entityId: entity_id }, repo_id)).toEqual(await contentOf(kit, fresh.repo_id));
  const { commits, releases, defects } = await totalsOf(store);
  expect([commits, releases, defects]).toEqual([2 * EXPECTED.commits, EXPECTED.releases, EXPECTED.defects]);
});
