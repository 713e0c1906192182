import { describe, expect, it } from 'vitest';
import { digestStoredFacts } from '../../oracles/digest-stored-facts.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createImportKit, digestOfRepository } from './import-kit.ts';

const lines = (word: string, count = 6): string =>
  Array.from({ length: count }, (_, index) => `the ${word} line ${index} is long enough\n`).join('');

const repo = goldenRepo()
  .commit('base', { files: { 'a.txt': lines('base') } })
  .branch('topic')
  .commit('work', { files: { 'b.txt': lines('work') } })
  .switch('gh-pages')
  .commit('page one', { files: { 'index.html': lines('page') } })
  .commit('page two', { files: { 'index.html': lines('pages') } })
  .switch('main')
  .commit('next', { files: { 'c.txt': lines('next') } })
  .build();

type Kit = Awaited<ReturnType<typeof createImportKit>>;
const presences = async (kit: Kit) =>
  Object.fromEntries(
    (
      await kit.query<{ sha: string; presence: string; rolled_up: boolean }>(
        `select encode(sha, 'hex') as sha, presence, rolled_up from commits where entity_id = $1`,
        [kit.entityId],
      )
    ).map(({ sha, presence, rolled_up }) => [repo.label(sha), rolled_up ? 'counted' : presence]),
  );
const setBranches = (kit: Kit, patterns: readonly string[]) =>
  kit.query(
    `insert into entity_settings (entity_id, key, value) values ($1, 'branches', $2)
     on conflict (entity_id, key) do update set value = excluded.value`,
    [kit.entityId, JSON.stringify(patterns)],
  );

describe('branches that are left out', () => {
  it('orphans are not imported and named in the record, like in an analysis', async () => {
    const kit = await createImportKit();
    const row = await kit.importFolder('pages', repo.path);
    expect(row.left_out_branches).toEqual([{ name: 'gh-pages', reason: 'orphan', commit_count: 2 }]);
    expect(await presences(kit)).toEqual({ base: 'counted', work: 'counted', next: 'counted' });
    expect(await digestStoredFacts(kit.store.db, { entityId: kit.entityId, repoId: row.repo_id! })).toBe(
      await digestOfRepository(repo.path),
    );
  });

  it('a changed setting drops commits with the reason, and brings them back without a new analysis', async () => {
    const kit = await createImportKit();
    const { id } = await kit.importFolder('pages', repo.path);
    await setBranches(kit, ['!topic']);
    expect((await kit.run(id)).left_out_branches).toEqual([
      { name: 'gh-pages', reason: 'orphan', commit_count: 2 },
      { name: 'topic', reason: 'pattern', commit_count: 1 },
    ]);
    expect(await presences(kit)).toEqual({ base: 'counted', work: 'branch_left_out', next: 'counted' });
    await setBranches(kit, ['**']);
    expect((await kit.run(id)).left_out_branches).toEqual([]);
    expect(await presences(kit)).toEqual({
      base: 'counted',
      work: 'counted',
      next: 'counted',
      'page one': 'counted',
      'page two': 'counted',
    });
    await setBranches(kit, []);
    await kit.run(id);
    expect(await presences(kit)).toMatchObject({ 'page one': 'branch_left_out', 'page two': 'branch_left_out' });
  });
});

describe('a release', () => {
  it('takes the sources of a squash back into the counts when its tag arrives later', async () => {
    const source = goldenRepo()
      .commit('base', { files: { 'a.txt': lines('base') } })
      .branch('line')
      .commit('one', { files: { 'x.txt': lines('one', 9) } })
      .commit('two', { files: { 'y.txt': lines('two', 9) } })
      .switch('main')
      .commit('sync', { files: { 'x.txt': lines('one', 9), 'y.txt': lines('two', 9) }, at: '2024-03-01T00:00:00Z' })
      .build();
    const kit = await createImportKit();
    const { id } = await kit.importFolder('line', source.path);
    const reasons = () =>
      kit.query(`select not_counted from commits where entity_id = $1 and not_counted is not null`, [kit.entityId]);
    expect(await reasons()).toHaveLength(2);
    source.git('tag', 'v1.0.0', source.sha('two'));
    await kit.run(id);
    expect(await reasons()).toEqual([]);
  });
});
