// Names of repos in all spellings, and what is left when a repo is removed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { listTargets } from '../../../src/cli/verbs/import.ts';
import { createRegisteredSource } from '../../../src/connectors/sources/registered.ts';
import { mirrorFolder } from '../../../src/jobs/import/refs.ts';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { createRepoMirrors, forgetMirror } from '../../../src/jobs/repo-mirrors.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { startQueueWorker } from '../../../src/storage/queue/worker.ts';
import { findSource, listSources } from '../../../src/storage/repos/repos.ts';
import { jobContext, makeFolder } from '../../jobs/import/import-kit.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { importSettings } from '../../support/import-settings.ts';
import { goldenRepo, isolatedGitEnvironment } from '../../world/golden-repo.ts';

const settings = importSettings(makeFolder());
let app: TestApp;
let entityId: number;

const sourcesOf = (store: TestApp['store']) => [
  createRegisteredSource({
    find: (id, path) => findSource(store.db, id, path),
    list: (id) => listSources(store.db, id),
    credentials: { find: async () => null, store: async () => undefined, remove: async () => 0 },
    reach: { isAllowed: () => false, authorities: null },
  }),
];

function history(last: string) {
  return goldenRepo()
    .commit('a', { author: 'Ada <ada@example.com>', files: { 'a.ts': 'one();\ntwo();\n' } })
    .commit('b', { author: 'Bo <bo@example.com>', files: { 'b.ts': 'three();\n' } })
    .commit(last, { author: `${last} <${last}@example.com>`, files: { 'c.ts': `${last}();\n` } })
    .tag('v1.0.0', 'a')
    .tag('v1.1.0', last)
    .build();
}

async function importAs(as: string, address: string): Promise<number> {
  const { record } = await app.operations.imports.register(
    OPERATOR,
    app.entity,
    { kind: 'path', address, as },
    { all: true },
  );
  const parts = { store: app.store, sources: sourcesOf(app.store), imports: settings, now: () => new Date() };
  await importRepo.run({ entity_id: entityId, import_id: record.id }, jobContext(), parts);
  return record.id;
}

const remove = (repo_path: string) =>
  app.request({
    route: 'DELETE /imports',
    query: `resource_path=${app.entity}&repo_path=${encodeURIComponent(repo_path)}`,
  });
const listed = async () => {
  const { body } = await app.request({ route: 'GET /imports', query: `resource_path=${app.entity}` });
  return (body.repos as { repo_path: string }[]).map(({ repo_path }) => repo_path);
};
const commitCount = async () => {
  const { rows } = await app.store.pool.query(
    'select coalesce(sum(commit_count), 0)::int as many from daily_people where entity_id = $1',
    [entityId],
  );
  return rows[0].many;
};

beforeAll(async () => {
  app = await createTestApp({
    parts: (store) => ({
      sources: sourcesOf(store),
      mirrors: createRepoMirrors({ store, sources: sourcesOf(store), imports: settings, now: () => new Date() }),
      forgetMirror: (repo) => forgetMirror(settings.mirrorsFolder, repo),
    }),
  });
  const { rows } = await app.store.pool.query('select id from entities where slug = $1', [app.entity]);
  entityId = rows[0].id;
});

test('a repo written in another way is the same repo', async () => {
  const { path } = history('cy');
  const first = await importAs('acme/widgets', path);
  expect(await importAs('Acme/Widgets.git', path)).toBe(first);
  for (const repo_path of [
    'acme/widgets.git',
    'ACME/widgets/',
    'https://code.example.com/acme/widgets.git',
    'git@code.example.com:acme/widgets',
  ]) {
    const { status, body } = await app.request({
      route: 'POST /imports',
      form: `resource_path=${app.entity}&repo_path=${encodeURIComponent(repo_path)}`,
    });
    expect({ status, imported: body.imported }).toEqual({ status: 200, imported: true });
  }
  expect(await listed()).toEqual(['acme/widgets']);
  const report = await app.request({ route: 'GET /reports', query: `resource_path=${app.entity}/acme/WIDGETS.git` });
  expect(report.status).toBe(200);
});

test('only an admin removes a repo, and only one that is there', async () => {
  const query = `resource_path=${app.entity}&repo_path=acme/widgets`;
  expect((await app.request({ route: 'DELETE /imports', query, token: app.tokens.manager })).status).toBe(403);
  const unknown = await remove('acme/wigdets');
  expect(unknown.status).toBe(404);
  expect(unknown.body.response_detail).toContain('did you mean "acme/widgets"?');
});

describe('a commit that was pushed a moment ago', () => {
  const push = (repo: ReturnType<typeof history>, message: string): string => {
    const parent = repo.git('rev-parse', 'main').trim();
    const at = `${Math.floor(Date.now() / 1000)} +0000`;
    const sha = execFileSync('git', ['commit-tree', `${parent}^{tree}`, '-p', parent, '-m', message], {
      cwd: repo.path,
      env: { ...isolatedGitEnvironment(), GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at },
      encoding: 'utf8',
    }).trim();
    repo.git('update-ref', 'refs/heads/main', sha);
    return sha;
  };
  const deploy = (release_sha: string) =>
    app.request({ route: 'POST /releases', json: { resource_path: `${app.entity}/acme/fresh`, release_sha } });

  test('is fetched at once by the call that names it', async () => {
    const repo = history('ed');
    await importAs('acme/fresh', repo.path);
    await deploy(repo.git('rev-parse', 'main').trim());
    expect((await deploy('0123456789012345678901234567890123456789')).status).toBe(422);
    const parts = { store: app.store, sources: sourcesOf(app.store), imports: settings, now: () => new Date() };
    const worker = await startQueueWorker({
      store: app.store,
      concurrency: 1,
      pollMilliseconds: 50,
      tasks: { import_repo: (payload, job) => importRepo.run(payload, job, parts) },
    });
    try {
      const head = push(repo, 'pushed a moment before it goes out');
      const now = { resource_path: `${app.entity}/acme/fresh`, release_now: true };
      const out = await app.request({ route: 'POST /releases', json: now });
      expect(out.body.response_detail).toContain(`commit ${head.slice(0, 7)}`);
      const sha = push(repo, 'hot fix');
      const released = await deploy(sha);
      expect({ status: released.status, ...released.body }).toMatchObject({ status: 200 });
      const fixed = await app.request({
        route: 'POST /critical_defects',
        json: {
          resource_path: `${app.entity}/acme/fresh`,
          defect_key: 'INC-1',
          detected_at: '2026-01-01',
          fix_released_sha: push(repo, 'hotter fix'),
        },
      });
      expect(fixed.status).toBe(200);
      expect((await deploy('0123456789012345678901234567890123456789')).status).toBe(422);
    } finally {
      await worker.stop();
    }
    expect((await remove('acme/fresh')).status).toBe(200);
  });
});

test('removing the owner leaves shared commits to the next repo, and nothing of its own', async () => {
  const fork = history('di');
  const id = await importAs('acme/fork', fork.path);
  expect(await commitCount()).toBe(4);
  const [owner] = (
    await app.store.pool.query('select id, repo_id from imports where entity_id = $1 order by id', [entityId])
  ).rows;
  expect(existsSync(mirrorFolder(settings, entityId, owner.id))).toBe(true);
  // As of a machine that read the repo before it imported it.
  const readers = mirrorFolder(settings, entityId, owner.id).replace(/\.git$/, '.reader.git');
  mkdirSync(readers);

  const { status, body } = await remove('Acme/widgets.git');
  expect({ status, ...body }).toMatchObject({
    status: 200,
    repo_path: 'acme/widgets',
    commit_count: 3,
    committer_count: 1,
  });
  expect(existsSync(mirrorFolder(settings, entityId, owner.id))).toBe(false);
  expect(existsSync(readers)).toBe(false);
  expect(await listed()).toEqual(['acme/fork']);
  expect(await commitCount()).toBe(3);
  const { rows: people } = await app.store.pool.query(
    'select full_name from committers where entity_id = $1 order by full_name',
    [entityId],
  );
  expect(people.map((row) => row.full_name)).toEqual(['Ada', 'Bo', 'di']);
  const { rows: tables } = await app.store.pool.query(
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'repo_id' order by 1",
  );
  for (const { table_name } of tables) {
    const { rows } = await app.store.pool.query(
      `select count(*)::int as many from ${table_name} where entity_id = $1 and repo_id = $2`,
      [entityId, owner.repo_id],
    );
    expect({ table_name, many: rows[0].many }).toEqual({ table_name, many: 0 });
  }
  const { rows: orphans } = await app.store.pool.query(
    `select count(*)::int as many from commit_files f where entity_id = $1 and not exists (
       select from commits c where c.entity_id = f.entity_id and c.id = f.commit_id)`,
    [entityId],
  );
  expect(orphans[0].many).toBe(0);

  expect((await remove('acme/fork')).status).toBe(200);
  expect(await commitCount()).toBe(0);
  expect(id).not.toBe(owner.id);
  await importAs('acme/widgets', history('cy').path);
  expect(await commitCount()).toBe(3);
});

describe('defects of a repo that is removed', () => {
  const call = async (route: string, json: Record<string, unknown>) => {
    const answer = await app.request({ route, json });
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 200 });
  };
  const keys = async () => {
    const { body } = await app.request({ route: 'GET /critical_defects', query: `resource_path=${app.entity}` });
    return (body.critical_defects as { defectKey: string }[]).map(({ defectKey }) => defectKey).sort();
  };
  const DETECTED = '2026-01-01T09:00:00Z';
  const FIXED = '2026-01-02T09:00:00Z';

  test('stay where they were recorded for the entity, an organization or another repo too', async () => {
    await importAs('acme/gone', history('fi').path);
    const [entity, gone] = [app.entity, `${app.entity}/acme/gone`];
    const record = (defect_key: string, fields: Record<string, unknown>) =>
      call('POST /critical_defects', { defect_key, detected_at: DETECTED, ...fields });
    await record('ENT-1', { resource_path: entity });
    await record('ENT-1', { resource_path: gone, fix_released_at: FIXED });
    await record('ENT-2', { resource_path: entity, fix_repo_path: gone, fix_released_at: FIXED });
    await record('ENT-3', { resource_path: entity });
    await record('ENT-4', { resource_path: gone });
    await record('ENT-4', { resource_path: entity });
    await record('ORG-1', { resource_path: gone });
    await record('ORG-1', { resource_path: `${app.entity}/acme` });
    await record('REPO-1', { resource_path: gone });
    await record('REPO-1', { resource_path: `${app.entity}/acme/widgets` });
    await record('OWN-1', { resource_path: gone, fix_released_at: FIXED });
    await call('POST /releases', { resource_path: gone, release_now: true, defect_keys_resolved: 'ENT-3' });
    expect((await remove('acme/gone')).status).toBe(200);
    expect(await keys()).toEqual(['ENT-1', 'ENT-2', 'ENT-3', 'ENT-4', 'ORG-1', 'REPO-1']);
  });
});

test('a team that was limited to a removed repo stays so, and has it again with the next import', async () => {
  const { path } = history('ga');
  await importAs('acme/limit', path);
  const team = { name: 'Limited', developer_members: 'ga@example.com,ada@example.com', repo_paths: 'acme/limit' };
  expect((await app.request({ route: 'POST /teams', json: { resource_path: app.entity, ...team } })).status).toBe(200);
  const limits = async () => {
    const query = `resource_path=${app.entity}&name=limited`;
    const shown = (await app.request({ route: 'GET /teams', query })).body.team as { repo_paths: string[] };
    const { body } = await app.request({ route: 'GET /teams/associated_repos', query });
    const [repo] = body.repos as { id: number | null; repo_path: string }[];
    return { repo_paths: shown.repo_paths, repo: repo?.repo_path, isImported: repo?.id !== null };
  };
  const countedOf = async (scope: string) => {
    const { body, status } = await app.request({
      route: 'GET /reports',
      query: `resource_path=${app.entity}&segment_by=commit_count&start_date=2024-01-01&end_date=2024-01-31&${scope}`,
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    const series = Object.values(body.series_segments as Record<string, { y: number | null }[]>);
    return series.flat().reduce((sum, { y }) => sum + (y ?? 0), 0);
  };
  const before = { limits: await limits(), count: await countedOf('team_slug=limited') };
  expect(before).toEqual({
    limits: { repo_paths: ['acme/limit'], repo: 'acme/limit', isImported: true },
    count: 2,
  });
  expect((await remove('acme/limit')).status).toBe(200);
  expect(await countedOf('committer_identifier=ada@example.com')).toBeGreaterThan(0);
  expect(await limits()).toEqual({ ...before.limits, isImported: false });
  expect(await countedOf('team_slug=limited')).toBe(0);
  expect(await countedOf('aggregate_by=team')).toBe(0);
  await importAs('acme/limit', path);
  expect({ limits: await limits(), count: await countedOf('team_slug=limited') }).toEqual(before);
  expect((await remove('acme/limit')).status).toBe(200);
  await importAs('Acme/Limit', path);
  expect(await countedOf('team_slug=limited')).toBe(2);
});

describe('imports named over HTTP', () => {
  let open: TestApp;
  const folder = makeFolder();
  const stored = new Map<string, unknown>();

  beforeAll(async () => {
    execFileSync('git', ['init', '-q', `${folder}/inside`], { env: isolatedGitEnvironment() });
    const outside = makeFolder();
    execFileSync('git', ['init', '-q', `${outside}/secret`], { env: isolatedGitEnvironment() });
    symlinkSync(`${outside}/secret`, `${folder}/leads-out`);
    open = await createTestApp({
      parts: () => ({
        importFolders: [folder],
        listTargets,
        credentials: {
          find: async () => null,
          store: async (address, credentials) => void stored.set(address, credentials),
          remove: async () => 0,
        },
      }),
    });
  });

  const queue = (json: object, token: string) =>
    open.request({
      route: `POST /imports/by_${'path' in json ? 'path' : 'address'}`,
      token,
      json: { resource_path: 'acme', ...json },
    });

  test('an address needs an admin, and its credentials are the entity’s alone', async () => {
    const address = 'https://user:word@git.example.com/shop/web.git';
    expect((await queue({ address }, open.tokens.manager)).status).toBe(403);
    const answer = await queue({ address, since: 'all' }, open.tokens.admin);
    expect(answer.body).toMatchObject({ imported: true, repo_paths: ['imported/web'] });
    expect([...stored.keys()]).toEqual([
      expect.stringMatching(/^entity \d+ https:\/\/git\.example\.com\/shop\/web\.git$/),
    ]);
    expect(
      (await findSource(open.store.db, await idOfAcme(), { organization: 'imported', repo: 'web' }))?.is_operators,
    ).toBe(false);
    for (const other of ['ssh://git@git.example.com/a/b', 'git@git.example.com:a/b', 'file:///etc', '/etc', folder]) {
      expect([400, 422]).toContain((await queue({ address: other }, open.tokens.superAdmin)).status);
    }
  });

  test('a folder needs a super admin, and lies below an allowed one', async () => {
    const path = `${folder}/inside`;
    expect((await queue({ path }, open.tokens.admin)).status).toBe(422);
    const outside = [`${folder}/leads-out`, `${folder}/../`, '/etc', `${folder}-other`, `${folder}/nothing`];
    for (const other of outside) expect((await queue({ path: other }, open.tokens.superAdmin)).status, other).toBe(422);
    const answer = await queue({ path }, open.tokens.superAdmin);
    expect(answer.body).toMatchObject({ imported: true, repo_paths: ['imported/inside'] });
    const candidates = await open.request({ route: 'GET /imports/candidates', token: open.tokens.superAdmin });
    expect(candidates.body.candidates).toEqual([{ path, name: 'imported/inside', is_imported: true }]);
    const others = await open.request({ route: 'GET /imports/candidates', token: open.tokens.admin });
    expect([others.body.folders, others.body.candidates]).toEqual([[], []]);
    const list = await open.request({ route: 'GET /imports', query: 'resource_path=acme' });
    expect(list.body).toMatchObject({ repos: [{ phase_em: 'waiting' }, { phase_em: 'waiting' }], has_worker: false });
  });

  test('a folder in which two have one name, or one a name that is taken, is refused as a whole', async () => {
    const init = (path: string) => execFileSync('git', ['init', '-q', path], { env: isolatedGitEnvironment() });
    for (const name of ['pair/App', 'pair/app', 'taken/inside', 'taken/fresh']) init(`${folder}/${name}`);
    const before = await open.store.pool.query('select address from repo_sources order by 1');
    const pair = await queue({ path: `${folder}/pair` }, open.tokens.superAdmin);
    expect([pair.status, pair.body.response_detail]).toEqual([
      422,
      expect.stringMatching(/pair\/App and .*pair\/app would both be imported\/app/),
    ]);
    const taken = await queue({ path: `${folder}/taken` }, open.tokens.superAdmin);
    expect([taken.status, taken.body.response_detail]).toEqual([
      422,
      expect.stringContaining(`imported/inside is ${folder}/inside already`),
    ]);
    expect((await open.store.pool.query('select address from repo_sources order by 1')).rows).toEqual(before.rows);
    // Who only looks sees all of them.
    const { body } = await open.request({ route: 'GET /imports/candidates', token: open.tokens.superAdmin });
    expect(body.candidates).toHaveLength(5);
  });

  const idOfAcme = async (): Promise<number> =>
    (await open.store.pool.query(`select id from entities where slug = 'acme'`)).rows[0].id;
});
