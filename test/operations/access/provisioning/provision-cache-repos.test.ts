// After provisioning, a worker lists the repos that the connection can see: run by the real queue, against
// code hosts on this machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GIT_PROVIDER_NAMES, type GitProvider } from '../../../../src/domain/repos/code-host.ts';
import { cacheProviderRepos } from '../../../../src/jobs/cache-provider-repos.ts';
import { createLog } from '../../../../src/kit/create-log.ts';
import { type QueueWorker, startQueueWorker } from '../../../../src/storage/queue/worker.ts';
import { createTestApp, loopbackHosts, type TestApp, testSecrets } from '../../../support/app.ts';
import { importSettings } from '../../../support/import-settings.ts';
import type { HostDouble } from '../../../world/host-doubles/host-double.ts';
import { ADA, DOUBLES } from '../../../world/host-doubles/index.ts';

let app: TestApp;
let worker: QueueWorker;
const lines: string[] = [];
const doubles = new Map<GitProvider, HostDouble>();
beforeAll(async () => {
  app = await createTestApp();
  for (const provider of GIT_PROVIDER_NAMES) doubles.set(provider, await DOUBLES[provider].start());
  const parts = {
    store: app.store,
    sources: [],
    imports: importSettings('/nonexistent'),
    codeHosts: loopbackHosts,
    secrets: testSecrets,
    now: () => new Date(),
  };
  worker = await startQueueWorker({
    store: app.store,
    tasks: { cache_provider_repos: (payload, job) => cacheProviderRepos.run(payload, job, parts) },
    pollMilliseconds: 50,
    log: createLog({ level: 'trace', format: 'json', destination: { write: (line: string) => lines.push(line) } }),
  });
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([...doubles.values()].map((double) => double.close()));
});

async function provision(provider: GitProvider): Promise<void> {
  const { account, path } = DOUBLES[provider];
  const answer = await app.request({
    route: 'POST /api_tokens/provision_user',
    json: {
      email: ADA,
      git_provider_em: provider,
      git_provider_token: account.token,
      entity_slug: 'acme',
      endpoint_url: `${doubles.get(provider)!.address}${path}`,
      git_provider_organization: account.organization_name,
      git_provider_token_expires_at: '2030-01-01',
    },
  });
  expect(answer.status, answer.text).toBe(200);
}

type Connection = Awaited<ReturnType<typeof find>>;
const find = (provider: GitProvider) =>
  app.store.db
    .selectFrom('provider_connections')
    .selectAll()
    .where('git_provider_em', '=', provider)
    .executeTakeFirstOrThrow();

async function waitFor(provider: GitProvider, isReached: (connection: Connection) => boolean): Promise<Connection> {
  for (let round = 0; round < 400; round += 1) {
    const connection = await find(provider);
    if (isReached(connection)) return connection;
    await sleep(50);
  }
  throw new Error(`${provider}: ${JSON.stringify(await find(provider))}`);
}

const reposOf = (connection: Connection) =>
  app.store.db
    .selectFrom('provider_repos')
    .selectAll()
    .where('entity_id', '=', connection.entity_id)
    .where('connection_id', '=', connection.id)
    .orderBy('external_id')
    .execute();

test.each(GIT_PROVIDER_NAMES)('the repos of %s are listed in the background', async (provider) => {
  await provision(provider);
  const connection = await waitFor(provider, ({ repos_cached_at }) => repos_cached_at !== null);
  const { withRepos, repos } = DOUBLES[provider];
  const stored = (await reposOf(connection)).filter(({ organization_slug }) => organization_slug === withRepos);
  expect(stored.map((repo) => [repo.repo_slug, repo.default_branch, repo.is_private, repo.clone_url])).toEqual(repos);
  expect(connection.error_em).toBeNull();
});

test('what is gone from the host goes from the list', async () => {
  const before = await find('hostC');
  expect((await reposOf(before)).length).toBe(5);
  const double = doubles.get('hostC')!;
  double.instead = ({ path }) => (path.endsWith('/orgs/engines/repos') ? { body: [] } : null);
  await provision('hostC');
  const after = await waitFor('hostC', ({ repos_cached_at }) => repos_cached_at !== before.repos_cached_at);
  double.instead = null;
  expect((await reposOf(after)).map(({ repo_slug }) => repo_slug)).toEqual(['diary', 'sketches']);
});

test('a spent quota is noted, and the list is finished when it is filled again', async () => {
  const before = await find('hostD');
  const double = doubles.get('hostD')!;
  let refusals = 0;
  double.instead = ({ path }) => {
    // Of a group or person, which the job asks for; those of others are part of the request.
    if (!/\/(?:groups|users)\/[^/]+\/projects$/.test(path) || refusals > 0) return null;
    refusals += 1;
    return { status: 429, headers: { 'retry-after': '1' } };
  };
  await provision('hostD');
  const after = await waitFor('hostD', ({ repos_cached_at }) => repos_cached_at !== before.repos_cached_at);
  double.instead = null;
  expect([refusals, after.error_em]).toEqual([1, null]);
  expect(after.last_quota_exceeded_at).not.toBeNull();
});

test('a token that stops working is noted on the connection, and nothing is tried again', async () => {
  const double = doubles.get('hostB_server')!;
  await provision('hostB_server');
  await waitFor(
    'hostB_server',
    ({ repos_cached_at, verified_at }) => Date.parse(repos_cached_at ?? '') > Date.parse(verified_at ?? ''),
  );
  let isVerified = false;
  double.instead = ({ path }) => {
    if (isVerified) return { status: 401 };
    // the last question of the request
    if (path.endsWith('/projects')) return null;
    isVerified = true;
    return { status: 401 };
  };
  await provision('hostB_server');
  const connection = await waitFor('hostB_server', ({ error_em }) => error_em !== null);
  double.instead = null;
  expect(connection.error_em).toBe('rejected');
  expect((await reposOf(connection)).length).toBe(3);
  const { rows } = await app.store.pool.query(
    `select 1 from strata_queue.jobs where task_identifier = 'cache_provider_repos'`,
  );
  expect(rows).toEqual([]);
});

test('the worker logs no token', () => {
  const logged = lines.join('');
  expect(logged).toContain('listed the repos of a connection');
  for (const provider of GIT_PROVIDER_NAMES) expect(logged).not.toContain(DOUBLES[provider].account.token);
});
