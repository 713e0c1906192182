// Commits whose objects are not there: their lines are missing, which is not the same as none, until the objects come.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SegmentId } from '../../src/domain/segments.ts';
import { silentLog } from '../../src/kit/log.ts';
import { createOperations, OPERATOR, type Operations } from '../../src/operations/index.ts';
import { readAuditedCommits } from '../../src/storage/audits/commit-records.ts';
import { createImportKit, type ImportKit, makeFolder } from '../jobs/import/import-kit.ts';
import { goldenRepo, isolatedGitEnvironment } from '../world/golden-repo.ts';

const code = (seed: string, count: number): string =>
  Array.from({ length: count }, (_, line) => `const ${seed}${line} = computeTheValueOf(${seed}, ${line});\n`).join('');

const repo = goldenRepo()
  .commit('one', { at: '2025-03-03T10:00:00Z', files: { 'a.ts': code('one', 10) } })
  .commit('two', { at: '2025-03-04T10:00:00Z', files: { 'b.ts': code('two', 10) } })
  .commit('three', { at: '2025-03-10T10:00:00Z', files: { 'a.ts': code('three', 5) } })
  .build();
const folder = join(makeFolder(), 'partial.git');
const git = (...args: string[]) =>
  execFileSync('git', args, { env: isolatedGitEnvironment(), encoding: 'utf8', stdio: 'pipe' });

let kit: ImportKit;
let operations: Operations;
let slug: string;
let importId: number;

beforeAll(async () => {
  git('-C', repo.path, 'config', 'uploadpack.allowFilter', 'true');
  git('clone', '-q', '--bare', '--filter=blob:none', `file://${repo.path}`, folder);
  kit = await createImportKit();
  importId = (await kit.importFolder('partial', folder)).id;
  operations = createOperations({ store: kit.store, log: silentLog, now: () => new Date('2025-03-20T00:00:00Z') });
  const rows = await kit.query<{ slug: string }>('select slug from entities where id = $1', [kit.entityId]);
  slug = rows[0]!.slug;
});
afterAll(async () => {
  await operations?.close();
  repo.cleanup();
});

const grant = () => operations.access.enterEntity(OPERATOR, slug, 'member');
const warningsOf = async (segment_by: SegmentId, start_date = '2025-03-01', end_date = '2025-03-31') =>
  (await operations.reports.run(await grant(), { segment_by, aggregate_by: 'none', start_date, end_date })).warnings;
const statesOf = async () => {
  const ids = await kit.query<{ id: number }>('select id from commits where entity_id = $1', [kit.entityId]);
  const commits = await readAuditedCommits(
    kit.store.db,
    kit.entityId,
    ids.map(({ id }) => id),
  );
  return commits.map(({ sha, state }) => [sha, state]).sort();
};
const states = (state: string) => ['one', 'two', 'three'].map((label) => [repo.sha(label), state]).sort();

test('reports of what commits changed say how many of these days could not be read', async () => {
  const words = (commits: string) => [expect.stringContaining(`${commits} could not be read`)];
  expect(await warningsOf('none')).toEqual(words('3 commits'));
  expect(await warningsOf('line_operation_counts')).toEqual(words('3 commits'));
  expect(await warningsOf('none', '2025-03-04', '2025-03-05')).toEqual(words('1 commit'));
  expect(await warningsOf('none', '2025-03-05', '2025-03-08')).toEqual([]);
  // They were made, whatever they changed.
  expect(await warningsOf('commit_count')).toEqual([]);
});

test('a commit of which nothing could be read has failed', async () => {
  expect(await statesOf()).toEqual(states('analysis_failed'));
});

test('both end when the objects come', async () => {
  git('-C', folder, 'fetch', '-q', '--refetch', '--no-filter', `file://${repo.path}`, '+refs/heads/*:refs/heads/*');
  git('-C', folder, 'config', '--unset', 'remote.origin.partialclonefilter');
  await kit.run(importId);
  expect(await statesOf()).toEqual(states('analysis_complete'));
  expect(await warningsOf('none')).toEqual([]);
});
