import { expect, it } from 'vitest';
import { CATEGORIES } from '../../../src/domain/commits/line-model.ts';
import { digestStoredFacts } from '../../oracles/digest-stored-facts.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';
import { createImportKit, digestOfRepository, type ImportKit, snapshot } from './import-kit.ts';

const digestOf = async (kit: ImportKit, repoId: number | null): Promise<string> =>
  digestStoredFacts(kit.store.db, { entityId: kit.entityId, repoId: repoId ?? -1 });

it('a small repository becomes commits, files, flows, people and daily sums', async () => {
  const repo = goldenRepo()
    .commit('base', {
      files: { 'src/a.ts': 'const one = compute(1);\nconst two = compute(2);\nconst three = compute(3);\n' },
    })
    .commit('change', {
      author: 'Bo Builder <bo@example.com>',
      files: { 'src/a.ts': 'const one = compute(1);\nconst two = compute(22);\nexport const four = other(4);\n' },
    })
    .branch('topic')
    .commit('work', { files: { 'README.md': 'A readme with some words in it.\n' } })
    .tag('v1', 'base')
    .build();
  const kit = await createImportKit();
  const row = await kit.importFolder('small', repo.path);
  expect(row).toMatchObject({ status: 'processing_completed', percent_complete: 100, error_em: null });
  expect(row).toMatchObject({ commits_complete_count: 3, commit_processed_count: 3 });
  expect(row.default_branch_processed_back_through).toBe('2024-01-01');
  const commits = await kit.query(
    `select encode(sha, 'hex') as sha, state, rolled_up, on_default_branch, added, removed,
            encode(parents, 'hex') as parents, encode(children, 'hex') as children
     from commits order by authored_at`,
  );
  const complete = { state: 'analysis_complete', rolled_up: true };
  const [base, change, work] = ['base', 'change', 'work'].map((label) => repo.sha(label));
  expect(commits).toEqual([
    { ...complete, sha: base, on_default_branch: true, added: 3, removed: null, parents: '', children: change },
    { ...complete, sha: change, on_default_branch: true, added: 2, removed: 2, parents: base, children: work },
    { ...complete, sha: work, on_default_branch: false, added: 1, removed: null, parents: change, children: '' },
  ]);
  expect(
    await kit.query(`
      select encode(c.sha, 'hex') as removing, encode(o.sha, 'hex') as origin, age, f.lines_deleted, f.lines_updated
      from line_flows f join commits c on c.id = f.commit_id join commits o on o.id = f.origin_commit_id`),
  ).toEqual([{ removing: change, origin: base, age: 'lt_2w', lines_deleted: 1, lines_updated: 1 }]);
  expect(
    await kit.query(`
      select p.committer_user_name, d.authored_on, d.commit_count, d.added, d.removed
      from daily_commits d join committers p on p.id = d.committer_id order by 1`),
  ).toEqual([
    { committer_user_name: 'ada-lovelace', authored_on: '2024-01-01', commit_count: 2, added: 4, removed: 0 },
    { committer_user_name: 'bo-builder', authored_on: '2024-01-01', commit_count: 1, added: 2, removed: 2 },
  ]);
  expect(await kit.query('select name, encode(sha, $1) as sha from tags', ['hex'])).toEqual([
    { name: 'v1', sha: base },
  ]);
  expect(await digestOf(kit, row.repo_id)).toBe(await digestOfRepository(repo.path));
});

it('the entity’s own rules decide the category of a file before the built-in ones', async () => {
  const repo = goldenRepo()
    .commit('base', { files: { 'legacy/a.ts': 'const one = compute(1);\n', 'src/b.ts': 'const two = compute(2);\n' } })
    .build();
  const kit = await createImportKit();
  await kit.query(`insert into entity_settings (entity_id, key, value) values ($1, 'category_rules', $2)`, [
    kit.entityId,
    JSON.stringify([{ pattern: 'legacy/**', category: 'third_party', multiplier: 0 }]),
  ]);
  await kit.importFolder('ruled', repo.path);
  const thirdParty = CATEGORIES.find(({ key }) => key === 'third_party')!.id;
  const files = await kit.query('select path, category = $1 as is_third_party from commit_files order by path', [
    thirdParty,
  ]);
  expect(files).toEqual([
    { path: 'legacy/a.ts', is_third_party: true },
    { path: 'src/b.ts', is_third_party: false },
  ]);
});

it.each([1, 2, 3, 4])(
  'history %i: the stored facts have the engine’s digest, and a second import changes no row',
  async (seed) => {
    const repo = randomHistory(seed, { commits: 60, words: 14 });
    const kit = await createImportKit();
    const first = await kit.importFolder('random', repo.path);
    expect(first).toMatchObject({ status: 'processing_completed', error_detail: '' });
    expect(await digestOf(kit, first.repo_id)).toBe(await digestOfRepository(repo.path));
    const before = await snapshot(kit);
    await kit.run(first.id);
    const again = await kit.importFolder('random', repo.path);
    expect(again.status).toBe('processing_completed');
    expect(await snapshot(kit)).toEqual(before);
  },
);
