// Reports of the default branch alone: of commits they count those that it leads to.
import { beforeAll, expect, test } from 'vitest';
import { FILE_MEASURES } from '../../src/domain/commits/file-measures.ts';
import { ineffectiveScope } from '../../src/metrics/ineffective-scope.ts';
import { createFactsKit, type FactsKit } from '../world/facts-kit.ts';

const range = { from: '2026-02-01', to: '2026-02-28' };
const zeros = Object.fromEntries(FILE_MEASURES.map((name) => [name, 0]));
const scope = { isDefaultBranchOnly: true };
let kit: FactsKit;

beforeAll(async () => {
  kit = await createFactsKit();
  for (const [id, lines, on_default_branch] of [
    [1, 30, true],
    [2, 70, false],
  ] as const) {
    await kit.insert('signatures', { id, name: `user${id}`, email: `u${id}@x.org`, address_key: `u${id}@x.org` });
    await kit.insert('commits', {
      id,
      author_id: id,
      author_signature_id: id,
      authored_on: '2026-02-03',
      on_default_branch,
    });
    await kit.insert('commit_files', {
      ...zeros,
      commit_id: id,
      file_index: 0,
      path: 'a.ts',
      status: 'added',
      category: 1,
      lines_added: lines,
    });
    await kit.insert('daily_work', { committer_id: id, authored_on: '2026-02-03', lines_added: lines });
  }
});

const added = async (change: object) =>
  (await kit.report('line_operation_counts', { range, scope: change })).Added?.['2026-02-01'];

test('lines of commits that only other branches lead to are left out', async () => {
  expect(await added({})).toBe(100);
  expect(await added(scope)).toBe(30);
});

test('people who worked on other branches only are not counted', async () => {
  const people = async (change: object) => {
    const series = await kit.report('line_operation_counts', { range, by: 'committer', scope: change });
    return [...new Set(Object.keys(series).map((name) => name.split(' - ')[0]))].sort();
  };
  expect(await people({})).toEqual(['User 1', 'User 2']);
  expect(await people(scope)).toEqual(['User 1']);
});

test('what is not of commits is named as unnarrowed', () => {
  expect(ineffectiveScope('line_operation_counts', kit.scope(scope))).toEqual([]);
  expect(ineffectiveScope('prs_opened', kit.scope(scope))).toEqual([
    'default_branch_only narrows commits, not pull requests, so the figures are of all branches',
  ]);
});
