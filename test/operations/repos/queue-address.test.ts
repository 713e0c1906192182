// Which address an admin may give a repo, and when it may be given another one.
import { beforeAll, describe, expect, test } from 'vitest';
import { createRegisteredSource } from '../../../src/connectors/sources/registered.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { findSource, listSources } from '../../../src/storage/repos/repos.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;
let entityId: number;

beforeAll(async () => {
  app = await createTestApp({
    parts: ({ db }) => ({
      credentials: { store: async () => undefined },
      sources: [
        createRegisteredSource({
          find: (id, path) => findSource(db, id, path),
          list: (id) => listSources(db, id),
          credentials: { find: async () => null, store: async () => undefined, remove: async () => 0 },
          reach: { isAllowed: () => false, authorities: null },
        }),
      ],
    }),
  });
  const { rows } = await app.store.pool.query('select id from entities where slug = $1', [app.entity]);
  entityId = rows[0].id;
});

const queue = (json: { address: string; as?: string; since?: string }) =>
  app.request({ route: 'POST /imports/by_address', json: { resource_path: app.entity, ...json } });
const sourceOf = (repo: string, organization = 'imported') =>
  findSource(app.store.db, entityId, { organization, repo });
const set = (repo: string, change: string) =>
  app.store.pool.query(`update imports set ${change} where entity_id = $1 and repo_slug = $2`, [entityId, repo]);

describe('a repo that has brought commits', () => {
  beforeAll(async () => {
    for (const [address, as] of [
      ['/srv/git/tools', 'acme/folder'],
      ['ssh://git@git.example.com/acme/keyed.git', 'acme/keyed'],
    ] as const)
      await app.operations.imports.register(OPERATOR, app.entity, {
        kind: address.startsWith('/') ? 'path' : 'address',
        address,
        as,
      });
    await queue({ address: 'https://git.example.com/acme/web', as: 'acme/web' });
    for (const repo of ['folder', 'keyed', 'web']) await set(repo, 'commit_processed_count = 3');
  });

  test.each([
    ['acme/web', 'https://git.example.com/acme/web'],
    ['acme/folder', '/srv/git/tools'],
    ['Acme/Folder.git', '/srv/git/tools'],
  ])('stays with its address: %s', async (as, address) => {
    const { status, body } = await queue({ address: 'https://elsewhere.example.com/x', as });
    expect([status, body.response_em, body.imported]).toEqual([409, 'response_conflict', false]);
    expect(body.errors).toEqual({ as: [body.response_detail] });
    expect(body.response_detail).toContain(`is ${address} already`);
    expect(body.response_detail).toContain('strata import ADDRESS --as');
    expect((await sourceOf(as.replace('.git', '').slice(5), 'acme'))?.address).toBe(address);
  });

  test('is looked at again when it is given its own address', async () => {
    expect((await queue({ address: 'https://git.example.com/acme/web.git', as: 'acme/web' })).status).toBe(200);
  });

  test('is read as the operator reads it, with the same address and no credentials', async () => {
    expect((await queue({ address: 'https://git.example.com/acme/keyed', as: 'acme/keyed' })).status).toBe(200);
    expect(await sourceOf('keyed', 'acme')).toMatchObject({
      address: 'ssh://git@git.example.com/acme/keyed.git',
      is_operators: true,
    });
  });

  test('is read with the keys of whoever gives them, and no more as the operator reads it', async () => {
    const address = 'https://git.example.com/acme/keyed';
    expect((await queue({ address: address.replace('://', '://me:pass@'), as: 'acme/keyed' })).status).toBe(200);
    expect(await sourceOf('keyed', 'acme')).toMatchObject({ address, is_operators: false });
  });

  test('of a connected host is not given an address', async () => {
    await queue({ address: 'https://git.example.com/acme/hosted', as: 'acme/hosted' });
    await set('hosted', 'commit_processed_count = 3');
    await app.store.pool.query(`delete from repo_sources where repo_slug = 'hosted'`);
    const { status, body } = await queue({ address: 'https://git.example.com/acme/hosted', as: 'acme/hosted' });
    expect([status, body.response_detail]).toEqual([409, expect.stringContaining('from a connected host')]);
  });
});

test('an address that failed is replaced, with and without a name, and the import starts anew', async () => {
  for (const more of [{}, { as: 'imported/typo' }]) {
    await queue({ address: 'https://git.exmaple.com/acme/typo', ...more });
    await set(
      'typo',
      `status = 'unable_to_import_no_repo', error_em = 'repo_not_found', run_token = gen_random_uuid()`,
    );
    expect((await queue({ address: 'https://git.example.com/acme/typo', ...more })).status).toBe(200);
    expect((await sourceOf('typo'))?.address).toBe('https://git.example.com/acme/typo');
    const { rows } = await app.store.pool.query(`select status, run_token from imports where repo_slug = 'typo'`);
    expect(rows).toEqual([{ status: 'pending', run_token: null }]);
    await app.store.pool.query(`delete from imports where repo_slug = 'typo'`);
    await app.store.pool.query(`delete from repo_sources where repo_slug = 'typo'`);
  }
});

test('what a connected host would still bring is stopped when its repo is given an address', async () => {
  const address = { address: 'https://git.example.com/acme/early', as: 'acme/early' };
  await queue(address);
  await app.store.pool.query(`delete from repo_sources where repo_slug = 'early'`);
  await set('early', `status = 'acquired_connection', run_token = gen_random_uuid()`);
  expect((await queue(address)).status).toBe(200);
  const { rows } = await app.store.pool.query(`select status, run_token from imports where repo_slug = 'early'`);
  expect(rows).toEqual([{ status: 'pending', run_token: null }]);
});

test('an address that failed and waits for its next try is replaced without a name', async () => {
  await queue({ address: 'https://git.exmaple.com/acme/late' });
  await set('late', `error_detail = 'the host does not answer'`);
  expect((await queue({ address: 'https://git.example.com/acme/late' })).status).toBe(200);
  expect((await sourceOf('late'))?.address).toBe('https://git.example.com/acme/late');
});

test('an address that is being read is replaced by who names the repo, and the import starts anew', async () => {
  await queue({ address: 'https://git.example.com/one/busy' });
  await set('busy', `status = 'repo_processing_underway', run_token = gen_random_uuid()`);
  expect((await queue({ address: 'https://git.example.com/two/busy', as: 'imported/busy' })).status).toBe(200);
  const { rows } = await app.store.pool.query(`select status, run_token from imports where repo_slug = 'busy'`);
  expect(rows).toEqual([{ status: 'pending', run_token: null }]);
});

test('one that waits for its first try is replaced by who names the repo, and by no other of the same last part', async () => {
  await queue({ address: 'https://git.example.com/one/docs' });
  const { status, body } = await queue({ address: 'https://git.example.com/two/docs' });
  expect([status, body.response_detail]).toEqual([409, expect.stringContaining('https://git.example.com/one/docs')]);
  expect((await queue({ address: 'https://git.example.com/two/docs', as: 'imported/docs' })).status).toBe(200);
  expect((await sourceOf('docs'))?.address).toBe('https://git.example.com/two/docs');
});

test('since is read in the zone of the entity, and names a time in the past', async () => {
  await app.request({ route: 'PUT /settings/time_zone', json: { value: 'America/New_York' } });
  const address = 'https://git.example.com/acme/since';
  expect((await queue({ address, since: '2026-01-15' })).status).toBe(200);
  const { rows } = await app.store.pool.query(`select wanted_from from imports where repo_slug = 'since'`);
  expect(new Date(rows[0].wanted_from).toISOString()).toBe('2026-01-15T05:00:00.000Z');
  for (const since of ['0d', '2099-01-01']) {
    const { status, body } = await queue({ address, since });
    expect([status, body.imported]).toEqual([422, false]);
    expect(body.errors).toEqual({
      since: [expect.stringContaining(`"${since}" is not accepted; give all, a date in`)],
    });
  }
});

describe('an address instead of a name', () => {
  beforeAll(() => queue({ address: 'https://git.example.com:8443/syn/one.git', as: 'syn/one' }));
  const call = (route: string, repo_path: string) =>
    app.request({ route, json: { resource_path: app.entity, repo_path } });

  test.each(['https://gitlab.com/syn/one.git', 'git@gitlab.com:syn/one', 'ssh://git@GitLab.com/syn/one'])(
    'of another host is not found: %s',
    async (address) => {
      for (const route of ['POST /imports', 'DELETE /imports']) {
        const { status, body } = await call(route, address);
        const problem = 'not found at gitlab.com: syn/one is cloned from git.example.com';
        expect([status, body.errors]).toEqual([422, { repo_path: [problem] }]);
      }
    },
  );

  test.each([
    'https://git.example.com/syn/one.git',
    'git@GIT.example.com:syn/one',
    'ssh://git@git.example.com/Syn/one',
  ])('of its host is the repo: %s', async (address) => {
    expect((await call('POST /imports', address)).status).toBe(200);
  });

  test('of another host than the connected one that has the repo is not found', async () => {
    await app.store.pool.query(
      `with connection as (
        insert into provider_connections (entity_id, user_id, git_provider_em, host_key, token_sealed)
        select $1, min(id), 'github', 'github.com', '' from users returning id)
      insert into provider_repos
        (entity_id, connection_id, organization_slug, repo_slug, external_id, clone_url, is_private, first_seen_at, seen_at)
      select $1, id, 'syn', 'listed', '1', 'https://github.com/syn/listed.git', true, now(), now() from connection`,
      [entityId],
    );
    const { status, body } = await call('POST /imports', 'https://gitlab.com/syn/listed.git');
    const problem = 'not found at gitlab.com: syn/listed is cloned from github.com';
    expect([status, body.errors]).toEqual([422, { repo_path: [problem] }]);
  });
});

test.each([
  [
    { address: 'https://git.example.com/x', as: 'nope' },
    'as',
    '"nope" is not accepted; expected <organization>/<repo>',
  ],
  [{ address: 'file:///etc' }, 'address', '"file:///etc" is not accepted as an address'],
  [{ address: 'git@github.com:acme/web.git' }, 'address', 'accepted are https:// and http:// addresses; strata import'],
])('a refusal names the parameter and what is accepted: %j', async (json, parameter, problem) => {
  const { status, body } = await queue(json);
  expect([status, body.errors]).toEqual([422, { [parameter]: [expect.stringContaining(problem)] }]);
});

test('a slug that cannot be one is refused with what is accepted', async () => {
  const { body } = await app.request({ route: 'POST /entities', token: app.tokens.superAdmin, json: { slug: 'A B' } });
  expect(body.errors).toEqual({ slug: [expect.stringMatching(/^"A B" cannot be a slug; accepted are up to 100/)] });
});
