// POST /api_tokens/provision_user against code hosts on this machine: who may, what is stored, how refusals
// read, and that no secret leaves.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCodeHosts } from '../../../../src/connectors/hosts/code-hosts.ts';
import { GIT_PROVIDER_NAMES, GIT_PROVIDERS, type GitProvider } from '../../../../src/domain/repos/code-host.ts';
import { connectionSecretContext } from '../../../../src/storage/repos/provider-connections.ts';
import { createTestApp, type TestApp, testSecrets } from '../../../support/app.ts';
import type { HostDouble } from '../../../world/host-doubles/host-double.ts';
import { ADA, DOUBLES } from '../../../world/host-doubles/index.ts';

const ROUTE = 'POST /api_tokens/provision_user';
const NOW = new Date('2026-11-15T12:00:00Z');

let app: TestApp;
const doubles = new Map<GitProvider, HostDouble>();
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW, parts: () => ({ verificationMilliseconds: 1_500 }) });
  for (const provider of GIT_PROVIDER_NAMES) doubles.set(provider, await DOUBLES[provider].start());
});
afterAll(() => Promise.all([...doubles.values()].map((double) => double.close())));

/** Right parameters for a kind of host. */
function right(provider: GitProvider, change: Record<string, unknown> = {}): Record<string, unknown> {
  const { account, path } = DOUBLES[provider];
  return {
    email: ADA,
    git_provider_em: provider,
    git_provider_token: account.token,
    endpoint_url: `${doubles.get(provider)!.address}${path}`,
    entity_slug: 'acme',
    ...(account.organization_name === null
      ? {}
      : {
          git_provider_organization: account.organization_name,
          git_provider_token_expires_at: '2027-06-01T00:00:00Z',
        }),
    ...change,
  };
}

const provision = (json: Record<string, unknown>, token: string = app.tokens.admin) =>
  app.request({ route: ROUTE, json, token });

const connections = (email = ADA) =>
  app.store.db
    .selectFrom('provider_connections')
    .innerJoin('users', 'users.id', 'provider_connections.user_id')
    .innerJoin('entities', 'entities.id', 'provider_connections.entity_id')
    .selectAll('provider_connections')
    .select(['users.full_name', 'users.avatar_url', 'entities.slug as entity'])
    .where('users.email', '=', email)
    .orderBy('provider_connections.id')
    .execute();

async function jobCount(connectionId: number): Promise<number> {
  const { rows } = await app.store.pool.query(
    `select 1 from strata_queue.jobs where key like 'cache_provider_repos:%:' || $1`,
    [connectionId],
  );
  return rows.length;
}

describe.each(GIT_PROVIDER_NAMES)('%s', (provider) => {
  const email = `${provider.toLowerCase()}@example.com`;

  test('is connected after the host has been asked', async () => {
    // Bitbucket knows its users by their address.
    const address = provider === 'hostB' ? ADA : email;
    const answer = await provision(right(provider, { email: address, user_name: 'Ada' }));
    const { organizations, account } = DOUBLES[provider];
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      action_em: 'action_provision_user',
      response_em: 'response_success',
      response_detail: expect.stringContaining(`Retrieved ${organizations.length} organizations`),
    });
    const [stored] = await connections(address);
    expect(stored).toMatchObject({ git_provider_em: provider, entity: 'acme', error_em: null, full_name: 'Ada' });
    expect(stored?.verified_at).toBe('2026-11-15T12:00:00Z');
    const { entity_id, user_id, token_sealed, id } = stored!;
    expect(testSecrets.open(token_sealed, connectionSecretContext(entity_id, user_id, provider))).toBe(account.token);
    const seen = await app.store.db
      .selectFrom('provider_organizations')
      .select('slug')
      .where('connection_id', '=', id)
      .execute();
    expect(seen.map(({ slug }) => slug).sort()).toEqual([...organizations].sort());
    expect(await jobCount(id)).toBe(1);
  });

  test('answers to the name of the product', async () => {
    const address = provider === 'hostB' ? ADA : email;
    const answer = await provision(
      right(provider, { email: address, git_provider_em: GIT_PROVIDERS[provider].alias.toUpperCase() }),
    );
    expect(answer.status, answer.text).toBe(200);
    expect((await connections(address)).map(({ git_provider_em }) => git_provider_em)).toEqual([provider]);
  });

  test('refuses a wrong token and says what to do', async () => {
    const answer = await provision(right(provider, { email: 'wrong@example.com', git_provider_token: 'wrong-token' }));
    expect([answer.status, answer.body.response_em]).toEqual([422, 'response_provider_rejected']);
    expect(answer.body.response_detail).toMatch(/make a token with .*; send it as git_provider_token$/);
    expect(Object.keys(answer.body.errors as object)).toEqual(['git_provider_token']);
    expect(answer.text).not.toContain('wrong-token');
    expect(await connections('wrong@example.com')).toEqual([]);
  });

  test('is refused without what it needs, all at once', async () => {
    const { needs } = GIT_PROVIDERS[provider];
    if (needs.length === 0) return;
    const without = Object.fromEntries(needs.map((name) => [name, '']));
    const answer = await provision(right(provider, without));
    expect([answer.status, answer.body.response_em]).toEqual([422, 'response_invalid_parameter']);
    expect(Object.keys(answer.body.errors as object)).toEqual([...needs]);
  });
});

test('a repeated call with a new token replaces the old one', async () => {
  const double = doubles.get('hostC')!;
  const email = 'rotating@example.com';
  expect((await provision(right('hostC', { email }))).status).toBe(200);
  const [before] = await connections(email);
  double.instead = ({ path, headers }) =>
    headers.authorization?.endsWith('second-token') !== true
      ? { status: 401 }
      : path.endsWith('/user')
        ? { body: { id: 41, login: 'ada' } }
        : { body: [] };
  const answer = await provision(right('hostC', { email, git_provider_token: 'second-token' }));
  double.instead = null;
  expect(answer.body.response_detail).toContain('Retrieved 1 organization from');
  const after = await connections(email);
  expect(after.map(({ id }) => id)).toEqual([before!.id]);
  const context = connectionSecretContext(after[0]!.entity_id, after[0]!.user_id, 'hostC');
  expect(testSecrets.open(after[0]!.token_sealed, context)).toBe('second-token');
  expect(await jobCount(before!.id)).toBe(1);
});

test('aliases and form encoding work, and a known user keeps name and picture', async () => {
  const { account, path } = DOUBLES.devops_suite_on_prem;
  const form = (name: string) =>
    new URLSearchParams({
      email: 'Grace@Example.com',
      git_provider_em: 'azure_devops_server',
      git_provider_token: account.token,
      organization_name: 'contoso',
      token_expires_at: 'June 1, 2027',
      git_provider_endpoint_url: `${doubles.get('devops_suite_on_prem')!.address}${path}`,
      entity_slug: 'ACME',
      user_name: name,
      avatar_url: `https://pictures.example.com/${encodeURIComponent(name)}.png`,
    }).toString();
  for (const name of ['Grace', 'Somebody else']) {
    expect((await app.request({ route: ROUTE, form: form(name) })).status).toBe(200);
  }
  expect(await connections('grace@example.com')).toMatchObject([
    {
      full_name: 'Grace',
      avatar_url: 'https://pictures.example.com/Grace.png',
      organization_name: 'contoso',
      token_expires_at: '2027-06-01T00:00:00Z',
    },
  ]);
});

describe('who may provision where', () => {
  const status = async (token: string, entity_slug?: string) =>
    (await provision(right('hostC', { email: 'roles@example.com', entity_slug }), token)).status;

  test('an admin into the own entity; manager and member may not', async () => {
    expect(await status(app.tokens.admin, 'acme')).toBe(200);
    expect(await status(app.tokens.manager, 'acme')).toBe(403);
    expect(await status(app.tokens.member, 'acme')).toBe(403);
  });

  test('nobody but a super admin elsewhere, whether it exists or not', async () => {
    const before = doubles.get('hostC')!.exchanges.length;
    for (const slug of ['other', 'never-existed', undefined]) {
      for (const role of ['admin', 'manager', 'member'] as const)
        expect(await status(app.tokens[role], slug)).toBe(403);
    }
    const texts = await Promise.all(
      ['other', 'never-existed'].map(async (entity_slug) => (await provision(right('hostC', { entity_slug }))).text),
    );
    expect(texts[0]).toBe(texts[1]);
    // refused before the host is asked
    expect(doubles.get('hostC')!.exchanges.length).toBe(before);
  });

  test('a provisioned user is a member, and keeps a role that is higher', async () => {
    await provision(right('hostC', { email: 'fresh@example.com' }));
    await provision(right('hostC', { email: 'manager@example.com' }));
    const users = await app.operations.users.list('operator', { entity: 'acme' });
    const role = (email: string) => users.find((user) => user.email === email)?.memberships[0]?.role;
    expect([role('fresh@example.com'), role('manager@example.com')]).toEqual(['member', 'manager']);
  });

  test('a super admin makes an entity that is missing, and gets a token that works there', async () => {
    const answer = await provision(
      right('hostC', { email: 'founder@example.com', entity_slug: 'Fresh-Works' }),
      app.tokens.superAdmin,
    );
    expect(answer.body).toMatchObject({ entity_slug: 'fresh-works', api_token: expect.stringMatching(/^strata_/) });
    const tokenStatus = await app.request({ route: 'GET /api_tokens', token: String(answer.body.api_token) });
    expect(tokenStatus.body.response_detail).toContain('fresh-works with the rights of the role admin');
    const again = await provision(
      right('hostC', { email: 'second@example.com', entity_slug: 'fresh-works' }),
      app.tokens.superAdmin,
    );
    expect(again.body.api_token).not.toBe(answer.body.api_token);
    const second = await app.request({ route: 'GET /api_tokens', token: String(again.body.api_token) });
    expect(second.body.response_detail).toContain('the role member');
  });

  test('a super admin in the own entity gets no token', async () => {
    const answer = await provision(right('hostC', { email: 'inside@example.com' }), app.tokens.superAdmin);
    expect(Object.keys(answer.body).sort()).toEqual(['action_em', 'response_detail', 'response_em']);
  });

  test('without a slug the user gets an entity, the same one at every call', async () => {
    const call = (email: string) =>
      provision(right('hostC', { email, entity_slug: '' }), app.tokens.superAdmin).then(({ body }) => body.entity_slug);
    expect(await call('Charles.Babbage+x@example.com')).toBe('charles.babbage-x');
    expect(await call('charles.babbage+x@example.com')).toBe('charles.babbage-x');
    // taken by somebody else
    expect(await call('acme@example.com')).toBe('acme-2');
  });

  test('a user of several entities must be placed by name', async () => {
    await app.operations.users.create('operator', { email: 'both@example.com', entity: 'acme' });
    await app.operations.users.create('operator', { email: 'both@example.com', entity: 'other' });
    const answer = await provision(
      right('hostC', { email: 'both@example.com', entity_slug: undefined }),
      app.tokens.superAdmin,
    );
    expect([answer.status, answer.body.response_detail]).toEqual([422, expect.stringContaining('acme, other')]);
  });

  test('two calls at once make one user and one entity', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        provision(right('hostC', { email: 'twin@example.com', entity_slug: undefined }), app.tokens.superAdmin),
      ),
    );
    expect(answers.map(({ body }) => body.entity_slug)).toEqual(['twin', 'twin', 'twin']);
    expect((await connections('twin@example.com')).length).toBe(1);
  });

  test('a slug that cannot be one is refused', async () => {
    const answer = await provision(right('hostC', { entity_slug: '-no-' }), app.tokens.superAdmin);
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([400, ['entity_slug']]);
  });
});

describe('refusals', () => {
  test('an address that leads nowhere', async () => {
    const answer = await provision(right('hostC', { endpoint_url: 'https://nowhere.example.com' }));
    expect([answer.status, answer.body.response_em]).toEqual([422, 'response_provider_unreachable']);
    expect(answer.body.response_detail).toContain('nowhere.example.com cannot be reached (ENOTFOUND)');
    expect(Object.keys(answer.body.errors as object)).toEqual(['endpoint_url']);
  });

  test('an address in a private network, unless the operator allows it', async () => {
    const codeHosts = createCodeHosts({ allowPrivate: false, now: () => NOW });
    const strict = await createTestApp({ now: () => NOW, parts: () => ({ codeHosts }) });
    const before = doubles.get('hostC')!.exchanges.length;
    const { port } = new URL(doubles.get('hostC')!.address);
    for (const endpoint_url of [`https://127.0.0.1:${port}`, `https://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      const answer = await strict.request({ route: ROUTE, json: right('hostC', { endpoint_url }) });
      expect([answer.status, answer.body.response_em]).toEqual([422, 'response_provider_unreachable']);
      expect(answer.body.response_detail).toMatch(/allow_private_addresses|without encryption/);
    }
    expect(doubles.get('hostC')!.exchanges.length).toBe(before);
    await strict.close();
  });

  test('a host that is slow is given up within the limit', async () => {
    const double = doubles.get('hostD')!;
    double.instead = () => 'hang';
    const startedAt = performance.now();
    const answer = await provision(right('hostD', { email: 'slow@example.com' }));
    double.instead = null;
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    expect([answer.status, answer.body.response_em]).toEqual([422, 'response_provider_unreachable']);
    expect(answer.body.response_detail).toMatch(
      /did not answer in time; check endpoint_url, or repeat the call later$/,
    );
    expect(await connections('slow@example.com')).toEqual([]);
  });

  test('a host that becomes slow after the first page has confirmed the token', async () => {
    const double = doubles.get('hostD')!;
    double.instead = ({ query }) => (query.get('page') === '2' ? 'hang' : null);
    const answer = await provision(right('hostD', { email: 'many@example.com' }));
    double.instead = null;
    expect(answer.body.response_detail).toContain('Retrieved at least 3 organizations');
  });

  test('a host that counts requests', async () => {
    const double = doubles.get('hostD')!;
    double.instead = () => ({ status: 429, headers: { 'retry-after': '30' } });
    const answer = await provision(right('hostD', { email: 'quota@example.com' }));
    double.instead = null;
    expect([answer.status, answer.body.response_em]).toEqual([422, 'response_provider_quota']);
    expect(answer.headers['retry-after']).toBe('30');
    expect(answer.body.response_detail).toMatch(/GitLab accepts no more requests .* for 30 seconds; repeat/);
  });

  test('a token without a right that is needed, and an address that speaks another API', async () => {
    const double = doubles.get('hostD')!;
    double.instead = () => ({ status: 403 });
    const scope = await provision(right('hostD', { email: 'scope@example.com' }));
    double.instead = () => ({ status: 404, body: '<h1>Shop</h1>' });
    const mismatch = await provision(right('hostD', { email: 'shop@example.com' }));
    double.instead = () => ({ status: 503 });
    const down = await provision(right('hostD', { email: 'down@example.com' }));
    double.instead = null;
    expect([scope, mismatch, down].map(({ status, body }) => [status, body.response_em])).toEqual([
      [422, 'response_provider_scope'],
      [422, 'response_provider_mismatch'],
      [422, 'response_provider_unreachable'],
    ]);
  });

  test('a token with a line break, and an organization that climbs out of its path', async () => {
    const header = await provision(right('hostC', { git_provider_token: 'a\r\nx-evil: 1' }));
    expect([header.status, Object.keys(header.body.errors as object)]).toEqual([400, ['git_provider_token']]);
    expect(header.text).not.toContain('x-evil');
    const path = await provision(right('devops_suite', { git_provider_organization: '../admin' }));
    expect([path.status, Object.keys(path.body.errors as object)]).toEqual([400, ['git_provider_organization']]);
  });

  test('a token that has expired, and a warning for one that soon will', async () => {
    const late = await provision(
      right('devops_suite', { token_expires_at: '', git_provider_token_expires_at: '2026-11-01' }),
    );
    expect([late.status, late.body.response_em]).toEqual([422, 'response_unprocessable']);
    const soon = await provision(right('devops_suite', { git_provider_token_expires_at: '2026-11-18T00:00:00Z' }));
    expect(soon.body.warnings).toEqual([expect.stringContaining('expires at 2026-11-18T00:00:00.000Z')]);
  });

  test('GitHub’s own word on the end of the token is kept', async () => {
    await provision(right('hostC', { email: 'expiry@example.com' }));
    expect((await connections('expiry@example.com'))[0]?.token_expires_at).toBe('2031-01-31T18:00:00Z');
  });
});

test('whatever is sent, the answer is no fault of the service', async () => {
  const double = doubles.get('hostC')!;
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('..', '../x', '{org}', '%2e%2e', 'a\r\nb: c'),
  );
  const address = fc.oneof(
    fc.constantFrom('', '/', '/{x}', '/%zz', '/a/../..', '/api/v3', '?q=1#f').map((path) => `${double.address}${path}`),
    fc.webUrl(),
    text,
  );
  const request = fc.record(
    {
      email: fc.oneof(fc.emailAddress(), text),
      git_provider_em: fc.constantFrom(...GIT_PROVIDER_NAMES),
      git_provider_token: fc.oneof(fc.constantFrom(DOUBLES.hostC.account.token, 'user:pass', 'ATATTx'), text),
      endpoint_url: address,
      entity_slug: fc.oneof(fc.constantFrom('acme', 'ACME', '__proto__'), text),
      user_name: text,
      avatar_url: fc.webUrl(),
      git_provider_organization: fc.oneof(fc.constantFrom('contoso', 'a b'), text),
      git_provider_token_expires_at: fc.constantFrom('2027-01-01', '2026-11-16'),
      tenant_id: text,
    },
    { requiredKeys: ['email', 'git_provider_em', 'git_provider_token', 'endpoint_url'] },
  );
  await fc.assert(
    fc.asyncProperty(request, async (json) => {
      const answer = await provision(json, app.tokens.superAdmin);
      expect(answer.status, answer.text).toBeLessThan(500);
    }),
    { numRuns: Number(process.env.STRATA_FUZZ_RUNS ?? 300) },
  );
}, 120_000);

test('no token of a code host, and no API token, is logged or stored readably', async () => {
  const logged = app.logged();
  expect(logged.length).toBeGreaterThan(1000);
  const secrets = [...GIT_PROVIDER_NAMES.map((name) => DOUBLES[name].account.token), 'second-token', 'wrong-token'];
  for (const secret of secrets) {
    expect(logged).not.toContain(secret);
    expect(logged).not.toContain(Buffer.from(secret).toString('base64'));
    expect(logged).not.toContain(Buffer.from(`:${secret}`).toString('base64'));
  }
  expect(logged).not.toMatch(/strata_[A-Za-z0-9_-]{43}/);
  const { rows } = await app.store.pool.query<{ text: string }>(
    `select coalesce(string_agg(c::text, ' '), '') as text from provider_connections c`,
  );
  const jobs = await app.store.pool.query<{ text: string }>(
    `select coalesce(string_agg(j::text, ' '), '') as text from strata_queue._private_jobs j`,
  );
  expect(rows[0]!.text).toContain('hostC');
  for (const secret of secrets) {
    expect(rows[0]!.text).not.toContain(Buffer.from(secret).toString('hex'));
    expect(`${rows[0]!.text}${jobs.rows[0]!.text}`).not.toContain(secret);
  }
});
