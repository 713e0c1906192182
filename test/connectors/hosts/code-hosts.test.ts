// All six kinds of code hosts against servers on this machine that answer as the hosts document.
import { afterEach, describe, expect, test } from 'vitest';
import { createCodeHosts } from '../../../src/connectors/hosts/code-hosts.ts';
import {
  type CodeHost,
  GIT_PROVIDER_NAMES,
  type GitProvider,
  type HostAccount,
  HostError,
  type HostOrganization,
} from '../../../src/domain/repos/code-host.ts';
import type { DoubleAnswer, HostDouble } from '../../world/host-doubles/host-double.ts';
import { ADA, DOUBLES } from '../../world/host-doubles/index.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const hosts = createCodeHosts({ allowPrivate: true, now: () => NOW });
const open: HostDouble[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((double) => double.close()));
});

async function start(provider: GitProvider, change: Partial<HostAccount> = {}) {
  const kind = DOUBLES[provider];
  const double = await kind.start();
  open.push(double);
  const account = { provider, email: ADA, endpoint_url: `${double.address}${kind.path}/`, ...kind.account, ...change };
  return { kind, double, host: hosts.connect(account) };
}

async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

const never = (): AbortSignal => new AbortController().signal;

async function listAll(host: CodeHost, signal = never()): Promise<HostOrganization[]> {
  return collect(host.listOrganizations(await host.whoAmI(signal), signal));
}

async function failureOf(promise: Promise<unknown>): Promise<HostError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HostError);
  return error as HostError;
}

describe.each(GIT_PROVIDER_NAMES)('%s', (provider) => {
  test('says who the token belongs to', async () => {
    const { kind, host } = await start(provider);
    expect((await host.whoAmI(never())).user_name).toBe(kind.user);
  });

  test('lists the organizations of all pages', async () => {
    const { kind, double, host } = await start(provider);
    const organizations = await listAll(host);
    expect(organizations.map(({ slug }) => slug)).toEqual(kind.organizations);
    expect(organizations.every(({ external_id, name }) => external_id !== '' && name !== '')).toBe(true);
    // who, and at least two pages
    expect(double.exchanges.length).toBeGreaterThan(2);
  });

  test('lists the repos of an organization, without credentials in their addresses', async () => {
    const { kind, host } = await start(provider);
    const organization = (await listAll(host)).find(({ slug }) => slug === kind.withRepos)!;
    const repos = await collect(host.listRepos(organization, never()));
    expect(repos.map((repo) => [repo.slug, repo.default_branch, repo.is_private, repo.clone_url])).toEqual(kind.repos);
  });

  test('knows a token that is not accepted', async () => {
    const { host } = await start(provider, { token: 'not-the-token' });
    const error = await failureOf(listAll(host));
    expect(error.failure).toBe('rejected');
    expect(error.message).toContain('make a token with');
    expect(error.message).not.toContain('not-the-token');
  });

  const FAILURES: readonly [string, DoubleAnswer, HostError['failure']][] = [
    ['a missing scope', { status: 403, body: { message: 'insufficient_scope' } }, 'insufficient_scope'],
    ['too many requests', { status: 429, headers: { 'retry-after': '90' } }, 'rate_limited'],
    ['a fault of the host', { status: 503, body: '<html>sorry</html>' }, 'unreachable'],
    ['a page of another product', { body: '<html>welcome</html>' }, 'unexpected_answer'],
    ['JSON of another product', { body: { hello: 'world' } }, 'unexpected_answer'],
    ['a wrong path', { status: 404, body: {} }, 'unexpected_answer'],
    ['a redirect to elsewhere', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'unexpected_answer'],
  ];
  test.each(FAILURES)('tells %s', async (_, answer, failure) => {
    const { double, host } = await start(provider);
    double.instead = () => answer;
    const error = await failureOf(listAll(host));
    expect(error.failure).toBe(failure);
    if (failure === 'rate_limited') expect(error.retryAt).toEqual(new Date('2026-11-15T12:01:30Z'));
  });

  test('gives up on a host that does not answer', async () => {
    const { double, host } = await start(provider);
    double.instead = () => 'hang';
    expect((await failureOf(listAll(host, AbortSignal.timeout(100)))).failure).toBe('timeout');
  });

  test('tells a host that is not there', async () => {
    const { double, host } = await start(provider);
    await double.close();
    const error = await failureOf(listAll(host));
    expect([error.failure, error.message]).toEqual(['unreachable', expect.stringContaining('ECONNREFUSED')]);
  });

  test('stops when nobody waits any more', async () => {
    const { double, host } = await start(provider);
    double.instead = () => 'hang';
    const controller = new AbortController();
    const waiting = listAll(host, controller.signal);
    setTimeout(() => controller.abort(new Error('the client has gone')), 50);
    await expect(waiting).rejects.toThrow('the client has gone');
  });
});

test('GitHub answers 403 for a spent quota, and says when it is filled again', async () => {
  const { double, host } = await start('hostC');
  const reset = String(NOW.getTime() / 1000 + 600);
  double.instead = () => ({ status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } });
  const error = await failureOf(host.whoAmI(never()));
  expect([error.failure, error.retryAt]).toEqual(['rate_limited', new Date('2026-11-15T12:10:00Z')]);
});

test('a GitHub token whose scopes hide organizations is refused instead of listing half of them', async () => {
  const { double, host } = await start('hostC');
  double.instead = ({ path }) =>
    path === '/api/v3/user' ? { headers: { 'x-oauth-scopes': 'repo' }, body: { id: 41, login: 'ada' } } : null;
  const error = await failureOf(host.whoAmI(never()));
  expect([error.failure, error.message]).toEqual(['insufficient_scope', expect.stringContaining('needs read:org')]);
});

test('GitHub tells when the token ends', async () => {
  const { host } = await start('hostC');
  expect((await host.whoAmI(never())).token_expires_at).toEqual(new Date('2031-01-31T18:00:00Z'));
});

test('the personal repos of GitHub and GitLab are listed too', async () => {
  for (const provider of ['hostC', 'hostD'] as const) {
    const { host } = await start(provider);
    const own = (await listAll(host)).filter(({ is_personal }) => is_personal);
    expect(own.map(({ slug }) => slug)).toEqual(['ada']);
    expect((await collect(host.listRepos(own[0]!, never()))).map(({ slug }) => slug)).toEqual(['diary']);
  }
});

test.each([
  ['hostC', '42'],
  ['hostD', '942'],
  ['hostB', '{00000000-0000-4000-8000-000000000942}'],
] as const)('%s: a repo of somebody else that one collaborates on is listed under its owner', async (provider, id) => {
  const { host } = await start(provider);
  const owner = (await listAll(host)).find(({ slug }) => slug === 'babbage')!;
  expect(owner).toMatchObject({ external_id: id, is_personal: false });
  expect((await collect(host.listRepos(owner, never()))).map(({ slug }) => slug)).toEqual(['sketches']);
});

test('a project of GitLab that is shared with another group is listed in its own', async () => {
  const { host } = await start('hostD');
  const groups = await listAll(host);
  const slugsOf = async (group: string) =>
    (await collect(host.listRepos(groups.find(({ slug }) => slug === group)!, never()))).map(({ slug }) => slug);
  expect(await slugsOf('looms')).toEqual([]);
  expect(await slugsOf('engines')).toContain('manual');
});

test('Bitbucket may have no list across workspaces: those of the token are listed all the same', async () => {
  const { double, host } = await start('hostB');
  double.instead = ({ path }) => (path === '/repositories' ? { status: 410, body: {} } : null);
  expect((await listAll(host)).map(({ slug }) => slug)).toEqual(['engines', 'looms', 'mills']);
});

test('a next page on another host gets no token', async () => {
  const { double, host } = await start('hostB');
  const elsewhere = await DOUBLES.hostB.start();
  open.push(elsewhere);
  double.instead = ({ path }) =>
    path === '/user/workspaces' ? { body: { values: [], next: `${elsewhere.address}/user/workspaces?page=2` } } : null;
  expect((await failureOf(listAll(host))).failure).toBe('unexpected_answer');
  expect(elsewhere.exchanges).toEqual([]);
});

test('an anonymous answer of Bitbucket Data Center or Azure DevOps is no accepted token', async () => {
  const server = await start('hostB_server');
  server.double.instead = () => ({ body: { values: [], isLastPage: true } });
  expect((await failureOf(server.host.whoAmI(never()))).failure).toBe('rejected');
  const azure = await start('devops_suite');
  azure.double.instead = () => ({ body: { authenticatedUser: { id: 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa' } } });
  expect((await failureOf(azure.host.whoAmI(never()))).failure).toBe('rejected');
});

test('an Azure organization of another tenant is refused', async () => {
  const { host } = await start('devops_suite', { tenant_id: '99999999-2222-3333-4444-555555555555' });
  const error = await failureOf(host.whoAmI(never()));
  expect([error.failure, error.message]).toEqual(['rejected', expect.stringContaining('another tenant')]);
});

test.each([
  ['an API token goes with the e-mail address', 'ATATTx1', `Basic ${btoa(`${ADA}:ATATTx1`)}`],
  ['an app password comes with its user', 'ada:secret', `Basic ${btoa('ada:secret')}`],
  ['an access token stands alone', 'ATCTTx1', 'Bearer ATCTTx1'],
])('Bitbucket: %s', async (_, token, expected) => {
  const { double, host } = await start('hostB', { token });
  await failureOf(host.whoAmI(never()));
  expect(double.exchanges[0]?.request.headers.authorization).toBe(expected);
});
