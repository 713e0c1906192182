// Where all commits are on one branch, few of them are read to find copies: the same verdicts must come out as from all.
import { expect, onTestFinished, test } from 'vitest';
import { COPY_WORDS } from '../../../src/engine/copies/message-links.ts';
import { linkBranches, linkOneBranch } from '../../../src/jobs/import/link-copies.ts';
import { storeCopyLinks } from '../../../src/storage/commits/commit-changes.ts';
import { openSession } from '../../../src/storage/database/session.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';
import { createImportKit } from './import-kit.ts';

const COMMITS = 40;
const SEEDS = [1, 2, 3, 4, 5, 6, ...Array.from({ length: 14 }, () => Math.floor(Math.random() * 2 ** 31))];

test('one branch: the few commits that can repeat others give the verdicts of all', async () => {
  const builder = goldenRepo();
  for (let n = 0; n < COMMITS; n++) builder.commit(`c${n}`, { files: { [`f${n % 7}`]: `text ${n}\n` } });
  const repo = builder.build();
  const kit = await createImportKit();
  const { repo_id: repoId } = await kit.importFolder('one', repo.path);
  const target = { entityId: kit.entityId, repoId: repoId! };
  const shas = Object.values(repo.shas);
  const session = await openSession(kit.store);
  onTestFinished(() => session.release());
  let found = 0;
  for (const seed of SEEDS) {
    const random = createRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
    const name = (): string => {
      const sha = pick(shas);
      return pick([sha, sha.slice(0, 7 + random(6)), sha.toUpperCase(), 'abcdef0']);
    };
    const message = (): string =>
      pick([
        `A change\n\n(cherry picked from commit ${name()})\n`,
        `A change\n\nCHERRY PICKED FROM ${name()}\n`,
        `A change\n\nBack-Ported from ${name()}\nBackport of ${name()}\n`,
        `A change\n\n[ Upstream commit ${pick(shas)} ]\n`,
        'Nothing but \u017fubject, \u212aelvin and upſtream\n',
        'A change\n',
      ]);
    for (const sha of shas) {
      const isMarked = random(3) === 0;
      const verdict = random(8) === 0 ? [pick(['rebase_copy', 'cherry_pick_copy']), pick(shas)] : [null, null];
      await kit.query(
        `update commits set patch_id = $3, authored_at = to_timestamp($4), message = $5,
           not_counted = $6::not_counted_reason, derived_from = decode($7, 'hex')
         where entity_id = $1 and sha = decode($2, 'hex')`,
        [
          kit.entityId,
          sha,
          random(4) === 0 ? null : Buffer.alloc(20, random(9)),
          1_700_000_000 + random(3),
          isMarked ? message() : 'Plain\n',
          ...verdict,
        ],
      );
    }
    const landed = Array.from({ length: random(3) }, () => ({
      sha: pick(shas),
      derived_from: pick(shas),
      not_counted: 'squash_source' as const,
    }));
    const input = { landed, released: [] };
    const bySha = (a: { sha: string }, b: { sha: string }) => (a.sha < b.sha ? -1 : 1);
    const all = [...(await linkBranches(session, target, input))].sort(bySha);
    const few = [...(await linkOneBranch(session, target, input))].sort(bySha);
    expect(few, `seed ${seed}`).toEqual(all);
    await storeCopyLinks(kit.store.db, target, few);
    expect(await linkOneBranch(session, target, input), `seed ${seed}, stored`).toEqual([]);
    found += all.filter(({ derived_from }) => derived_from !== null).length;
  }
  expect(found).toBeGreaterThan(SEEDS.length);
});

test('messages that may name others are found by an index', async () => {
  const { query } = await createImportKit();
  const [row] = await query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'commits_naming_others_index'`,
  );
  expect(row!.indexdef).toContain(`(message ~* '${COPY_WORDS}'::text)`);
});
