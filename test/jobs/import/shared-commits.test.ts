// Commits that several repos of an entity hold count once, whatever the order of imports; each repo still shows them.
import { beforeAll, describe, expect, it } from 'vitest';
import { parseResourcePath } from '../../../src/domain/resource-path.ts';
import type { SegmentId } from '../../../src/domain/segments.ts';
import { deriveDelivery } from '../../../src/jobs/derive-delivery.ts';
import { deriveTraits } from '../../../src/jobs/derive-traits.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createOperations, OPERATOR, type Operations } from '../../../src/operations/index.ts';
import { readAuditedCommits } from '../../../src/storage/audits/commit-records.ts';
import { rebuildRollups } from '../../../src/storage/commits/rollups.ts';
import { ensureRepo } from '../../../src/storage/repos/repos.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { createImportKit, type ImportKit, jobContext } from './import-kit.ts';

const DAY = 86_400;
const START = 1_704_100_000;

/** Six commits on main by two people; two more on a topic. The same calls make the same shas. */
function history(further: (repo: ReturnType<typeof goldenRepo>) => unknown = () => undefined): GoldenRepo {
  const repo = goldenRepo();
  for (let n = 0; n < 6; n += 1) {
    repo.commit(`c${n}`, {
      author: n % 3 === 2 ? 'Bo <bo@example.com>' : 'Ada <ada@example.com>',
      at: START + n * DAY,
      message: `change ${n}${n === 4 ? '\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n' : ''}`,
      files: { [`src/f${n}.ts`]: `const a${n} = ${n};\nconst b${n} = call(${n});\n`, 'src/all.ts': `let v = ${n};\n` },
    });
  }
  repo.branch('topic');
  for (const n of [7, 8]) {
    repo.commit(`t${n}`, { at: START + n * DAY, files: { [`src/t${n}.ts`]: `const topic${n} = ${n} * two;\n` } });
  }
  repo.switch('main').tag('v1.0.0', 'c2').tag('v1.1.0', 'c4');
  further(repo);
  return repo.build();
}
const own = (label: string, day: number) => (repo: ReturnType<typeof goldenRepo>) =>
  repo.commit(label, {
    at: START + day * DAY,
    files: { [`src/${label}.ts`]: `export const ${label} = own(${day});\n` },
  });

const TABLES = {
  daily_commits: 'authored_on, repo_id, committer_id, counted_in',
  daily_facts: 'authored_on, repo_id, committer_id, category, counted_in',
  daily_ai: 'authored_on, repo_id, committer_id, provider, model, source, counted_in',
  daily_people: 'authored_on, committer_id',
  weekly_people: 'week, committer_id',
};

async function readTables(kit: ImportKit, tables: readonly (keyof typeof TABLES)[]): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const table of tables) {
    found[table] = await kit.query(`select * from ${table} where entity_id = $1 order by ${TABLES[table]}`, [
      kit.entityId,
    ]);
  }
  return found;
}

/** The daily tables are what they are when they are built anew, repo by repo. */
async function expectExactSums(kit: ImportKit): Promise<void> {
  const all = Object.keys(TABLES) as (keyof typeof TABLES)[];
  const before = await readTables(kit, all);
  for (const { id } of await kit.query<{ id: number }>('select id from repos where entity_id = $1', [kit.entityId])) {
    await kit.store.db.transaction().execute((trx) => rebuildRollups(trx, kit.entityId, id, 'UTC'));
  }
  expect(await readTables(kit, all)).toEqual(before);
}

function reader(kit: ImportKit) {
  const operations: Operations = createOperations({ store: kit.store, log: silentLog, now: () => new Date() });
  return async (segment_by: SegmentId, repos: readonly string[] = [], more: object = {}) => {
    const [{ slug }] = (await kit.query<{ slug: string }>('select slug from entities where id = $1', [
      kit.entityId,
    ])) as [{ slug: string }];
    const grant = await operations.access.enterEntity(OPERATOR, slug, 'member');
    const paths = repos.length === 0 ? [`${slug}`] : repos.map((repo) => `${slug}/acme/${repo}`);
    const { series_segments } = await operations.reports.run(
      { ...grant, paths: paths.map(parseResourcePath) },
      { segment_by, start_date: '2023-12-01', end_date: '2024-03-01', aggregate_by: 'none', ...more },
    );
    return Object.fromEntries(
      Object.entries(series_segments).map(([name, points]) => [name, points.reduce((sum, { y }) => sum + (y ?? 0), 0)]),
    );
  };
}
const total = (series: Record<string, number>): number => Object.values(series).reduce((sum, value) => sum + value, 0);
const countedIn = (kit: ImportKit, repoId: number | null) =>
  kit.query<{ counted_in: number[] | null; many: number }>(
    'select counted_in, count(*)::int as many from commits where entity_id = $1 and repo_id = $2 group by 1 order by 1 nulls first',
    [kit.entityId, repoId],
  );

describe('an upstream repo, a fork of it and a mirror of the fork', () => {
  let kit: ImportKit;
  let read: ReturnType<typeof reader>;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    kit = await createImportKit();
    read = reader(kit);
    const upstream = history(own('u1', 10));
    const fork = history(own('f1', 11));
    const { repo_id: first } = await kit.importFolder('upstream', upstream.path);
    const alone = await readTables(kit, ['daily_people', 'weekly_people']);
    const { repo_id: second } = await kit.importFolder('copy', upstream.path);
    expect(await readTables(kit, ['daily_people', 'weekly_people'])).toEqual(alone);
    Object.assign(ids, { upstream: first, copy: second });
    for (const [name, { path }] of Object.entries({ fork, mirror: fork })) {
      ids[name] = (await kit.importFolder(name, path)).repo_id!;
    }
    for (const repo_id of Object.values(ids)) {
      await deriveDelivery.run({ entity_id: kit.entityId, repo_id }, jobContext(), kit.parts);
    }
    await deriveTraits.run({ entity_id: kit.entityId }, jobContext(), kit.parts);
  });

  it('counts each commit once in the entity, and in each repo', async () => {
    expect(total(await read('commit_count'))).toBe(10);
    for (const name of ['upstream', 'copy', 'fork', 'mirror'])
      expect(total(await read('commit_count', [name]))).toBe(9);
  });

  it('counts each commit once in any choice of repos', async () => {
    expect(total(await read('commit_count', ['copy', 'mirror']))).toBe(10);
    expect(total(await read('commit_count', ['fork', 'mirror']))).toBe(9);
    expect(total(await read('line_operation_counts', ['copy', 'mirror']))).toBe(
      total(await read('line_operation_counts')),
    );
    expect(total(await read('code_category', ['fork', 'mirror']))).toBe(total(await read('code_category', ['fork'])));
  });

  it('counts lines, AI credit and minutes once, and shows them in each repo', async () => {
    for (const segment of [
      'none',
      'line_operation_counts',
      'commit_ai_lines_committed_count',
      'minutes_used',
    ] as const) {
      const [all, one] = [total(await read(segment)), total(await read(segment, ['copy']))];
      expect(one).toBeGreaterThan(0);
      expect(one).toBe(total(await read(segment, ['upstream'])));
      const rest = total(await read(segment, ['upstream', 'fork']));
      expect({ segment, all }).toEqual({ segment, all: rest });
      expect(all).toBeLessThan(2 * one);
    }
  });

  it('counts releases that came with the history once, and shows them in each repo', async () => {
    const [all, one] = [total(await read('release_count')), total(await read('release_count', ['mirror']))];
    expect({ all, one }).toEqual({ all: 2, one: 2 });
    expect(total(await read('committer_deploy_count'))).toBe(total(await read('committer_deploy_count', ['mirror'])));
  });

  it('counts at the repo that was imported first where repos are told apart', async () => {
    expect(await read('commit_count', [], { aggregate_by: 'repo' })).toEqual({ upstream: 9, fork: 1 });
  });

  it('shows a commit as copy, with the reason, where it does not count', async () => {
    const [row] = await kit.query<{ id: number }>(
      'select id from commits where entity_id = $1 and repo_id = $2 and counted_in is not null order by id limit 1',
      [kit.entityId, ids.mirror!],
    );
    expect(await readAuditedCommits(kit.store.db, kit.entityId, [row!.id])).toMatchObject([
      {
        repo_path: 'acme/mirror',
        not_counted_because: 'same_commit_in_another_repo',
        counted_in: expect.arrayContaining(['acme/fork']),
      },
    ]);
  });

  it('names the repos in which a commit counts before', async () => {
    expect(await countedIn(kit, ids.upstream!)).toEqual([{ counted_in: null, many: 9 }]);
    expect(await countedIn(kit, ids.copy!)).toEqual([{ counted_in: [ids.upstream], many: 9 }]);
    expect(await countedIn(kit, ids.mirror!)).toEqual([
      { counted_in: [ids.upstream, ids.copy, ids.fork], many: 8 },
      { counted_in: [ids.fork], many: 1 },
    ]);
  });

  it('keeps sums that equal rebuilt ones', () => expectExactSums(kit));
});

it('a repo that was made first and imported last takes the commits over', async () => {
  const kit = await createImportKit();
  const upstream = history();
  await ensureRepo(kit.store.db, kit.entityId, { organization: 'acme', repo: 'upstream' }, 'local');
  const later = await kit.importFolder('later', upstream.path);
  expect(await countedIn(kit, later.repo_id)).toEqual([{ counted_in: null, many: 8 }]);
  const alone = await readTables(kit, ['daily_people', 'weekly_people']);
  const { repo_id } = await kit.importFolder('upstream', upstream.path);
  expect(await countedIn(kit, later.repo_id)).toEqual([{ counted_in: [repo_id], many: 8 }]);
  expect(await readTables(kit, ['daily_people', 'weekly_people'])).toEqual(alone);
  await expectExactSums(kit);
});

it('a commit that the first repo loses counts in the next, and comes back', async () => {
  const kit = await createImportKit();
  const upstream = history();
  const { id } = await kit.importFolder('upstream', upstream.path);
  const copy = await kit.importFolder('copy', history().path);
  const read = reader(kit);
  const tip = upstream.git('rev-parse', 'topic').trim();
  upstream.git('branch', '-D', 'topic');
  await kit.run(id);
  expect(total(await read('commit_count'))).toBe(8);
  expect(total(await read('commit_count', ['upstream']))).toBe(6);
  expect((await countedIn(kit, copy.repo_id))[0]).toEqual({ counted_in: null, many: 2 });
  await expectExactSums(kit);
  upstream.git('branch', 'topic', tip);
  await kit.run(id);
  expect(await read('commit_count', [], { aggregate_by: 'repo' })).toEqual({ upstream: 8 });
  await expectExactSums(kit);
});
