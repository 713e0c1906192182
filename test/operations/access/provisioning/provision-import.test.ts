// A repo that a connection can see can be imported: git gets the connection's token, and only there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressRule } from '../../../../src/connectors/sources/check-address.ts';
import { createHostedSource } from '../../../../src/connectors/sources/hosted.ts';
import { GIT_PROVIDER_NAMES, type HostAccount } from '../../../../src/domain/repos/code-host.ts';
import type { RepoSource } from '../../../../src/domain/repos/source.ts';
import { cacheProviderRepos } from '../../../../src/jobs/cache-provider-repos.ts';
import { silentLog } from '../../../../src/kit/log.ts';
import type { Store } from '../../../../src/storage/database/handle.ts';
import {
  findHostedRepo,
  listHostedOrganizations,
  listHostedRepos,
  openAccount,
} from '../../../../src/storage/repos/provider-connections.ts';
import { createTestApp, loopbackHosts, type TestApp, testSecrets } from '../../../support/app.ts';
import { importSettings } from '../../../support/import-settings.ts';
import { GITHUB_TOKEN, startGithub } from '../../../world/host-doubles/github.ts';
import type { HostDouble } from '../../../world/host-doubles/host-double.ts';

const hostedSource = (store: Store, allowPrivate = true): RepoSource =>
  createHostedSource({
    find: async (entityId, path) =>
      (await findHostedRepo(store.db, entityId, path)).map(({ path: named, clone_url, connection }) => ({
        path: named,
        clone_url,
        failure: connection.error_em,
        openAccount: () => openAccount(connection, testSecrets),
      })),
    listRepos: (entityId) => listHostedRepos(store.db, entityId),
    listOrganizations: (entityId) => listHostedOrganizations(store.db, entityId),
    codeHosts: loopbackHosts,
    reach: { isAllowed: addressRule(allowPrivate), authorities: null },
  });

let app: TestApp;
let github: HostDouble;
let entityId: number;
beforeAll(async () => {
  github = await startGithub();
  // Clones would come from this machine too.
  github.instead = ({ path, headers, origin }) =>
    path.endsWith('/orgs/engines/repos') && headers.authorization?.endsWith(GITHUB_TOKEN)
      ? {
          body: ['difference', 'moved'].map((name, id) => ({
            id,
            name,
            private: true,
            html_url: `${origin}/engines/${name}`,
            clone_url: `${origin}/engines/${name}.git`,
          })),
        }
      : path.startsWith('/engines/moved.git/')
        ? { status: 301, headers: { location: `${origin}/engines/renamed.git/info/refs` } }
        : null;
  app = await createTestApp({ parts: (store) => ({ sources: [hostedSource(store)] }) });
  for (const email of ['ada@example.com', 'grace@example.com']) {
    const answer = await app.request({
      route: 'POST /api_tokens/provision_user',
      json: {
        email,
        git_provider_em: 'github',
        git_provider_token: GITHUB_TOKEN,
        entity_slug: 'acme',
        endpoint_url: github.address,
      },
    });
    expect(answer.status, answer.text).toBe(200);
  }
  const connections = await app.store.db.selectFrom('provider_connections').selectAll().execute();
  entityId = connections[0]!.entity_id;
  for (const { entity_id, id } of connections) {
    await cacheProviderRepos.run(
      { entity_id, connection_id: id },
      {
        jobId: '1',
        jobKey: 'test',
        attempt: 1,
        maxAttempts: 1,
        signal: new AbortController().signal,
        log: silentLog,
      },
      {
        store: app.store,
        sources: [],
        imports: importSettings('/nonexistent'),
        codeHosts: loopbackHosts,
        secrets: testSecrets,
        now: () => new Date(),
      },
    );
  }
});
afterAll(() => github.close());

test('such a repo can be queued for import, an unknown one cannot', async () => {
  const queue = (repo_path: string) =>
    app.request({ route: 'POST /imports', json: { resource_path: 'acme', repo_path } });
  expect((await queue('engines/difference')).body).toEqual({ imported: true, errors: null });
  const unknown = await queue('engines/secret');
  expect([unknown.status, unknown.body.errors]).toEqual([422, { repo_path: ['not found'] }]);
});

test('both connections are counted, and a foreign entity sees none', async () => {
  const source = hostedSource(app.store);
  const path = { organization: 'engines', repo: 'difference' };
  expect(await source.findRepo(entityId, path)).toMatchObject({ connectionCount: 2, source: 'hosted' });
  expect(await source.findRepo(entityId + 1, path)).toBeNull();
  expect(await source.listRepos(entityId + 1)).toEqual([]);
  expect((await source.listRepos(entityId)).map(({ repo }) => repo)).toEqual([
    'diary',
    'sketches',
    'difference',
    'moved',
  ]);
  expect((await source.listOrganizations(entityId)).map(({ slug }) => slug)).toContain('engines');
});

test('git is given the token and the checked address, also after a repo was renamed', async () => {
  const source = hostedSource(app.store);
  const { host } = new URL(github.address);
  for (const [repo, url] of [
    ['difference', 'difference'],
    ['moved', 'renamed'],
  ] as const) {
    expect(await source.cloneAddress(entityId, { organization: 'engines', repo })).toEqual({
      kind: 'url',
      url: `${github.address}/engines/${url}.git`,
      shown: `${github.address}/engines/${repo}.git`,
      credentials: { username: 'x-access-token', password: GITHUB_TOKEN },
      pinnedHost: `${host}:127.0.0.1`,
    });
  }
});

test('an address without encryption is refused where private networks are closed', async () => {
  const source = hostedSource(app.store, false);
  await expect(source.cloneAddress(entityId, { organization: 'engines', repo: 'difference' })).rejects.toMatchObject({
    failure: 'refused_address',
  });
});

test('a host cannot name a file of this machine, or a program, to clone from', async () => {
  for (const clone_url of ['file:///etc/passwd', 'ext::sh -c id', '/etc/passwd', 'ssh://git@example.com/x']) {
    const source = createHostedSource({
      find: async (_entityId, path) => [{ path, clone_url, failure: null, openAccount: () => account('hostC', 't') }],
      listRepos: async () => [],
      listOrganizations: async () => [],
      codeHosts: loopbackHosts,
      reach: { isAllowed: () => true, authorities: null },
    });
    await expect(source.cloneAddress(1, { organization: 'a', repo: 'b' })).rejects.toMatchObject({
      failure: 'refused_address',
    });
  }
});

test('a token that the host has refused is not tried again', async () => {
  await app.store.db.updateTable('provider_connections').set({ error_em: 'rejected' }).execute();
  await expect(
    hostedSource(app.store).cloneAddress(entityId, { organization: 'engines', repo: 'difference' }),
  ).rejects.toMatchObject({ failure: 'revoked', message: expect.stringContaining('provision a new one') });
});

const account = (provider: HostAccount['provider'], token: string): HostAccount => ({
  provider,
  token,
  email: 'ada@example.com',
  endpoint_url: null,
  organization_name: null,
  tenant_id: null,
});

test('each kind of host has its own user name for git', () => {
  const names = GIT_PROVIDER_NAMES.map((provider) => [
    provider,
    loopbackHosts.cloneCredentials(account(provider, 'secret')).username,
  ]);
  expect(Object.fromEntries(names)).toEqual({
    devops_suite: 'strata',
    devops_suite_on_prem: 'strata',
    hostB: 'x-token-auth',
    hostB_server: 'x-token-auth',
    hostC: 'x-access-token',
    hostD: 'oauth2',
  });
  expect(loopbackHosts.cloneCredentials(account('hostB', 'ATATTx'))).toEqual({
    username: 'x-bitbucket-api-token-auth',
    password: 'ATATTx',
  });
  expect(loopbackHosts.cloneCredentials(account('hostB', 'ada:pass:word'))).toEqual({
    username: 'ada',
    password: 'pass:word',
  });
});
