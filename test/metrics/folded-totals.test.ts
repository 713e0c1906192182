// A total is of what its points are of, also where a group that is shown has nothing but a divisor and so no series.
import { expect, test } from 'vitest';
import { CATEGORY_IDS } from '../../src/domain/commits/line-model.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import { intervalsOf, wholeRange } from '../../src/metrics/intervals.ts';
import { type FoldedReport, runFolded } from '../../src/metrics/run-report.ts';
import { createFactsKit } from '../world/facts-kit.ts';

const RANGE = { from: '2026-05-01', to: '2026-05-31' };

test('the rest has the total of its own groups', async () => {
  const kit = await createFactsKit();
  const scope = kit.scope();
  const [counted] = scope.lineCategories;
  const leftOut = Object.values(CATEGORY_IDS).find((id) => !scope.lineCategories.includes(id))!;
  for (const id of [1, 2, 3]) {
    await kit.insert('teams', { id, slug: `t${id}`, name: `Team ${id}` });
    await kit.insert('team_members', { team_id: id, committer_id: id, role_em: 'committer_role' });
  }
  const lines = (committer_id: number, category: number | undefined, lines_added: number) => ({
    authored_on: '2026-05-04',
    committer_id,
    category,
    lines_added,
  });
  await kit.insert(
    'daily_facts',
    ...[1, 3].flatMap((person) => [lines(person, counted, 10), lines(person, leftOut, 10)]),
    lines(2, counted, 100),
  );
  const query = { row: SEGMENTS.left_out_line_percent, aggregation: 'team', range: RANGE, statistic: 'mean' } as const;
  const valuesOf = ({ series }: FoldedReport) =>
    Object.fromEntries(series.map(({ name, values }) => [name, values[0]]));
  const months = { ...query, bucket: 'monthly', intervals: intervalsOf(RANGE, 'monthly', false) } as const;
  const points = await runFolded(kit.store, { ...months, shownGroups: new Set(['1', '2']) }, scope);
  const whole = { ...query, bucket: 'whole', intervals: [wholeRange(RANGE)], kept: points.kept } as const;
  const totals = await runFolded(kit.store, whole, scope);
  expect(Object.keys(valuesOf(points))).toHaveLength(2);
  expect(valuesOf(totals)).toEqual(valuesOf(points));
});

/** Everybody commits in every repo; the later a developer or repo, the less. */
async function namesByRepoAndPerson(repos: number, people: number): Promise<string[]> {
  const kit = await createFactsKit();
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  await kit.insert(
    'repos',
    ...range(repos).flatMap((id) =>
      id < 3 ? [] : [{ id, organization_id: 1, slug: `r${id}`, name: `r${id}`, source_kind: 'path' }],
    ),
  );
  await kit.insert('committers', ...range(people).flatMap((id) => (id < 4 ? [] : [{ id }])));
  await kit.insert(
    'daily_commits',
    ...range(repos).flatMap((repo_id) =>
      range(people).map((committer_id) => ({
        authored_on: '2026-05-04',
        repo_id,
        committer_id,
        commit_count: 1000 - 30 * repo_id - committer_id,
      })),
    ),
  );
  const { series } = await runFolded(
    kit.store,
    {
      row: { ...SEGMENTS.commit_count, split: 'committer' },
      aggregation: 'repo',
      range: RANGE,
      statistic: 'mean',
      bucket: 'monthly',
      intervals: intervalsOf(RANGE, 'monthly', false),
    },
    kit.scope(),
  );
  return series.map(({ name }) => name);
}

test('one repo of two is never called Other: the smaller developers are folded', async () => {
  const names = await namesByRepoAndPerson(2, 16);
  const ofRepo = (repo: string) => names.filter((name) => name.startsWith(`${repo} - `));
  expect(ofRepo('one')).toHaveLength(10);
  expect(ofRepo('two')).toHaveLength(10);
  expect(ofRepo('one')).toContain('one - Other');
  expect(names).toHaveLength(20);
});

test('of three repos too, and a developer or repo that would be the rest alone is named', async () => {
  expect(await namesByRepoAndPerson(3, 16)).toHaveLength(21);
  expect((await namesByRepoAndPerson(3, 16)).filter((name) => name.startsWith('Other'))).toEqual([]);
  expect((await namesByRepoAndPerson(1, 21)).filter((name) => name.includes('Other'))).toEqual([]);
  expect((await namesByRepoAndPerson(21, 1)).filter((name) => name.includes('Other'))).toEqual([]);
  expect((await namesByRepoAndPerson(22, 1)).filter((name) => name.includes('Other'))).toHaveLength(1);
});
