import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';
import { branchesAt, growingRepo } from './growing-repo.ts';
import { contentOf, createImportKit, digestOfRepository, jobContext } from './import-kit.ts';

const lines = (...words: string[]): string => words.map((word) => `the line about ${word} is long enough\n`).join('');

describe('an import in steps equals one of the whole', () => {
  it.each([11, 12, 13])('random history %i', async (seed) => {
    const whole = randomHistory(seed, { commits: 50, words: 14 });
    const total = Object.keys(whole.shas).length;
    const source = growingRepo(whole);
    const kit = await createImportKit();
    const importId = await kit.queue('growing', { kind: 'path', address: source.path });
    for (const share of [0.3, 0.5, 0.8, 1]) {
      source.setBranches(branchesAt(whole, Math.ceil(total * share)));
      expect(await kit.run(importId)).toMatchObject({ status: 'processing_completed', error_detail: '' });
    }
    const fresh = await createImportKit();
    const stepwise = await contentOf(kit, (await kit.run(importId)).repo_id);
    const { repo_id } = await fresh.importFolder('whole', source.path);
    expect(stepwise).toEqual(await contentOf(fresh, repo_id));
    expect(stepwise.digest).toBe(await digestOfRepository(source.path));
  });
});

describe('branches that move', () => {
  const whole = goldenRepo()
    .commit('base', { files: { 'a.txt': lines('one', 'two', 'three') } })
    .branch('topic')
    .commit('work', {
      author: 'Bo <bo@x.org>',
      files: { 'b.txt': lines('red', 'green', 'blue', 'white', 'black', 'grey') },
    })
    .switch('main')
    .commit('next', { files: { 'c.txt': lines('four', 'five') } })
    .commit('squash', {
      author: 'Bo <bo@x.org>',
      message: 'work\n',
      files: { 'b.txt': lines('red', 'green', 'blue', 'white', 'black', 'grey') },
    })
    .build();
  const main = (label: string) => ({ main: whole.sha(label) });

  const countOf = async (kit: Awaited<ReturnType<typeof createImportKit>>): Promise<number> => {
    const [row] = await kit.query<{ sum: number | null }>(
      'select sum(commit_count) from daily_commits where entity_id = $1',
      [kit.entityId],
    );
    return row?.sum ?? 0;
  };
  const presenceOf = async (kit: Awaited<ReturnType<typeof createImportKit>>, label: string): Promise<unknown> =>
    (
      await kit.query<{ presence: string }>(
        `select presence from commits where sha = decode($1, 'hex') and entity_id = $2`,
        [whole.sha(label), kit.entityId],
      )
    )[0]?.presence;

  it('a branch makes way for those in a folder of its name, and they for it', async () => {
    const source = growingRepo(whole);
    const kit = await createImportKit();
    const importId = await kit.queue('renamed', { kind: 'path', address: source.path });
    const sha = whole.sha('work');
    for (const names of [['release', 'x/y'], ['release/1', 'release/2', 'x'], ['release']]) {
      source.setBranches(main('next'));
      source.setBranches({ ...main('next'), ...Object.fromEntries(names.map((name) => [name, sha])) });
      expect(await kit.run(importId)).toMatchObject({ status: 'processing_completed', error_detail: '' });
      const rows = await kit.query<{ name: string }>(
        'select name from branches where entity_id = $1 and deleted_at is null order by name',
        [kit.entityId],
      );
      expect(rows.map(({ name }) => name)).toEqual(['main', ...names].sort());
    }
  });

  it('commits of a deleted branch stop counting and count again when the branch is back', async () => {
    const source = growingRepo(whole);
    source.setBranches({ ...main('next'), topic: whole.sha('work') });
    const kit = await createImportKit();
    const { id, repo_id } = await kit.importFolder('moving', source.path);
    expect(await countOf(kit)).toBe(3);
    const before = await contentOf(kit, repo_id);
    source.setBranches(main('next'));
    await kit.run(id);
    expect(await presenceOf(kit, 'work')).toBe('removed');
    expect(await countOf(kit)).toBe(2);
    source.setBranches({ ...main('next'), topic: whole.sha('work') });
    await kit.run(id);
    expect(await presenceOf(kit, 'work')).toBe('existent');
    expect(await contentOf(kit, repo_id)).toEqual(before);
  });

  it('a copy that reaches the default branch counts instead of its source, and a deleted source was rewritten', async () => {
    const source = growingRepo(whole);
    source.setBranches({ ...main('next'), topic: whole.sha('work') });
    const kit = await createImportKit();
    const { id } = await kit.importFolder('moving', source.path);
    source.setBranches({ ...main('squash'), topic: whole.sha('work') });
    const { repo_id } = await kit.run(id);
    const [work] = await kit.query(
      `select not_counted, encode(derived_from, 'hex') as derived_from, rolled_up from commits where sha = decode($1, 'hex')`,
      [whole.sha('work')],
    );
    expect(work).toEqual({
      not_counted: expect.stringMatching(/_copy$/),
      derived_from: whole.sha('squash'),
      rolled_up: false,
    });
    expect(await countOf(kit)).toBe(3);
    const fresh = await createImportKit();
    expect(await contentOf(kit, repo_id)).toEqual(
      await contentOf(fresh, (await fresh.importFolder('whole', source.path)).repo_id),
    );
    source.setBranches(main('squash'));
    await kit.run(id);
    expect(await presenceOf(kit, 'work')).toBe('rewritten');
    expect(await countOf(kit)).toBe(3);
  });

  it('a forced default branch and a renamed one leave what a fresh import would see', async () => {
    const source = growingRepo(whole);
    source.setBranches(main('squash'));
    const kit = await createImportKit();
    const { id, repo_id } = await kit.importFolder('moving', source.path);
    source.setBranches({ trunk: whole.sha('work') });
    source.git('symbolic-ref', 'HEAD', 'refs/heads/trunk');
    await kit.run(id);
    expect(await presenceOf(kit, 'next')).toBe('removed');
    expect(await presenceOf(kit, 'squash')).toBe('rewritten');
    const fresh = await createImportKit();
    expect(await contentOf(kit, repo_id)).toEqual(
      await contentOf(fresh, (await fresh.importFolder('whole', source.path)).repo_id),
    );
  });

  it.each([
    ['is set back while another one keeps its commits', 'squash', 'base'],
    ['takes in what another one had', 'base', 'squash'],
  ])('a default branch that %s leaves what a fresh import would see', async (_how, from, to) => {
    const source = growingRepo(whole);
    const others = { kept: whole.sha('squash') };
    source.setBranches({ ...main(from), ...others });
    const kit = await createImportKit();
    const { id, repo_id } = await kit.importFolder('moving', source.path);
    source.setBranches({ ...main(to), ...others });
    await kit.run(id);
    const [{ count } = { count: -1 }] = await kit.query<{ count: number }>(
      'select count(*)::int from commits where entity_id = $1 and on_default_branch',
      [kit.entityId],
    );
    expect(count).toBe(to === 'base' ? 1 : 3);
    const fresh = await createImportKit();
    expect(await contentOf(kit, repo_id)).toEqual(
      await contentOf(fresh, (await fresh.importFolder('whole', source.path)).repo_id),
    );
  });

  /** Runs the import until it has stored so many batches of one commit, and cuts it off. */
  const cutAfter = async (
    kit: Awaited<ReturnType<typeof createImportKit>>,
    importId: number,
    batches: number,
  ): Promise<void> => {
    const stop = new AbortController();
    let seen = 0;
    const onBatch = () => {
      seen += 1;
      if (seen > batches) stop.abort(new Error('cut off by the test'));
    };
    const payload = { entity_id: kit.entityId, import_id: importId };
    await expect(importRepo.run(payload, jobContext(stop.signal, onBatch), kit.parts)).rejects.toThrow(
      'cut off by the test',
    );
  };

  it.each([
    ['forced to another commit', 'work'],
    ['taken back', 'base'],
  ])('a branch that was %s after a walk that was cut off leaves nothing of that walk', async (_how, label) => {
    const source = growingRepo(whole);
    source.setBranches(main('base'));
    const kit = await createImportKit({ settings: { batchBytes: 1 } });
    const { id, repo_id } = await kit.importFolder('cut', source.path);
    source.setBranches(main('squash'));
    await cutAfter(kit, id, 1);
    expect(await kit.query('select from commits')).not.toHaveLength(1);
    source.setBranches(main(label));
    expect(await kit.run(id)).toMatchObject({ status: 'processing_completed', error_detail: '' });
    const fresh = await createImportKit();
    expect(await contentOf(kit, repo_id)).toEqual(
      await contentOf(fresh, (await fresh.importFolder('whole', source.path)).repo_id),
    );
  });

  it('a history that was replaced after a first walk that was cut off leaves nothing of that walk', async () => {
    const source = growingRepo(whole);
    source.setBranches(main('squash'));
    const kit = await createImportKit({ settings: { batchBytes: 1 } });
    const id = await kit.queue('cut', { kind: 'path', address: source.path });
    await cutAfter(kit, id, 1);
    const other = goldenRepo()
      .commit('other', { files: { 'z.txt': lines('something', 'else') } })
      .build();
    const { repo_id } = await kit.importFolder('cut', other.path);
    const fresh = await createImportKit();
    expect(await contentOf(kit, repo_id)).toEqual(
      await contentOf(fresh, (await fresh.importFolder('whole', other.path)).repo_id),
    );
  });

  it('a machine whose mirror never had the old branch follows a forced one all the same', async () => {
    const kit = await createImportKit();
    const { id, repo_id } = await kit.importFolder('moved', whole.path);
    const rebuilt = goldenRepo()
      .commit('base', { files: { 'a.txt': lines('one', 'two', 'three') } })
      .commit('later', { files: { 'a.txt': lines('one', 'two') } })
      .build();
    expect(rebuilt.sha('base')).toBe(whole.sha('base'));
    rmSync(join(kit.folder, 'mirrors'), { recursive: true });
    await kit.query(`update repo_sources set address = $1`, [rebuilt.path]);
    expect(await kit.run(id)).toMatchObject({ status: 'processing_completed', error_detail: '' });
    expect(await presenceOf(kit, 'squash')).toBe('removed');
    const fresh = await createImportKit();
    expect(await contentOf(kit, repo_id)).toEqual(
      await contentOf(fresh, (await fresh.importFolder('whole', rebuilt.path)).repo_id),
    );
  });

  it('nothing new means no analysis and no write to any fact', async () => {
    const source = growingRepo(whole);
    source.setBranches(main('next'));
    const kit = await createImportKit();
    const { id } = await kit.importFolder('still', source.path);
    const [before] = await kit.query('select version from data_versions where entity_id = $1', [kit.entityId]);
    let batches = 0;
    const onBatch = () => {
      batches += 1;
    };
    await importRepo.run({ entity_id: kit.entityId, import_id: id }, jobContext(undefined, onBatch), kit.parts);
    expect(batches).toBe(0);
    expect((await kit.query('select version from data_versions where entity_id = $1', [kit.entityId]))[0]).toEqual(
      before,
    );
  });
});
