import { expect, it } from 'vitest';
import { CURRENT_DERIVATION } from '../../../src/domain/commits/current-derivation.ts';
import type { Derivation } from '../../../src/domain/commits/derivation.ts';
import { deriveReviews } from '../../../src/jobs/collect/derive-reviews.ts';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { rederiveFacts } from '../../../src/jobs/rederive-facts.ts';
import type { JobParts } from '../../../src/jobs/task.ts';
import { rebuildRollups } from '../../../src/storage/commits/rollups.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom, randomHistory } from '../../world/random-history.ts';
import { contentOf, createImportKit, type ImportKit, jobContext } from './import-kit.ts';

const SHORT: Derivation = { ...CURRENT_DERIVATION, churn_days: 1 };

const under = (parts: JobParts, derivation: Derivation): JobParts => ({
  ...parts,
  imports: { ...parts.imports, derivation },
});

const run = (kit: ImportKit, importId: number, derivation: Derivation, context = jobContext()): Promise<void> =>
  importRepo.run({ entity_id: kit.entityId, import_id: importId }, context, under(kit.parts, derivation));

/** Lines that are rewritten hours, days and weeks after they were written, by people and tools. */
function rewrittenRepo() {
  const random = createRandom(3);
  const builder = goldenRepo();
  const lines = Array.from({ length: 30 }, (_, n) => `const first${n} = read(${n});`);
  let at = 1_704_100_000;
  for (let number = 0; number < 40; number += 1) {
    for (let times = 1 + random(4); times > 0; times -= 1) {
      lines.splice(random(lines.length), random(3), `const value${number} = call(${random(1000)});`);
    }
    at += [3_600, 40_000, 200_000, 900_000][random(4)]!;
    const mark = random(3) === 0 ? '\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n' : '';
    builder.commit(`c${number}`, {
      author: ['Ada <ada@example.com>', 'Bo <bo@example.com>'][random(2)]!,
      message: `change ${number}${mark}`,
      at,
      files: { 'src/a.ts': `${lines.join('\n')}\n` },
    });
  }
  return builder.build();
}

const churnOf = async (kit: ImportKit): Promise<number> => {
  const [row] = await kit.query<{ churned: number }>('select sum(lines_churned) as churned from daily_commits');
  return Number(row!.churned);
};

const people = (kit: ImportKit) =>
  kit.query<object>(
    `select p.email, d.authored_on, d.commit_count
     from daily_people d join committers p on p.entity_id = d.entity_id and p.id = d.committer_id order by 1, 2`,
  );

it.each([
  ['lines rewritten young and old', rewrittenRepo],
  ['branches, merges and copies', () => randomHistory(11, { commits: 50, words: 14 })],
] as const)('with another churn window, %s have the facts of a fresh import under it', async (_, build) => {
  const repo = build();
  const fresh = await createImportKit();
  const freshId = await fresh.queue('repo', { kind: 'path', address: repo.path });
  await run(fresh, freshId, SHORT);
  const [expected] = await fresh.query<{ repo_id: number }>('select repo_id from imports');

  const kit = await createImportKit({ settings: { batchBytes: 4000 } });
  const { id, repo_id } = await kit.importFolder('repo', repo.path);
  const before = await contentOf(kit, repo_id);
  const churnBefore = await churnOf(kit);
  const ids = () => kit.query(`select id, encode(sha, 'hex') as sha from commits order by sha`);
  const idsBefore = await ids();
  await run(kit, id, SHORT);

  expect(await contentOf(kit, repo_id)).toEqual(await contentOf(fresh, expected!.repo_id));
  expect(await people(kit)).toEqual(await people(fresh));
  expect(await ids()).toEqual(idsBefore);
  if (build === rewrittenRepo) expect(await churnOf(kit)).toBeLessThan(churnBefore);
  // Nothing is left over: the sums equal those of the stored facts, and the way back leads to where it began.
  const derived = await contentOf(kit, repo_id);
  await kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, repo_id!, 'UTC'));
  expect(await contentOf(kit, repo_id)).toEqual(derived);
  await run(kit, id, CURRENT_DERIVATION);
  expect(await contentOf(kit, repo_id)).toEqual(before);
});

it('a derivation that is cut off keeps old facts in the reports, shows how far it is, and goes on', async () => {
  const repo = rewrittenRepo();
  const fresh = await createImportKit();
  const freshId = await fresh.queue('repo', { kind: 'path', address: repo.path });
  await run(fresh, freshId, SHORT);

  const kit = await createImportKit({ settings: { batchBytes: 1 } });
  const { id, repo_id } = await kit.importFolder('repo', repo.path);
  const counted = async () =>
    (await kit.query<{ commits: number }>('select sum(commit_count)::int as commits from daily_commits'))[0]!.commits;
  const all = await counted();
  const stop = new AbortController();
  let batches = 0;
  const onBatch = () => {
    batches += 1;
    if (batches === 12) stop.abort(new Error('cut off by the test'));
  };
  const cut = run(kit, id, SHORT, jobContext(stop.signal, onBatch));
  await expect(cut).rejects.toThrow('cut off by the test');
  expect(await counted()).toBe(all);
  const [half] = await kit.query<{ done: number; percent: number; status: string }>(
    'select commits_complete_count as done, percent_complete as percent, status from imports',
  );
  expect(half!.status).toBe('processing_completed');
  expect(half!.done).toBeGreaterThan(0);
  expect(half!.done).toBeLessThan(all);
  // The last five percent are for a walk that is done.
  expect(half!.percent).toBe(Math.min(95, Math.floor((100 * half!.done) / all)));
  console.log(`cut off at ${half!.done} of ${all}`);

  await run(kit, id, SHORT);
  const [expected] = await fresh.query<{ repo_id: number }>('select repo_id from imports');
  expect(await contentOf(kit, repo_id)).toEqual(await contentOf(fresh, expected!.repo_id));
  const [record] = await kit.query<object>(
    'select r.derived_under, r.deriving_under, i.percent_complete from repos r join imports i on i.repo_id = r.id',
  );
  expect(record).toEqual({ derived_under: SHORT, deriving_under: null, percent_complete: 100 });
});

it('repos of another formula are queued for a walk, and those of the current one are not', async () => {
  const kit = await createImportKit();
  const repo = goldenRepo()
    .commit('a', { files: { a: 'x\n' } })
    .build();
  const first = await kit.importFolder('first', repo.path);
  const queued = async () => {
    await rederiveFacts.run({}, jobContext(), kit.parts);
    return kit.query<{ key: string }>(`select key from strata_queue.jobs where task_identifier = 'import_repo'`);
  };
  expect(await queued()).toEqual([]);
  await kit.query(`update repos set derived_under = '{"formula_version": 0, "churn_days": 14}'`);
  expect(await queued()).toEqual([{ key: `import:${kit.entityId}:${first.id}` }]);
});

it('an upgrade works out anew what an earlier version made of reviews, once', async () => {
  const kit = await createImportKit();
  const repo = goldenRepo('main')
    .commit('a', { files: { 'a.js': 'first();\n' } })
    .build();
  await kit.importFolder('first', repo.path);
  await kit.query('update repos set has_stale_reviews = true');
  const queued = async () => {
    await rederiveFacts.run({}, jobContext(), kit.parts);
    return kit.query<{ key: string }>(`select key from strata_queue.jobs where task_identifier = 'derive_reviews'`);
  };
  const [row] = await kit.query<{ id: number }>('select id from repos');
  const { id } = row!;
  expect(await queued()).toEqual([{ key: `reviews:${kit.entityId}:${id}` }]);
  await kit.query(`delete from strata_queue._private_jobs`);
  await deriveReviews.run({ entity_id: kit.entityId, repo_id: id }, jobContext(), kit.parts);
  expect(await queued()).toEqual([]);
});
