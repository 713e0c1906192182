// Repos that a code host gives another name, organization or place. The host's id says which repo it is, never the path.
import { afterEach, expect, test } from 'vitest';
import type { RepoSource } from '../../src/domain/repos/source.ts';
import { importRepo } from '../../src/jobs/import/repo.ts';
import { followRenames } from '../../src/storage/repos/follow-renames.ts';
import { findHostedRepo } from '../../src/storage/repos/provider-connections.ts';
import { registerSource } from '../../src/storage/repos/repos.ts';
import { jobContext } from '../jobs/import/import-kit.ts';
import type { Company, CompanyRepo as Repo } from '../world/company/company.ts';
import type { CompanyDouble } from '../world/company-hosts/company-host.ts';
import { type CompanyHost, GITHUB, HOSTS } from '../world/company-hosts/hosts.ts';
import { randomHistory } from '../world/random-history.ts';
import { type CompanyKit, createCompanyKit } from './company-kit.ts';

const DAY_MS = 86_400_000;
const repoOf = (id: number, name: string): Repo => ({ id, name, pulls: [], issues: [], deployments: [], runs: [] });
const companyOf = (...repos: Repo[]): Company => ({
  organization: 'works',
  organizationId: 4_242,
  people: [{ id: 11, login: 'ada', name: 'Ada Example', email: 'ada@example.com', isBot: false }],
  teams: [],
  repos,
});

let kit: CompanyKit<CompanyDouble> | null = null;
afterEach(() => kit?.close());

async function start(company: Company, host: CompanyHost<CompanyDouble> = GITHUB) {
  kit = await createCompanyKit(company, host, { clock: new Date('2026-11-05T10:00:00Z') });
  return kit;
}

/** A day later the repos are listed anew. */
async function listLater({ list }: CompanyKit): Promise<void> {
  kit!.clock = new Date(kit!.clock.getTime() + DAY_MS);
  await list();
}

const paths = ({ query }: CompanyKit) =>
  query(
    `select i.organization_slug || '/' || i.repo_slug as import, i.status::text, i.error_em, o.slug || '/' || r.slug as repo, r.external_id
     from imports i left join repos r on r.id = i.repo_id left join organizations o on o.id = r.organization_id
     order by i.id`,
  );

const imported = (path: string, externalId: unknown) => ({
  import: path,
  status: 'processing_completed',
  error_em: null,
  repo: path,
  external_id: externalId,
});
const offered = (path: string) => ({
  import: path,
  status: 'offered_pending_acceptance',
  error_em: null,
  repo: null,
  external_id: null,
});

test.each(HOSTS)('$name: a renamed repo keeps its records and goes on', { timeout: 60_000 }, async (host) => {
  const company = companyOf(repoOf(900, 'repo-1'));
  const world = await start(company, host as CompanyHost<CompanyDouble>);
  const [before] = await paths(world);
  await world.query(`insert into teams (entity_id, slug, name) values ($1, 'web', 'Web')`, [world.entityId]);
  await world.query(
    `insert into team_repos (entity_id, team_id, organization_slug, repo_slug)
     select entity_id, id, $2, 'repo-1' from teams where entity_id = $1`,
    [world.entityId, (before as { import: string }).import.replace(/\/repo-1$/, '')],
  );
  company.repos[0]!.name = 'renamed';
  await listLater(world);
  const { external_id, repo } = before as { external_id: string; repo: string };
  expect(await paths(world)).toEqual([imported(repo.replace('repo-1', 'renamed'), external_id)]);
  await world.refresh();
  expect(await paths(world)).toEqual([imported(repo.replace('repo-1', 'renamed'), external_id)]);
  expect(await world.query('select distinct repo_slug from team_repos')).toEqual([{ repo_slug: 'renamed' }]);
});

test('a new repo under the old name is another one, and names may change places', { timeout: 60_000 }, async () => {
  const company = companyOf(repoOf(900, 'one'), repoOf(901, 'two'));
  const world = await start(company);
  [company.repos[0]!.name, company.repos[1]!.name] = ['two', 'one'];
  await listLater(world);
  const [first, second] = (await paths(world)) as { import: string; external_id: string }[];
  expect([first!.import, second!.import]).toEqual(['works/two', 'works/one']);
  expect(first!.external_id).not.toBe(second!.external_id);

  company.repos[0]!.name = 'three';
  company.repos.push(repoOf(902, 'two'));
  await listLater(world);
  expect(await paths(world)).toEqual([
    imported('works/three', first!.external_id),
    imported('works/one', second!.external_id),
    offered('works/two'),
  ]);
});

test('before the repos are listed anew, a repo is not cloned from another one of its name', async () => {
  const company = companyOf(repoOf(900, 'one'));
  const world = await start(company);
  const path = { organization: 'works', repo: 'one' };
  expect(await findHostedRepo(world.store.db, world.entityId, path)).toHaveLength(1);
  // Listed half: the new repo of the name is there, the old one is not yet.
  await world.query(`update provider_repos set external_id = 'another'`);
  expect(await findHostedRepo(world.store.db, world.entityId, path)).toEqual([]);
  // The host is not connected any more: the name may be that of the same repo somewhere else.
  await world.query(`update provider_connections set host_key = 'elsewhere.example'`);
  expect(await findHostedRepo(world.store.db, world.entityId, path)).toHaveLength(1);
});

test('a repo that moves to another organization takes along what names it', async () => {
  const world = await start(companyOf(repoOf(900, 'one')));
  const key = { entityId: world.entityId, connectionId: world.connectionIds[0]! };
  await world.query(
    `insert into critical_defects (entity_id, defect_key, source_em, organization_id, repo_id, detected_at)
     select entity_id, 'D-1', 'api', organization_id, id, now() from repos`,
  );
  await world.query(
    `insert into defect_scopes (entity_id, defect_id, organization_id, repo_id)
     select r.entity_id, d.id, r.organization_id, r.id from repos r, critical_defects d`,
  );
  await world.query(`update provider_repos set organization_slug = 'other', repo_slug = 'moved'`);
  const { renamed } = await followRenames(world.store.db, key);
  expect(renamed).toMatchObject([{ from: 'works/one', to: 'other/moved' }]);
  expect(await paths(world)).toMatchObject([{ import: 'other/moved', repo: 'other/moved' }]);
  const scopes = await world.query(
    `select o.slug, d.organization_id = o.id as of_defect from defect_scopes s
     join organizations o on o.id = s.organization_id join critical_defects d on d.id = s.defect_id`,
  );
  expect(scopes).toEqual([{ slug: 'other', of_defect: true }]);
});

test('a name that another imported repo has is not taken from it', async () => {
  const company = companyOf(repoOf(900, 'one'), repoOf(901, 'two'));
  const world = await start(company);
  // The second one is gone from the host, and the first has its name now.
  company.repos.pop();
  company.repos[0]!.name = 'two';
  await listLater(world);
  expect((await paths(world)).map((row) => (row as { import: string }).import)).toEqual(['works/one', 'works/two']);
  // It is still cloned from where it is.
  const [found] = await findHostedRepo(world.store.db, world.entityId, { organization: 'works', repo: 'one' });
  expect(found!.path).toEqual({ organization: 'works', repo: 'two' });
  expect(await findHostedRepo(world.store.db, world.entityId, { organization: 'works', repo: 'two' })).toEqual([]);
});

test('a repo that is not found has the repos listed anew, and not more often than every ten minutes', async () => {
  const world = await start(companyOf(repoOf(900, 'one')));
  const queued = () =>
    world.query(`select payload from strata_queue._private_jobs where key like 'cache_provider_repos:%'`);
  await world.query('delete from strata_queue._private_jobs');
  await world.query('delete from provider_repos');
  await world.refresh();
  expect(await queued()).toEqual([]);
  kit!.clock = new Date(world.clock.getTime() + 3_600_000);
  await world.refresh();
  expect(await queued()).toEqual([{ payload: { entity_id: world.entityId, connection_id: world.connectionIds[0] } }]);
  expect(await paths(world)).toMatchObject([{ status: 'processing_completed', error_em: 'repo_not_found' }]);
  await world.list();
  await world.refresh();
  expect(await paths(world)).toMatchObject([{ status: 'processing_completed', error_em: null }]);
});

/** Imports the first repo, and has its company change, and listed, while it is read. */
async function importWhile(world: CompanyKit, change: () => void): Promise<void> {
  const [first] = await world.query<{ id: number }>('select id from imports order by id');
  const [source] = world.parts.sources;
  let isChanged = false;
  const changing: RepoSource = {
    ...source!,
    async cloneAddress(entityId, path) {
      const address = await source!.cloneAddress(entityId, path);
      if (!isChanged) {
        isChanged = true;
        change();
        await listLater(world);
      }
      return address;
    },
  };
  const parts = { ...world.parts, sources: [changing] };
  await importRepo.run({ entity_id: world.entityId, import_id: first!.id }, jobContext(), parts);
}

test('a rename while an import runs leaves each repo its id', { timeout: 60_000 }, async () => {
  const company = companyOf(repoOf(900, 'one'), repoOf(901, 'two'));
  const world = await start(company);
  const ids = async () => (await paths(world)).map((row) => (row as { external_id: string | null }).external_id);
  const before = await ids();
  await importWhile(world, () => {
    [company.repos[0]!.name, company.repos[1]!.name] = ['two', 'one'];
  });
  expect(await ids()).toEqual(before);
  await importWhile(world, () => {
    company.repos[0]!.name = 'three';
    company.repos.push(repoOf(902, 'two'));
  });
  expect(await ids()).toEqual([...before, null]);
  await listLater(world);
  expect(await ids()).toEqual([...before, null]);
});

test('a repo stays with its host when it gets the name of one that the operator has', { timeout: 60_000 }, async () => {
  const company = companyOf(repoOf(900, 'one'));
  const world = await start(company);
  const commits = () => world.query('select presence::text, count(*)::int from commits group by 1');
  const before = await commits();
  const other = randomHistory(77, { commits: 6, words: 8 }).path;
  const folder: RepoSource = {
    kind: 'folder',
    listOrganizations: async () => [],
    listRepos: async () => [],
    findRepo: async (_, path) => ({ path, source: 'folder', connectionCount: 1, pastYearCommitCount: null }),
    cloneAddress: async () => ({ kind: 'folder', path: other, shown: other }),
  };
  company.repos[0]!.name = 'lib';
  await listLater(world);
  const [row] = await world.query<{ id: number }>('select id from imports');
  const parts = { ...world.parts, sources: [folder, ...world.parts.sources] };
  await importRepo.run({ entity_id: world.entityId, import_id: row!.id }, jobContext(), parts);
  expect(await commits()).toEqual(before);

  // A name that was registered is not taken at all, and neither is what waits under it.
  await registerSource(
    world.store.db,
    world.entityId,
    { organization: 'works', repo: 'mine' },
    { kind: 'path', address: other },
  );
  company.repos[0]!.name = 'mine';
  await listLater(world);
  expect(await paths(world)).toMatchObject([{ import: 'works/lib' }]);
});

test('one repo is not imported under two names, whatever a list has', { timeout: 60_000 }, async () => {
  const world = await start(companyOf(repoOf(900, 'one')));
  const ask = (path: string) =>
    world.app.request({ route: 'POST /imports', json: { resource_path: 'acme', repo_path: path } });
  // A list that was cut off after the new name had come, and the list of another connection that is of before.
  await world.query(
    `insert into provider_repos (entity_id, connection_id, organization_slug, repo_slug, external_id, clone_url, is_private, seen_at, first_seen_at)
     select entity_id, connection_id, organization_slug, 'three', external_id, clone_url, is_private, seen_at, first_seen_at from provider_repos`,
  );
  expect((await ask('works/three')).status).toBe(422);
  expect((await ask('works/one')).status).toBe(200);
  await world.query(`delete from provider_repos where repo_slug = 'one'`);
  expect((await ask('works/one')).status).toBe(200);
  const offers = await world.app.request({ route: 'GET /connections/repos', query: 'resource_path=acme' });
  expect(offers.body.repos).toEqual([]);
  await world.refresh();
  expect(await paths(world)).toMatchObject([{ import: 'works/one', repo: 'works/one' }]);
});

test('an organization that was renamed keeps what is of it as a whole', { timeout: 60_000 }, async () => {
  const company = companyOf(repoOf(900, 'one'), repoOf(901, 'two'));
  const world = await start(company);
  const organizations = () => world.query('select id, slug from organizations order by id');
  const [before] = (await organizations()) as { id: number }[];
  await world.query(`update provider_repos set organization_slug = 'factory'`);
  await followRenames(world.store.db, { entityId: world.entityId, connectionId: world.connectionIds[0]! });
  expect(await organizations()).toEqual([{ id: before!.id, slug: 'factory' }]);
  expect((await paths(world)).map((row) => (row as { import: string }).import)).toEqual(['factory/one', 'factory/two']);
});

test('teams have the new name as the host spells it', async () => {
  const world = await start(companyOf(repoOf(900, 'one')));
  await world.query(`insert into teams (entity_id, slug, name) values ($1, 'web', 'Web')`, [world.entityId]);
  await world.query(
    `insert into team_repos (entity_id, team_id, organization_slug, repo_slug)
     select entity_id, id, 'works', 'Three' from teams where slug = 'web'`,
  );
  await world.query(`update provider_repos set repo_slug = 'three'`);
  await followRenames(world.store.db, { entityId: world.entityId, connectionId: world.connectionIds[0]! });
  expect(await world.query('select repo_slug from team_repos')).toEqual([{ repo_slug: 'three' }]);
});

test('two connections that see a repo at two places do not rename it to and fro', async () => {
  const world = await start(companyOf(repoOf(900, 'one')));
  const columnsOf = async (table: string, without: string) => {
    const rows = await world.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_name = $1 and column_name <> all($2)`,
      [table, without.split(' ')],
    );
    return rows.map(({ column_name }) => column_name).join(', ');
  };
  await world.query(`insert into users (email) values ('b@example.com')`);
  const ofConnection = await columnsOf('provider_connections', 'id user_id');
  await world.query(
    `insert into provider_connections (user_id, ${ofConnection})
     select (select id from users where email = 'b@example.com'), ${ofConnection} from provider_connections`,
  );
  const ofRepo = await columnsOf('provider_repos', 'connection_id organization_slug');
  await world.query(
    `insert into provider_repos (connection_id, organization_slug, ${ofRepo})
     select (select max(id) from provider_connections), 'group-b', ${ofRepo} from provider_repos`,
  );
  const connections = await world.query<{ id: number }>('select id from provider_connections order by id');
  for (const { id } of [...connections, ...connections]) {
    const { renamed } = await followRenames(world.store.db, { entityId: world.entityId, connectionId: id });
    expect(renamed).toEqual([]);
  }
});
