// Sources whose history is cut off, and reaches further back or less far another day.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeEnd } from '../../../src/cli/verbs/import.ts';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createOperations, OPERATOR } from '../../../src/operations/index.ts';
import { goldenRepo, isolatedGitEnvironment } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';
import { contentOf, createImportKit, type ImportKit, jobContext, makeFolder } from './import-kit.ts';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, ...args], { env: isolatedGitEnvironment(), encoding: 'utf8', stdio: 'pipe' });

/** With the branches of the source as its own. */
function cloneShallow(source: string, depth: number): string {
  const folder = join(makeFolder(), 'clone.git');
  git('/', 'clone', '-q', '--bare', '--no-single-branch', `--depth=${depth}`, `file://${source}`, folder);
  return folder;
}

const REFS = '+refs/heads/*:refs/heads/*';
const deepen = (folder: string, source: string, ...how: string[]) =>
  git(folder, 'fetch', '-q', '--update-head-ok', ...how, `file://${source}`, REFS);

const commitsOf = (folder: string) => Number(git(folder, 'rev-list', '--count', '--branches'));

async function contentOfFresh(folder: string, window?: { from: string }): Promise<object> {
  const fresh = await createImportKit();
  const row = await fresh.run(await fresh.queue('repo', { kind: 'path', address: folder }, window));
  return { ...(await contentOf(fresh, row.repo_id)), firsts: await firstsOf(fresh) };
}

const contentNow = async (kit: ImportKit, repoId: number | null) => ({
  ...(await contentOf(kit, repoId)),
  firsts: await firstsOf(kit),
});

const firstsOf = (kit: ImportKit) =>
  kit.query<object>('select address_key, first_authored_at from committer_identities where entity_id = $1 order by 1', [
    kit.entityId,
  ]);

/** A line of history in which lines are rewritten, and merges, of which a shallow clone may end at one. */
function mergedRepo() {
  const builder = goldenRepo();
  for (let n = 1; n <= 4; n += 1) {
    builder
      .commit(`m${n}`, {
        author: `P${n} <p${n}@example.com>`,
        files: { 'src/a.ts': lines(n, 30), [`src/n${n}.ts`]: lines(n, 5) },
      })
      .branch(`topic${n}`)
      .commit(`t${n}`, { files: { [`src/t${n}.ts`]: lines(n, 12) } })
      .switch('main')
      .commit(`o${n}`, { files: { 'src/b.ts': lines(n * 7, 20) } })
      .merge(`j${n}`, [`t${n}`], { take: { [`src/t${n}.ts`]: `t${n}` } })
      .deleteBranch(`topic${n}`);
  }
  return builder.build();
}

const lines = (seed: number, count: number) =>
  Array.from({ length: count }, (_, n) => `const value${n} = call(${n % 3 === 0 ? n : n * seed});\n`).join('');

it.each([
  ['merges, one of them at the boundary', mergedRepo, 2],
  ['merges behind the boundary', mergedRepo, 3],
  ['branches and copies', () => randomHistory(11, { commits: 50, words: 14 }), 6],
] as const)('%s: a boundary that moves leaves the facts of a fresh import', async (_, build, depth) => {
  const source = build().path;
  const folder = cloneShallow(source, depth);
  const kit = await createImportKit({ settings: { batchBytes: 4000 } });
  const first = await kit.importFolder('repo', folder);
  expect(first.commits_complete_count).toBe(commitsOf(folder));
  expect(first.commits_complete_count).toBeLessThan(commitsOf(source));
  const cut = await contentNow(kit, first.repo_id);

  deepen(folder, source, '--deepen=1');
  await kit.run(first.id);
  expect(await contentNow(kit, first.repo_id)).toEqual(await contentOfFresh(folder));

  deepen(folder, source, '--unshallow');
  const whole = await kit.run(first.id);
  expect(whole.commits_complete_count).toBe(commitsOf(source));
  const content = await contentNow(kit, first.repo_id);
  expect(content).toEqual(await contentOfFresh(folder));
  expect(content).not.toEqual(cut);
  const versions = () => kit.query('select version from data_versions where entity_id = $1', [kit.entityId]);
  const before = await versions();
  await kit.run(first.id);
  expect(await versions()).toEqual(before);

  // As far back as at first. Whom the whole history has shown earlier is known since then.
  deepen(folder, source, `--depth=${depth}`);
  await kit.run(first.id);
  expect(await contentOf(kit, first.repo_id)).toEqual(omitFirsts(cut));
});

const omitFirsts = ({ firsts: _, ...content }: Record<string, unknown>) => content;

/** Runs an import up to so many batches. */
async function cutOff(kit: ImportKit, id: number, after: number): Promise<void> {
  const stop = new AbortController();
  let batches = 0;
  const onBatch = () => {
    batches += 1;
    if (batches === after) stop.abort(new Error('cut off by the test'));
  };
  const run = importRepo.run({ entity_id: kit.entityId, import_id: id }, jobContext(stop.signal, onBatch), kit.parts);
  await expect(run).rejects.toThrow('cut off by the test');
}

it('a walk that is cut off goes on, also where the boundary moved before and after', async () => {
  const source = mergedRepo().path;
  const folder = cloneShallow(source, 2);
  const kit = await createImportKit({ settings: { batchBytes: 1 } });
  const id = await kit.queue('repo', { kind: 'path', address: folder });
  await cutOff(kit, id, 3);
  deepen(folder, source, '--deepen=1');
  await cutOff(kit, id, 4);
  deepen(folder, source, '--unshallow');
  await cutOff(kit, id, 5);
  const row = await kit.run(id);
  expect(await contentNow(kit, row.repo_id)).toEqual(await contentOfFresh(folder));
});

it.each([false, true])('with a window, first commits behind it are found (cut off: %s)', async (isCutOff) => {
  const source = mergedRepo().path;
  const folder = cloneShallow(source, 3);
  // Within what the shallow clone has.
  const window = { from: '2024-01-02T01:30:00Z' };
  const kit = await createImportKit({ settings: { batchBytes: 1 } });
  const { id, repo_id } = await kit.run(await kit.queue('repo', { kind: 'path', address: folder }, window));
  deepen(folder, source, '--unshallow');
  if (isCutOff) await cutOff(kit, id, 1);
  await kit.run(id);
  expect(await contentNow(kit, repo_id)).toEqual(await contentOfFresh(folder, window));
});

it('an end that no branch reaches makes nobody read anything again', async () => {
  const source = mergedRepo().path;
  git(source, 'branch', '-f', 'release', 'main~4');
  const folder = join(makeFolder(), 'clone');
  git('/', 'clone', '-q', '--single-branch', '--branch', 'main', '--depth=2', `file://${source}`, folder);
  const kit = await createImportKit();
  const { id } = await kit.importFolder('repo', folder);
  const stored = async () => [
    await kit.query('select shallow_shas from repos'),
    await kit.query('select version from data_versions where entity_id = $1', [kit.entityId]),
  ];
  const before = await stored();
  const ends = () => readFileSync(join(folder, '.git', 'shallow'), 'latin1');
  const own = ends();
  git(folder, 'fetch', '-q', '--depth=1', 'origin', 'release');
  expect(ends()).not.toBe(own);
  await kit.run(id);
  expect(await stored()).toEqual(before);
});

it('a repo that was imported before boundaries were stored reaches back as well', async () => {
  const source = mergedRepo().path;
  const folder = cloneShallow(source, 3);
  const kit = await createImportKit();
  const { id, repo_id } = await kit.importFolder('repo', folder);
  await kit.query('update repos set shallow_shas = null');
  deepen(folder, source, '--unshallow');
  await kit.run(id);
  expect(await contentNow(kit, repo_id)).toEqual(await contentOfFresh(folder));
});

it('the import says that its history is cut off, until it is not', async () => {
  const source = mergedRepo().path;
  const folder = cloneShallow(source, 3);
  const kit = await createImportKit();
  const operations = createOperations({ store: kit.store, log: silentLog, now: () => new Date() });
  const [entity] = await kit.query<{ slug: string }>('select slug from entities where id = $1', [kit.entityId]);
  const grant = await operations.access.enterEntity(OPERATOR, entity!.slug, 'member');
  const { id } = await kit.importFolder('repo', folder);
  const boundaries = git(folder, 'rev-list', '--max-parents=0', '--count', '--branches').trim();
  const [listed] = await operations.imports.list(grant);
  expect(listed).toMatchObject({ cut_off_commit_count: Number(boundaries) });
  const [state] = await operations.imports.states(OPERATOR, entity!.slug, [id]);
  expect(describeEnd(state!.record)).toContain('git fetch --unshallow');

  deepen(folder, source, '--unshallow');
  await kit.run(id);
  const [whole] = await operations.imports.list(grant);
  expect(whole).toMatchObject({ cut_off_commit_count: 0 });
  expect(describeEnd(whole!)).not.toContain('unshallow');
  await operations.close();
});
