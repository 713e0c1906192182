// An import that was stopped ends like one that was not, wherever it was stopped; and what is derived anew has nothing left
// of what it was derived under before.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { rebuildRollups } from '../../../src/storage/commits/rollups.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { contentOf, createImportKit, type ImportKit, jobContext } from './import-kit.ts';

const code = (name: string, count: number, from = 0): string =>
  Array.from(
    { length: count },
    (_, n) => `export const ${name}${n + from} = compute${name}(${n + from}, '${name}');\n`,
  ).join('');

/** Two topics that were squashed, larger than a min-hash holds, one that was rebased, a pick, a bot and an agent. */
function branchedRepo(): GoldenRepo {
  const bo = 'Bo <bo@example.com>';
  return goldenRepo()
    .commit('base', { files: { 'src/a.ts': code('base', 20), 'src/z.ts': code('zed', 6) } })
    .commit('t1', { on: 'topic', parents: ['base'], author: bo, files: { 'src/b.ts': code('beta', 700) } })
    .commit('t2', { on: 'topic', author: bo, files: { 'src/b.ts': code('beta', 1400) } })
    .commit('t3', { on: 'topic', author: bo, files: { 'src/b.ts': code('beta', 1400) + code('late', 3) } })
    .commit('squash', {
      on: 'main',
      parents: ['base'],
      author: bo,
      files: { 'src/b.ts': code('beta', 1400) + code('late', 3) },
      message: 'Add beta\n\n* t1\n* t2\n* t3\n',
    })
    .commit('r1', {
      on: 'side',
      parents: ['base'],
      files: { 'src/c.ts': code('gamma', 9) },
      at: '2024-02-01T10:00:00Z',
    })
    .commit('r1 again', {
      on: 'main',
      files: { 'src/c.ts': code('gamma', 9) },
      message: 'r1\n',
      authored: '2024-02-01T10:00:00Z',
      committed: '2024-02-03T10:00:00Z',
    })
    .commit('small 1', { on: 'other', parents: ['base'], files: { 'src/d.ts': code('delta', 8) } })
    .commit('small 2', { on: 'other', files: { 'src/d.ts': code('delta', 12) } })
    .commit('unlike', { on: 'main', files: { 'src/d.ts': code('delta', 3), 'src/e.ts': code('eps', 30) } })
    .commit('by an agent', {
      on: 'main',
      author: 'Claude <noreply@anthropic.com>',
      files: { 'src/z.ts': code('zed', 4) + code('yod', 4) },
      message: 'Rework\n\nCo-authored-by: Bo <bo@example.com>\n',
    })
    .commit('last', { on: 'main', files: { 'src/a.ts': code('base', 5), 'package-lock.json': code('lock', 5) } })
    .build();
}

/** What a commit says of itself, people by their addresses. */
const saidOf = (kit: ImportKit, repoId: number | null) =>
  kit.query<{ sha: string }>(
    `select encode(c.sha, 'hex') as sha, encode(c.parents, 'hex') as parents, encode(c.patch_id, 'hex') as patch_id,
       encode(c.min_hash, 'hex') as min_hash, c.message, c.reverts, c.limits::text, p.email as author, g.email as agent,
       s.email as signed, w.email as committed,
       array(select x.email from signatures x where x.entity_id = c.entity_id and x.id = any(c.co_author_signature_ids)
         order by 1) as co_authors
     from commits c
     join committers p on p.entity_id = c.entity_id and p.id = c.author_id
     left join committers g on g.entity_id = c.entity_id and g.id = c.agent_id
     join signatures s on s.entity_id = c.entity_id and s.id = c.author_signature_id
     left join signatures w on w.entity_id = c.entity_id and w.id = c.committer_signature_id
     where c.entity_id = $1 and c.repo_id = $2 order by 1`,
    [kit.entityId, repoId],
  );

const repo = branchedRepo();
let store: Store;
let expected: { content: Record<string, unknown>; said: object[]; batches: number };
const newKit = (batchBytes: number) => createImportKit({ store, settings: { batchBytes } });

/** Runs the import, stopped at the given batch. */
async function runUntil(kit: ImportKit, id: number, batch: number): Promise<number> {
  const stop = new AbortController();
  let seen = 0;
  const onBatch = () => {
    seen += 1;
    if (seen === batch) stop.abort(new Error('stopped by the test'));
  };
  const run = importRepo.run({ entity_id: kit.entityId, import_id: id }, jobContext(stop.signal, onBatch), kit.parts);
  if (batch === Number.POSITIVE_INFINITY) await run;
  else await expect(run).rejects.toThrow('stopped by the test');
  return seen;
}
const start = (kit: ImportKit) => kit.queue('repo', { kind: 'path', address: repo.path });
const repoOf = async (kit: ImportKit): Promise<number> =>
  (await kit.query<{ id: number }>('select id from repos where entity_id = $1', [kit.entityId]))[0]!.id;

beforeAll(async () => {
  store = (await createTestDatabase()).store;
  const kit = await newKit(1);
  const batches = await runUntil(kit, await start(kit), Number.POSITIVE_INFINITY);
  const repoId = await repoOf(kit);
  expected = { content: await contentOf(kit, repoId), said: await saidOf(kit, repoId), batches };
});
afterAll(() => repo.cleanup());

it('the history holds what copies are found by', () => {
  const reasons = (expected.content.commits as { sha: string; not_counted: string | null }[]).map(
    ({ sha, not_counted }) => [repo.label(sha), not_counted],
  );
  expect(Object.fromEntries(reasons)).toMatchObject({
    t1: 'squash_source',
    t2: 'squash_source',
    r1: expect.stringMatching(/_copy$/),
    squash: null,
    'small 1': null,
  });
  expect(expected.batches).toBeGreaterThan(12);
});

it('stopped at any batch and gone on with, it ends like one that was not stopped', async () => {
  for (let batch = 1; batch <= expected.batches; batch += 1) {
    const kit = await newKit(1);
    const id = await start(kit);
    await runUntil(kit, id, batch);
    await kit.run(id);
    const repoId = await repoOf(kit);
    expect(await contentOf(kit, repoId), `stopped at batch ${batch}`).toEqual(expected.content);
    expect(await saidOf(kit, repoId), `stopped at batch ${batch}`).toEqual(expected.said);
  }
}, 120_000);

it('in larger batches, and stopped again and again, it does too', async () => {
  const kit = await newKit(6000);
  const id = await start(kit);
  for (const batch of [1, 1, 2, 1]) await runUntil(kit, id, batch).catch(() => undefined);
  await kit.run(id);
  expect(await contentOf(kit, await repoOf(kit))).toEqual(expected.content);
});

describe('derived anew', () => {
  it.each([1, 1_000_000])(
    'in batches of %d bytes, commits say of themselves what a fresh import does',
    async (size) => {
      const kit = await newKit(size);
      const id = await start(kit);
      await kit.run(id);
      const repoId = await repoOf(kit);
      // As an older version would have stored it: coarser lines, other patches, nobody's agent, a squash that is none.
      await kit.query(
        `update commits set min_hash = substring(min_hash from 1 for 12), patch_id = null, co_author_signature_ids = null,
         agent_id = null, message = 'old', reverts = null,
         author_id = (select min(author_id) from commits where entity_id = $1)
       where entity_id = $1`,
        [kit.entityId],
      );
      await kit.query(
        `update commits set not_counted = 'squash_source', derived_from = parents where entity_id = $1 and sha = $2`,
        [kit.entityId, Buffer.from(repo.sha('small 1'), 'hex')],
      );
      await kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, repoId, 'UTC'));
      await kit.query(
        `update repos set derived_under = '{"formula_version": 0, "churn_days": 14}' where entity_id = $1`,
        [kit.entityId],
      );
      await kit.run(id);
      expect(await saidOf(kit, repoId)).toEqual(expected.said);
      expect(await contentOf(kit, repoId)).toEqual(expected.content);
    },
  );
});
