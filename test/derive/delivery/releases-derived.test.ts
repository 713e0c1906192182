// What the job works out after an import of a real repository: releases from tags, the commits each one
// shipped as git itself says, the commits and origins of defects.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assignCommits } from '../../../src/domain/delivery/release-commits.ts';
import { deriveDelivery } from '../../../src/jobs/derive-delivery.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { createOperations, OPERATOR } from '../../../src/operations/index.ts';
import { QUEUE_SCHEMA } from '../../../src/storage/queue/schema.ts';
import { createImportKit, type ImportKit, jobContext } from '../../jobs/import/import-kit.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';

const lines = (from: number, to: number, text = 'value') =>
  Array.from(
    { length: to - from },
    (_, index) => `const ${text}${from + index} = compute(${from + index}, 'x');\n`,
  ).join('');

let repo: GoldenRepo;
let kit: ImportKit;
let repoId: number;

beforeAll(async () => {
  repo = goldenRepo()
    .commit('start', { files: { 'src/app.ts': lines(0, 10) } })
    .tag('v1.0.0', 'start', { message: 'first' })
    .commit('feature', { files: { 'src/app.ts': lines(0, 20), 'README.md': 'one\ntwo\nthree\n' } })
    .branch('topic')
    .commit('topic work', { files: { 'src/topic.ts': lines(0, 5) } })
    .switch('main')
    .commit('more', { files: { 'src/more.ts': lines(0, 6) } })
    .merge('join', ['topic work'], { take: { 'src/topic.ts': 'topic work' } })
    .tag('v1.1.0', 'join')
    .tag('nightly', 'join')
    .commit('repair', {
      files: { 'src/app.ts': lines(0, 12) + lines(20, 24, 'fixed'), 'README.md': 'one\n' },
      message: 'Repair the start page\n\nFixes INC-4021.\n',
    })
    .tag('v1.1.1', 'repair')
    .commit('unreleased', { files: { 'src/more.ts': lines(0, 8) } })
    .build();
  kit = await createImportKit();
  await kit.importFolder('website', repo.path);
  [{ id: repoId }] = (await kit.query<{ id: number }>('select id from repos where entity_id = $1', [kit.entityId])) as [
    { id: number },
  ];
});
afterAll(() => repo.cleanup());

const derive = () => deriveDelivery.run({ entity_id: kit.entityId, repo_id: repoId }, jobContext(), kit.parts);
const releases = () =>
  kit.query<{ id: number; name: string; triggered_by: string; is_baseline: boolean; commit_count: number }>(
    'select id, name, triggered_by, is_baseline, commit_count from releases where entity_id = $1 order by released_at, id',
    [kit.entityId],
  );
const commitsOf = async (name: string) => {
  const rows = await kit.query<{ sha: Buffer }>(
    `select c.sha from release_commits x join commits c on c.entity_id = x.entity_id and c.id = x.commit_id
     join releases r on r.entity_id = x.entity_id and r.id = x.release_id
     where r.entity_id = $1 and r.name = $2`,
    [kit.entityId, name],
  );
  return rows.map(({ sha }) => sha.toString('hex')).toSorted();
};
const inGit = (...range: string[]) =>
  repo
    .git('rev-list', ...range)
    .split('\n')
    .toSorted();

test('an import asks for the derivation', async () => {
  const rows = await kit.query<{ payload: object }>(
    `select payload from ${QUEUE_SCHEMA}._private_jobs j join ${QUEUE_SCHEMA}._private_tasks t on t.id = j.task_id
     where t.identifier = 'derive_delivery'`,
  );
  expect(rows).toEqual([{ payload: { entity_id: kit.entityId, repo_id: repoId } }]);
});

test('a tag makes a release while a branch leads to its commit', async () => {
  const own = goldenRepo()
    .commit('start', { files: { 'src/app.ts': lines(0, 10) } })
    .tag('v1.0.0', 'start')
    .branch('hotfix')
    .commit('repair', { files: { 'src/app.ts': lines(0, 12) } })
    .tag('v1.0.1', 'repair')
    .switch('main')
    .commit('next', { files: { 'src/more.ts': lines(0, 6) } })
    .tag('v1.1.0', 'next')
    .build();
  const hotfix = own.sha('repair');
  const other = await createImportKit();
  const releasesNow = async () => {
    const { repo_id } = await other.importFolder('hotfixes', own.path);
    await deriveDelivery.run({ entity_id: other.entityId, repo_id: repo_id! }, jobContext(), other.parts);
    const found = await other.query<{ name: string }>('select name from releases where entity_id = $1 order by 1', [
      other.entityId,
    ]);
    return found.map(({ name }) => name);
  };
  own.git('update-ref', '-d', 'refs/heads/hotfix');
  expect(await releasesNow()).toEqual(['v1.0.0', 'v1.1.0']);
  own.git('update-ref', 'refs/heads/hotfix', hotfix);
  expect(await releasesNow()).toEqual(['v1.0.0', 'v1.0.1', 'v1.1.0']);
  // One that is stored goes when its branch does.
  own.git('update-ref', '-d', 'refs/heads/hotfix');
  expect(await releasesNow()).toEqual(['v1.0.0', 'v1.1.0']);
  own.cleanup();
});

describe('releases from tags', () => {
  test('are those whose name looks like a version, and hold what git says they do', async () => {
    await derive();
    expect(await releases()).toMatchObject([
      { name: 'v1.0.0', triggered_by: 'git_tag', is_baseline: true, commit_count: 0 },
      // topic work, feature and more; the merge does not count
      { name: 'v1.1.0', triggered_by: 'git_tag', is_baseline: false, commit_count: 3 },
      { name: 'v1.1.1', triggered_by: 'git_tag', is_baseline: false, commit_count: 1 },
    ]);
    expect(await commitsOf('v1.0.0')).toEqual(inGit('v1.0.0'));
    expect(await commitsOf('v1.1.0')).toEqual(inGit('v1.0.0..v1.1.0'));
    expect(await commitsOf('v1.1.1')).toEqual(inGit('v1.1.0..v1.1.1'));
    expect(
      await kit.query(
        `select r.name, sum(a.counted_commit_count)::int as commits from release_authors a
         join releases r on r.entity_id = a.entity_id and r.id = a.release_id
         where a.entity_id = $1 group by 1 order by 1`,
        [kit.entityId],
      ),
    ).toEqual([
      { name: 'v1.1.0', commits: 3 },
      { name: 'v1.1.1', commits: 1 },
    ]);
  });

  test('are not written again when nothing is new', async () => {
    const rows = () => kit.query(`select xmin::text, t.* from release_commits t where entity_id = $1`, [kit.entityId]);
    const before = [await releases(), await rows()];
    await derive();
    expect([await releases(), await rows()]).toEqual(before);
  });

  test('follow the pattern and vanished tags; a release that the API told stays', async () => {
    const set = (pattern: string) =>
      kit.query(
        `insert into entity_settings (entity_id, key, value) values ($1, 'release_tag_pattern', $2)
         on conflict (entity_id, key) do update set value = excluded.value`,
        [kit.entityId, JSON.stringify(pattern)],
      );
    await kit.query(`update releases set triggered_by = 'api' where entity_id = $1 and name = 'v1.1.1'`, [
      kit.entityId,
    ]);
    await set('^nightly$');
    await derive();
    expect((await releases()).map(({ name, triggered_by }) => [name, triggered_by])).toEqual([
      ['nightly', 'git_tag'],
      ['v1.1.1', 'api'],
    ]);
    await set('');
    await derive();
    expect((await releases()).map(({ name }) => name)).toEqual(['v1.1.1']);
    await kit.query('delete from releases where entity_id = $1', [kit.entityId]);
    await kit.query('delete from entity_settings where entity_id = $1', [kit.entityId]);
    await kit.query(`update tags set deleted_at = now() where entity_id = $1 and name = 'v1.1.1'`, [kit.entityId]);
    await derive();
    expect((await releases()).map(({ name }) => name)).toEqual(['v1.0.0', 'v1.1.0']);
    await kit.query('update tags set deleted_at = null where entity_id = $1', [kit.entityId]);
    await derive();
    expect((await releases()).map(({ name }) => name)).toEqual(['v1.0.0', 'v1.1.0', 'v1.1.1']);
  });
});

describe('the pattern of a repo', () => {
  const operations = () => createOperations({ store: kit.store, log: silentLog, now: () => new Date() });
  const slug = async () =>
    (await kit.query<{ slug: string }>('select slug from entities where id = $1', [kit.entityId]))[0]!.slug;
  const names = async () => (await releases()).map(({ name }) => name);
  const clearJobs = () =>
    kit.query(
      `delete from ${QUEUE_SCHEMA}._private_jobs j using ${QUEUE_SCHEMA}._private_tasks t
       where t.id = j.task_id and t.identifier = 'derive_delivery'`,
    );
  const jobs = () =>
    kit.query<{ payload: object }>(
      `select payload from ${QUEUE_SCHEMA}._private_jobs j join ${QUEUE_SCHEMA}._private_tasks t on t.id = j.task_id
       where t.identifier = 'derive_delivery'`,
    );

  test('wins over the entity’s, asks for the derivation, and gives way when it is put back', async () => {
    const { settings, close } = operations();
    const entity = await slug();
    await settings.set(OPERATOR, entity, 'release_tag_pattern', '^v1\\.0');
    await derive();
    expect(await names()).toEqual(['v1.0.0']);
    await clearJobs();
    await settings.setForRepo(OPERATOR, entity, 'acme/website', 'release_tag_pattern', '^nightly$');
    expect(await jobs()).toEqual([{ payload: { entity_id: kit.entityId, repo_id: repoId } }]);
    await derive();
    expect(await names()).toEqual(['nightly']);
    await settings.setForRepo(OPERATOR, entity, 'acme/website', 'release_tag_pattern', '');
    await derive();
    expect(await names()).toEqual([]);
    const back = await settings.setForRepo(OPERATOR, entity, 'acme/website', 'release_tag_pattern', undefined);
    expect(back).toMatchObject({ value: '^v1\\.0', is_default: true });
    await derive();
    expect(await names()).toEqual(['v1.0.0']);
    await settings.set(OPERATOR, entity, 'release_tag_pattern', undefined);
    await derive();
    expect(await names()).toEqual(['v1.0.0', 'v1.1.0', 'v1.1.1']);
    await close();
  });

  test.each([
    [
      'acme/website',
      'time_zone',
      'UTC',
      /time_zone is set for an entity only; accepted for a repo are branches, release_tag_pattern/,
    ],
    ['website', 'release_tag_pattern', 'x', /"website" is not a repo; expected <organization>\/<repo>/],
    ['acme/nothing', 'release_tag_pattern', 'x', /there is no repo/],
    ['acme/website', 'release_tag_pattern', '(', /release_tag_pattern cannot be "\("/],
  ] as const)('of %s, %s = %s is refused', async (repo, key, value, message) => {
    const { settings, close } = operations();
    await expect(settings.setForRepo(OPERATOR, await slug(), repo, key, value)).rejects.toThrow(message);
    await close();
  });
});

describe('a defect', () => {
  const at = (label: string) =>
    `(select authored_at from commits where entity_id = $1 and sha = decode('${repo.sha(label)}', 'hex'))`;
  const times = async () =>
    (
      await kit.query<Record<string, string | null>>(
        `select d.*, r.name as origin_release from critical_defects d
         left join releases r on r.entity_id = d.entity_id and r.id = d.origin_release_id where d.entity_id = $1`,
        [kit.entityId],
      )
    )[0]!;

  test('is linked to commits whose message has its key, and traced to the lines they changed', async () => {
    await kit.query(
      `insert into critical_defects (entity_id, defect_key, source_em, detected_at)
       select $1, 'inc-4021', 'api', ${at('join')} + interval '10 minutes'`,
      [kit.entityId],
    );
    await derive();
    const links = await kit.query<{ sha: Buffer; link_em: string }>(
      `select c.sha, k.link_em from defect_commits k join commits c on c.entity_id = k.entity_id and c.id = k.commit_id
       where k.entity_id = $1`,
      [kit.entityId],
    );
    expect(links.map(({ sha, link_em }) => [repo.label(sha.toString('hex')), link_em])).toEqual([
      ['repair', 'defect_key'],
    ]);
    const origins = await kit.query<{ sha: Buffer; lines: number }>(
      `select c.sha, o.lines from defect_origins o join commits c on c.entity_id = o.entity_id and c.id = o.origin_commit_id
       where o.entity_id = $1`,
      [kit.entityId],
    );
    // Lines 12 to 19 of src/app.ts came with "feature"; those of the README do not count.
    expect(origins.map(({ sha, lines }) => [repo.label(sha.toString('hex')), lines])).toEqual([['feature', 8]]);
    const row = await times();
    expect(row.origin_release).toBe('v1.1.0');
    expect(Date.parse(row.first_activity_at!) - Date.parse(row.detected_at!)).toBe(50 * 60_000);
    expect(row.first_fix_merged_at).toBe(row.first_activity_at);
  });

  const fixes = () =>
    kit.query<{ release: string | null; is_derived: boolean; minutes: number }>(
      `select r.name as release, f.is_derived, extract(epoch from f.released_at - d.detected_at)::int / 60 as minutes
       from defect_fixes f join critical_defects d on d.entity_id = f.entity_id and d.id = f.defect_id
       left join releases r on r.entity_id = f.entity_id and r.id = f.release_id
       where f.entity_id = $1 order by f.released_at, f.id`,
      [kit.entityId],
    );

  test('is fixed by the release that shipped its commits, until a call tells of a fix', async () => {
    expect(await fixes()).toEqual([{ release: 'v1.1.1', is_derived: true, minutes: 50 }]);
    const row = await times();
    expect(row.final_fix_released_at).toBe(row.first_activity_at);
    await kit.query(
      `insert into defect_fixes (entity_id, defect_id, repo_id, released_at)
       select entity_id, id, $2, detected_at + interval '80 minutes' from critical_defects where entity_id = $1`,
      [kit.entityId, repoId],
    );
    await derive();
    // half an hour after v1.1.1, and nothing else was released then
    expect(await fixes()).toEqual([{ release: 'v1.1.1', is_derived: false, minutes: 80 }]);
    await kit.query(`update defect_fixes set released_at = released_at + interval '1 day' where entity_id = $1`, [
      kit.entityId,
    ]);
    // A day later there is no release, but one has shipped its commits: it stays the one that repaired the defect, at the time told.
    await derive();
    expect(await fixes()).toEqual([{ release: 'v1.1.1', is_derived: false, minutes: 80 + 24 * 60 }]);
    // The commit says which release, however far away in time; v1.1.0 went out before the defect was detected.
    for (const [label, release] of [
      ['repair', 'v1.1.1'],
      ['topic work', null],
    ] as const) {
      await kit.query('update defect_fixes set fix_sha = $2 where entity_id = $1', [
        kit.entityId,
        Buffer.from(repo.sha(label), 'hex'),
      ]);
      await derive();
      expect(await fixes()).toMatchObject([{ release, is_derived: false }]);
    }
    await kit.query('delete from defect_fixes where entity_id = $1', [kit.entityId]);
    await derive();
    expect(await fixes()).toMatchObject([{ release: 'v1.1.1', is_derived: true }]);
  });

  test('stays fixed by that release when a call tells of a fix in another repo', async () => {
    await kit.query(
      `insert into defect_fixes (entity_id, defect_id, repo_id, released_at)
       select entity_id, id, $2, detected_at + interval '3 hours' from critical_defects where entity_id = $1`,
      [kit.entityId, repoId + 1000],
    );
    await derive();
    expect(await fixes()).toEqual([
      { release: 'v1.1.1', is_derived: true, minutes: 50 },
      { release: null, is_derived: false, minutes: 180 },
    ]);
    const { first_activity_at, first_fix_released_at } = await times();
    expect(first_fix_released_at).toBe(first_activity_at);
    await kit.query('delete from defect_fixes where entity_id = $1 and not is_derived', [kit.entityId]);
    await derive();
  });

  test('loses the link with its key', async () => {
    await kit.query(`update critical_defects set defect_key = 'INC-9999' where entity_id = $1`, [kit.entityId]);
    await derive();
    expect(await kit.query('select * from defect_commits where entity_id = $1', [kit.entityId])).toEqual([]);
    expect(await kit.query('select * from defect_origins where entity_id = $1', [kit.entityId])).toEqual([]);
    expect(await times()).toMatchObject({ first_activity_at: null, final_fix_released_at: null });
  });

  test('without lines to trace originates in the last release before it was detected', async () => {
    await kit.query(
      `insert into defect_scopes (entity_id, defect_id, organization_id, repo_id)
       select d.entity_id, d.id, r.organization_id, r.id from critical_defects d, repos r
       where d.entity_id = $1 and r.entity_id = $1`,
      [kit.entityId],
    );
    await derive();
    expect(await times()).toMatchObject({ origin_release: 'v1.1.0', repo_id: repoId });
  });

  test('is linked to the commits of the release that names it, where nothing says more', async () => {
    await kit.query(
      `insert into defect_fixes (entity_id, defect_id, repo_id, released_at, named_release_id)
       select d.entity_id, d.id, r.repo_id, r.released_at, r.id from critical_defects d, releases r
       where d.entity_id = $1 and r.entity_id = $1 and r.name = 'v1.1.1'`,
      [kit.entityId],
    );
    await derive();
    expect(await kit.query('select link_em from defect_commits where entity_id = $1', [kit.entityId])).toEqual([
      { link_em: 'release' },
    ]);
    await derive();
    expect(await kit.query('select link_em from defect_commits where entity_id = $1', [kit.entityId])).toHaveLength(1);
    expect(await times()).toMatchObject({ first_fix_released_at: expect.any(String) });
  });
});

test('every commit belongs to the first release that reaches it, on random histories', () => {
  const history = fc
    .array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 1, maxLength: 20 })
    .map((rows) => rows.map((parents, index) => (index === 0 ? [] : [...new Set(parents.map((at) => at % index))])));
  fc.assert(
    fc.property(history, fc.array(fc.option(fc.nat(25)), { maxLength: 6 }), (parents, points) => {
      const commits = new Map(
        parents.map((of, id) => [`c${id}`, { id, parents: of.map((at) => `c${at}`), isCounted: true }]),
      );
      const releases = points.map((at, id) => ({ id, sha: at === null ? null : `c${at}` }));
      const { byCommit, byRelease } = assignCommits(releases, commits);
      const reaches = (from: number): Set<number> => {
        const seen = new Set<number>();
        const visit = (at: number): void => {
          if (seen.has(at) || at >= parents.length) return;
          seen.add(at);
          parents[at]!.forEach(visit);
        };
        visit(from);
        return seen;
      };
      for (const id of parents.keys()) {
        const first = points.findIndex((at) => at !== null && reaches(at).has(id));
        expect(byCommit.get(id)).toBe(first === -1 ? undefined : first);
      }
      const baseline = points.findIndex((at) => at !== null && at < parents.length);
      for (const [id, { isBaseline, commitCount }] of byRelease) {
        expect(isBaseline).toBe(baseline === -1 || id <= baseline);
        const own = [...byCommit.values()].filter((release) => release === id).length;
        expect(commitCount).toBe(isBaseline ? 0 : own);
      }
    }),
    { numRuns: 500 },
  );
});
