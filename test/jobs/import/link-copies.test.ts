// Few commits of the default branch are read as a whole to find copies: the same verdicts must come out as from all.
import { expect, onTestFinished, test } from 'vitest';
import { createCopyLinker } from '../../../src/engine/copies/copy-linker.ts';
import type { CopyVerdict, LinkReason } from '../../../src/engine/copies/linked-commit.ts';
import { COPY_WORDS, readReverts } from '../../../src/engine/copies/message-links.ts';
import { bytesToMinHash, minHashToBytes } from '../../../src/engine/copies/min-hash.ts';
import { findCopies } from '../../../src/jobs/import/link-copies.ts';
import { storeCopyLinks } from '../../../src/storage/commits/commit-changes.ts';
import { openSession } from '../../../src/storage/database/session.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';
import { createImportKit, type ImportKit } from './import-kit.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, ...Array.from({ length: 14 }, () => Math.floor(Math.random() * 2 ** 31))];

test('one branch: the few commits that can repeat others give the verdicts of all', async () => {
  const builder = goldenRepo();
  for (let n = 0; n < 40; n++) builder.commit(`c${n}`, { files: { [`f${n % 7}`]: `text ${n}\n` } });
  const reasons = await compareOnSeeds(builder.build());
  expect(reasons.get('rebase_copy')).toBeGreaterThan(SEEDS.length);
  expect(reasons.get('cherry_pick_copy')).toBeGreaterThan(SEEDS.length);
});

test('several branches: those that are tied to others give the verdicts of all', async () => {
  const builder = goldenRepo().commit('root', { files: { root: 'text\n' } });
  for (let branch = 0; branch < 5; branch++) {
    builder.switch('main').branch(`b${branch}`);
    for (let n = 0; n < 6; n++) builder.commit(`b${branch}c${n}`, { files: { [`b${branch}`]: `text ${n}\n` } });
    builder.switch('main');
    for (let n = 0; n < 7; n++) builder.commit(`m${branch}c${n}`, { files: { main: `text ${branch} ${n}\n` } });
    // A branch that merged the default one, one that was merged, and work after both.
    if (branch === 1)
      builder
        .switch('b1')
        .merge('update', ['m1c6'])
        .commit('after', { files: { b1: 'after\n' } });
    if (branch === 2) builder.merge('landing', ['b2c5']).commit('later', { files: { main: 'later\n' } });
  }
  const reasons = await compareOnSeeds(builder.build());
  for (const reason of ['rebase_copy', 'cherry_pick_copy', 'squash_source'] as const) {
    expect(reasons.get(reason), reason).toBeGreaterThan(SEEDS.length / 2);
  }
});

/** How often each reason was found. */
async function compareOnSeeds(repo: GoldenRepo): Promise<ReadonlyMap<LinkReason, number>> {
  const kit = await createImportKit();
  const { repo_id: repoId } = await kit.importFolder('copies', repo.path);
  const target = { entityId: kit.entityId, repoId: repoId! };
  const shas = Object.values(repo.shas);
  const session = await openSession(kit.store);
  onTestFinished(() => session.release());
  const reasons = new Map<LinkReason, number>();
  for (const seed of SEEDS) {
    const random = createRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
    await retell(kit, shas, random);
    const landed = Array.from({ length: random(3) }, () => ({
      sha: pick(shas),
      derived_from: pick(shas),
      not_counted: 'squash_source' as const,
    }));
    const input = { landed, released: random(2) === 0 ? [] : [pick(shas)] };
    const all = bySha(await findAmongAll(kit, input));
    const few = bySha(await findCopies(session, target, input));
    expect(few, `seed ${seed}`).toEqual(all);
    await storeCopyLinks(kit.store.db, target, few);
    expect(await findCopies(session, target, input), `seed ${seed}, stored`).toEqual([]);
    for (const { not_counted } of all)
      if (not_counted !== null) reasons.set(not_counted, (reasons.get(not_counted) ?? 0) + 1);
  }
  return reasons;
}

const bySha = (verdicts: readonly CopyVerdict[]): CopyVerdict[] =>
  verdicts.toSorted((a, b) => (a.sha < b.sha ? -1 : 1));

/** Gives the commits other patches, times, messages, lines and verdicts, many of which they share. */
async function retell({ query, entityId }: ImportKit, shas: readonly string[], random: (below: number) => number) {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const name = (): string => {
    const sha = pick(shas);
    return pick([sha, sha.slice(0, 7 + random(6)), sha.toUpperCase(), 'abcdef0']);
  };
  const retitle = (title: string): string =>
    random(12) === 0
      ? pick([`\n${title}`, `\u00a0\n${title}`, `\u00c4${title}`, `Revert "${title}"`, ` Reapply "${title}"`])
      : pick([title, `[4.x] ${title}`, `${title} (#${random(99)})`, `  ${title}`, 'Short', '']);
  const body = (): string =>
    pick([
      `(cherry picked from commit ${name()})`,
      `CHERRY PICKED FROM ${name()}`,
      `Back-Ported from ${name()}\nBackport of ${name()}`,
      `[ Upstream commit ${pick(shas)} ]`,
      `This reverts commit ${pick(shas)}.`,
      'Nothing but \u017fubject, \u212aelvin and upſtream',
    ]);
  const told: { patch: Buffer; at: number; title: string; lines: readonly number[] }[] = [];
  const writeLines = (earlier: readonly (readonly number[])[]): number[] => {
    const own = Array.from({ length: random(12) }, () => 2 * random(2000) + (random(5) === 0 ? 0 : 1));
    return [...new Set([...earlier.flat(), ...own])].sort((a, b) => a - b);
  };
  for (const [n, sha] of shas.entries()) {
    // Most have nothing that another one has.
    const again = told.length > 0 && random(3) === 0 ? pick(told) : null;
    const commit = {
      patch: again === null || random(3) === 0 ? Buffer.alloc(20, n + 1) : again.patch,
      at: again === null || random(2) === 0 ? 1_700_000_000 + n : again.at,
      title: again === null || random(3) === 0 ? pick([`Change number ${n} of many`, `Fix ${n}`]) : again.title,
      lines: writeLines(
        again === null ? [] : Array.from({ length: 1 + random(4) }, () => pick([again, pick(told)]).lines),
      ),
    };
    told.push(commit);
    const hashes = Uint32Array.from(commit.lines);
    const message = `${retitle(commit.title)}\n${random(6) === 0 ? `\n${body()}\n` : ''}`;
    const verdict = random(8) === 0 ? [pick(['rebase_copy', 'cherry_pick_copy', 'merge']), pick(shas)] : [null, null];
    await query(
      `update commits set patch_id = $3, authored_at = to_timestamp($4), committed_at = to_timestamp($5), message = $6,
         reverts = $7, min_hash = $8, not_counted = $9::not_counted_reason, derived_from = decode($10, 'hex')
       where entity_id = $1 and sha = decode($2, 'hex')`,
      [
        entityId,
        sha,
        random(6) === 0 ? null : commit.patch,
        commit.at,
        1_700_000_000 + random(200_000),
        message,
        readReverts(message),
        random(10) === 0 ? null : Buffer.from(minHashToBytes({ hashes, lineCount: hashes.length + random(2) })),
        ...verdict,
      ],
    );
  }
}

interface StoredCommit {
  readonly sha: string;
  readonly parents: string;
  readonly on_default_branch: boolean;
  readonly author: string;
  readonly authored_at: number;
  readonly committed_at: number;
  readonly message: string;
  readonly patch_id: string | null;
  readonly min_hash: Buffer | null;
  readonly not_counted: CopyVerdict['not_counted'];
  readonly derived_from: string | null;
}

/** The plain way: all commits are compared with all. */
async function findAmongAll(
  { query, entityId }: ImportKit,
  { landed, released }: Parameters<typeof findCopies>[2],
): Promise<readonly CopyVerdict[]> {
  const linker = createCopyLinker({
    released,
    landed: landed.map(({ sha, derived_from, not_counted }) => ({
      source: sha,
      landing: derived_from,
      why: not_counted,
    })),
  });
  const rows = await query<StoredCommit>(
    `select encode(c.sha, 'hex') as sha, encode(c.parents, 'hex') as parents, c.on_default_branch, s.address_key as author,
       extract(epoch from c.authored_at)::int as authored_at, extract(epoch from c.committed_at)::int as committed_at,
       c.message, encode(c.patch_id, 'hex') as patch_id, c.min_hash, c.not_counted, encode(c.derived_from, 'hex') as derived_from
     from commits c join signatures s on s.entity_id = c.entity_id and s.id = c.author_signature_id
     where c.entity_id = $1`,
    [entityId],
  );
  for (const row of rows) {
    linker.add({
      sha: row.sha,
      parents: row.parents.match(/.{40}/g) ?? [],
      isOnDefaultBranch: row.on_default_branch,
      author: row.author,
      coAuthors: [],
      authoredAt: row.authored_at,
      committedAt: row.committed_at,
      message: row.message,
      patchId: row.patch_id,
      minHash: row.min_hash === null ? { hashes: new Uint32Array(0), lineCount: 0 } : bytesToMinHash(row.min_hash),
      known: { sha: row.sha, not_counted: row.not_counted, derived_from: row.derived_from },
    });
  }
  return linker.resolve();
}

test('messages that may name others are found by an index', async () => {
  const { query } = await createImportKit();
  const [row] = await query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'commits_naming_others_index'`,
  );
  expect(row!.indexdef).toContain(`(message ~* '${COPY_WORDS}'::text)`);
});
