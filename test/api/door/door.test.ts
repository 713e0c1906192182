// The door of the dashboard, and whoever tries to get past it.
import { beforeAll, describe, expect, test } from 'vitest';
import { LINK_MS, SESSION_IDLE_MS, SESSION_MS } from '../../../src/domain/access/sign-in.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { type Answer, createTestApp, type TestApp } from '../../support/app.ts';

const PASSWORD = 'seven blue elephants';
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

let app: TestApp;
let time = Date.parse('2026-10-01T08:00:00Z');
let elapsed = 0;
/** Further than the caches remember. */
const pass = (milliseconds: number): void => {
  time += milliseconds;
  elapsed += Math.max(milliseconds, 10_000);
};

beforeAll(async () => {
  app = await createTestApp({
    now: () => new Date(time),
    parts: () => ({ elapsedMs: () => elapsed, door: { passwordCost: { ln: 12, r: 8, p: 1 } } }),
  });
});

const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';', 1)[0]!;
const keyFor = async (email: string): Promise<string> => (await app.operations.signIn.makeLink(OPERATOR, email)).key;

const byLink = (key: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.request({ route: 'POST /sessions/by_link', token: null, json: { key }, headers });
const byPassword = (email: string, password: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.request({ route: 'POST /sessions/by_password', token: null, json: { email, password }, headers });

async function signIn(email: string): Promise<string> {
  const answer = await byLink(await keyFor(email));
  expect(answer.status, answer.text).toBe(200);
  return cookieOf(answer);
}

interface Call {
  readonly json?: unknown;
  readonly query?: string;
  readonly form?: string;
  readonly headers?: Record<string, string>;
}
/** As the page calls. */
const call = (cookie: string, route: string, { headers = OWN_PAGE, ...rest }: Call = {}): Promise<Answer> =>
  app.request({ route, token: null, headers: { cookie, ...headers }, ...rest });
const statusOf = async (cookie: string, route = 'GET /me'): Promise<number> => (await call(cookie, route)).status;

describe('a sign-in link', () => {
  test('begins a session of its user', async () => {
    const answer = await byLink(await keyFor('member@example.com'));
    expect(answer.body).toMatchObject({ entity: 'acme', page: '/e/acme/overview', needs_password: true });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^strata_0=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    );
    expect(answer.text).not.toContain(cookieOf(answer).split('=')[1]);
    const me = await call(cookieOf(answer), 'GET /me');
    expect(me.body).toMatchObject({
      user: { email: 'member@example.com', has_password: false },
      credential: { kind: 'session' },
      entities: [{ slug: 'acme', role: 'member' }],
    });
    const { may } = (me.body.entities as { may: string[] }[])[0]!;
    expect(may).toContain('GET /reports');
    expect(may).not.toContain('POST /tokens');
  });

  test('works once, also for two who come at the same moment', async () => {
    const key = await keyFor('member@example.com');
    const answers = await Promise.all([byLink(key), byLink(key), byLink(key)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await byLink(key)).headers['set-cookie']).toBeUndefined();
  });

  test('ends after ten minutes, and a made-up key opens nothing', async () => {
    const key = await keyFor('member@example.com');
    pass(LINK_MS);
    expect((await byLink(key)).status).toBe(401);
    for (const wrong of ['x', 'A'.repeat(43), `${key}A`, key.slice(0, 42)])
      expect((await byLink(wrong)).status).toBe(401);
  });

  test('is in no log, nor is the session', async () => {
    const key = await keyFor('member@example.com');
    const cookie = cookieOf(await byLink(key));
    await call(cookie, 'GET /me');
    expect(app.logged()).not.toContain(key);
    expect(app.logged()).not.toContain(cookie.split('=')[1]);
  });
});

describe('a session', () => {
  test('is listed, ended from elsewhere, and signed out of', async () => {
    const [here, there] = [await signIn('manager@example.com'), await signIn('manager@example.com')];
    const { sessions } = (await call(here, 'GET /sessions')).body as {
      sessions: { id: number; is_current: boolean }[];
    };
    expect(sessions.map(({ is_current }) => is_current).sort()).toEqual([false, true]);
    const other = sessions.find(({ is_current }) => !is_current)!;
    expect((await call(here, `DELETE /sessions/${other.id}`)).status).toBe(200);
    expect(await statusOf(there)).toBe(401);
    const out = await call(here, 'DELETE /sessions/current');
    expect([out.status, out.headers['clear-site-data']]).toEqual([200, '"cache"']);
    expect(String(out.headers['set-cookie'])).toMatch(/^strata_0=; .*Max-Age=0/);
    expect(await statusOf(here)).toBe(401);
  });

  test('of somebody else cannot be ended', async () => {
    const [mine, theirs] = [await signIn('member@example.com'), await signIn('admin@example.com')];
    const { sessions } = (await call(theirs, 'GET /sessions')).body as { sessions: { id: number }[] };
    for (const { id } of sessions) expect((await call(mine, `DELETE /sessions/${id}`)).status).toBe(404);
    expect(await statusOf(theirs)).toBe(200);
  });

  test('is neither listed nor ended by a token of its user, which somebody else may have made', async () => {
    const cookie = await signIn('member@example.com');
    const { sessions } = (await call(cookie, 'GET /sessions')).body as { sessions: { id: number }[] };
    const byToken = (route: string) => app.request({ route, token: app.tokens.member });
    expect((await byToken('GET /sessions')).body.sessions).toEqual([]);
    for (const { id } of sessions) expect((await byToken(`DELETE /sessions/${id}`)).status).toBe(404);
    expect(await statusOf(cookie)).toBe(200);
  });

  test('ends after two weeks without use and after 30 days in all', async () => {
    const idle = await signIn('member@example.com');
    pass(SESSION_IDLE_MS + 1);
    expect(await statusOf(idle)).toBe(401);
    const busy = await signIn('member@example.com');
    for (let day = 0; day < 29; day += 10) {
      pass(10 * 24 * 3_600_000 - 60_000);
      expect(await statusOf(busy), `day ${day}`).toBe(200);
      await call(busy, 'GET /sessions'); // writes when it was last used
    }
    pass(SESSION_MS - 3 * (10 * 24 * 3_600_000 - 60_000));
    expect(await statusOf(busy)).toBe(401);
  });

  test('ends when its user gets another role, loses it or is removed', async () => {
    const { id } = await app.operations.users.create(OPERATOR, { email: 'eve@example.com', entity: 'acme' });
    const send = (route: string, json?: unknown) =>
      app.request({ route, token: app.tokens.superAdmin, ...(json === undefined ? {} : { json }) });
    const steps: (() => Promise<Answer>)[] = [
      () => send(`PUT /users/${id}`, { role: 'manager' }),
      () => send(`DELETE /users/${id}/role`),
    ];
    for (const step of steps) {
      const cookie = await signIn('eve@example.com');
      expect(await statusOf(cookie)).toBe(200);
      expect((await step()).status).toBe(200);
      expect(await statusOf(cookie)).toBe(401);
    }
    // Without a role the door stays closed.
    expect((await byLink(await keyFor('eve@example.com'))).status).toBe(403);
    expect((await send(`DELETE /users/${id}`)).status).toBe(200);
    await expect(keyFor('eve@example.com')).rejects.toThrow('is unknown');
  });

  test('has a limit of its own, and a token in the header wins', async () => {
    const cookie = await signIn('member@example.com');
    expect(Number((await call(cookie, 'GET /me')).headers['x-ratelimit-limit'])).toBeGreaterThanOrEqual(3000);
    const both = await app.request({ route: 'GET /me', token: app.tokens.admin, headers: { cookie } });
    expect(both.body).toMatchObject({ user: { email: 'admin@example.com' }, credential: { kind: 'token' } });
    const wrong = await app.request({ route: 'GET /me', token: `strata_${'x'.repeat(43)}`, headers: { cookie } });
    expect(wrong.status).toBe(401);
  });

  test('acts in every entity where its user has a role, and in no other', async () => {
    await app.operations.users.create(OPERATOR, { email: 'two@example.com', entity: 'acme', role: 'member' });
    await app.operations.users.create(OPERATOR, { email: 'two@example.com', entity: 'other', role: 'admin' });
    const cookie = await signIn('two@example.com');
    const list = async (entity: string) =>
      (await call(cookie, 'GET /tokens', { query: `resource_path=${entity}` })).status;
    expect([await list('acme'), await list('other'), await list('OTHER'), await list('never-was')]).toEqual([
      403, 200, 200, 404,
    ]);
    const single = await signIn('member@example.com');
    for (const path of ['other', 'other/shop', 'other/shop/web', '../other', 'acme,other']) {
      const query = `resource_path=${encodeURIComponent(path)}`;
      expect([400, 404]).toContain((await call(single, 'GET /reports', { query })).status);
    }
  });
});

describe('session fixation', () => {
  test('a secret that somebody planted before is not taken over', async () => {
    const planted = `strata_0=${'F'.repeat(43)}`;
    const answer = await byLink(await keyFor('member@example.com'), { cookie: planted });
    expect(cookieOf(answer)).not.toBe(planted);
    expect(await statusOf(planted)).toBe(401);
  });

  test('signing in again gives another secret and ends the one before', async () => {
    const first = await signIn('member@example.com');
    const second = cookieOf(await byLink(await keyFor('admin@example.com'), { cookie: first }));
    expect(second).not.toBe(first);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  });
});

describe('DNS rebinding', () => {
  const answerFor = async (host: string, route: string) =>
    (await app.request({ route, token: app.tokens.admin, headers: { host } })).status;

  test.each(['evil.example', 'evil.example:7080', 'localhost.evil.example', '127.0.0.1.evil.example', 'a@b'])(
    'the name %o is not ours, at any address',
    async (host) => {
      for (const route of [
        'GET /me',
        'GET //',
        'GET //e/acme/overview',
        'GET //docs',
        'GET //healthz',
        'GET //nowhere',
      ]) {
        expect(await answerFor(host, route), route).toBe(421);
      }
    },
  );

  test('addresses, localhost and names that were set are ours', async () => {
    const open = await createTestApp({
      settings: { public_url: 'https://strata.example.org/', allowed_hosts: ['strata.internal'] },
    });
    const hosts = [
      '127.0.0.1:7080',
      '[::1]:7080',
      '10.0.0.7',
      'localhost',
      'a.localhost:1',
      'STRATA.example.org',
      'strata.internal:80',
    ];
    for (const host of hosts) {
      const answer = await open.request({ route: 'GET /me', headers: { host } });
      expect(answer.status, host).toBe(200);
    }
    await open.close();
  });
});

describe('a request from a page of another site', () => {
  const forged: Record<string, Record<string, string>> = {
    'with its origin': { origin: 'https://evil.example' },
    'with an origin of no site': { origin: 'null' },
    'from another site': { 'sec-fetch-site': 'cross-site' },
    'from another name of the site': { 'sec-fetch-site': 'same-site', origin: 'http://localhost:80' },
    'that says nothing': {},
    'with an origin that only looks ours': { origin: 'http://localhost.evil.example' },
    'from another port': { origin: 'http://localhost:9999' },
  };

  test.each(Object.keys(forged))('%s changes nothing', async (name) => {
    const cookie = await signIn('admin@example.com');
    for (const body of [{ form: 'name=forged' }, { json: { name: 'forged' } }]) {
      const answer = await call(cookie, 'POST /tokens', { ...body, headers: forged[name]! });
      expect([answer.status, answer.body.response_em]).toEqual([403, 'response_forbidden']);
    }
    const { status } = await call(cookie, 'DELETE /sessions/current', { headers: forged[name]! });
    expect(status).toBe(403);
    expect(await statusOf(cookie)).toBe(200);
  });

  test('signs nobody in', async () => {
    for (const headers of [forged['with its origin']!, forged['from another site']!]) {
      expect((await byLink(await keyFor('member@example.com'), headers)).status).toBe(403);
    }
  });

  test('is not helped by a form from our own page, which is refused as such', async () => {
    const cookie = await signIn('admin@example.com');
    expect((await call(cookie, 'POST /tokens', { form: 'name=a' })).status).toBe(415);
    const own = { origin: 'http://localhost:80' };
    expect((await call(cookie, 'POST /tokens', { json: { name: 'a' }, headers: own })).status).toBe(200);
  });
});

describe('a password', () => {
  const set = (cookie: string, json: unknown) => call(cookie, 'PUT /me/password', { json });

  test('is refused when it is short, common, a row, or one’s own address', async () => {
    const cookie = await signIn('admin@example.com');
    for (const password of [
      'short',
      'Password1234!',
      'passwordpassword',
      '123456789012',
      'zyxwvutsrqpo',
      'aaaaaaaaaaaaaaaa',
      'P@ssw0rd2026!!',
      'qwertyuiop123',
      'admin@example.com',
      'administrator1',
      'LetMeIn!!!!2026',
      'correcthorsebatterystaple',
    ]) {
      const answer = await set(cookie, { password });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], password).toEqual([422, ['password']]);
    }
  });

  test('signs in; a new one needs the old one and ends other sessions', async () => {
    const cookie = await signIn('admin@example.com');
    expect((await set(cookie, { password: PASSWORD })).status).toBe(200);
    const other = cookieOf(await byPassword('Admin@Example.com', PASSWORD));
    expect(await statusOf(other)).toBe(200);
    pass(LINK_MS + 1);
    expect((await set(cookie, { password: 'nine green giraffes' })).status).toBe(422);
    expect((await set(cookie, { password: 'nine green giraffes', current_password: 'no' })).status).toBe(422);
    expect((await set(cookie, { password: 'nine green giraffes', current_password: PASSWORD })).status).toBe(200);
    expect([await statusOf(cookie), await statusOf(other)]).toEqual([200, 401]);
    expect((await byPassword('admin@example.com', PASSWORD)).status).toBe(401);
    const stored = await app.store.pool.query('select phc from passwords');
    expect(stored.rows[0].phc).toMatch(/^\$scrypt\$ln=12,r=8,p=1\$/);
  });

  test('cannot be guessed: after ten tries even the right one waits', async () => {
    pass(15 * 60_000);
    const headers = { 'x-forwarded-for': '203.0.113.9' }; // ignored: nobody said that a proxy is in front
    for (let turn = 0; turn < 10; turn += 1) {
      const answer = await byPassword('admin@example.com', `guess number ${turn}`, headers);
      expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
    }
    const right = await byPassword('admin@example.com', 'nine green giraffes', headers);
    expect([right.status, Number(right.headers['retry-after']) > 0]).toEqual([429, true]);
    pass(15 * 60_000);
    expect((await byPassword('admin@example.com', 'nine green giraffes')).status).toBe(200);
  });

  test('that is right is no try: many sign in from one address, and often', async () => {
    pass(15 * 60_000);
    for (let turn = 0; turn < 12; turn += 1)
      expect((await byPassword('admin@example.com', 'nine green giraffes')).status).toBe(200);
    for (let turn = 0; turn < 10; turn += 1) expect((await byPassword('admin@example.com', 'no')).status).toBe(401);
    expect((await byPassword('admin@example.com', 'no')).status).toBe(429);
  });

  test('of somebody unknown is refused in the same words and after the same work', async () => {
    pass(15 * 60_000);
    const least = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    const texts = { known: '', unknown: '' };
    // Processor time, in turns: a busy machine hardly changes it.
    for (let turn = 0; turn < 5; turn += 1)
      for (const [who, email] of [
        ['known', 'admin@example.com'] as const,
        ['unknown', 'nobody@example.com'] as const,
      ]) {
        const before = process.cpuUsage();
        const answer = await byPassword(email, 'what might it be');
        least[who] = Math.min(least[who], process.cpuUsage(before).user);
        texts[who] = `${answer.status} ${answer.body.response_detail}`;
      }
    expect(texts.unknown).toBe(texts.known);
    expect(least.unknown).toBeGreaterThan(least.known / 2);
  });

  test('is not set by a token, which whoever made it may have', async () => {
    const made = await app.request({
      route: 'POST /tokens',
      token: app.tokens.admin,
      json: { resource_path: 'acme', user_email: 'member@example.com' },
    });
    const token = (made.body.token as { token: string }).token;
    const json = { password: 'a password that the admin knows' };
    expect((await app.request({ route: 'PUT /me/password', token, json })).status).toBe(403);
  });

  test('can be switched off', async () => {
    const closed = await createTestApp({ parts: () => ({ door: { hasPasswords: false } }) });
    const answer = await closed.request({ route: 'GET /sign_in_options', token: null });
    expect(answer.body.has_password_sign_in).toBe(false);
    const json = { email: 'admin@example.com', password: PASSWORD };
    expect((await closed.request({ route: 'POST /sessions/by_password', token: null, json })).status).toBe(401);
    const { key } = await closed.operations.signIn.makeLink(OPERATOR);
    expect((await closed.request({ route: 'POST /sessions/by_link', token: null, json: { key } })).status).toBe(200);
    await closed.close();
  });
});

describe('an invitation', () => {
  const invite = (json: unknown, token = app.tokens.admin) => app.request({ route: 'POST /invitations', token, json });
  const keyOf = ({ body }: Answer): string => new URL(String(body.link)).hash.slice(1);

  test('gives its role in its entity, once', async () => {
    const made = await invite({ email: 'New@Example.com', role: 'manager', full_name: 'New' });
    expect(made.body.link).toMatch(/^http:\/\/strata\.test\/invitation#[\w-]{43}$/);
    const answer = await byLink(keyOf(made));
    expect(answer.body).toMatchObject({ entity: 'acme', needs_password: true });
    const me = await call(cookieOf(answer), 'GET /me');
    expect(me.body).toMatchObject({
      user: { email: 'new@example.com' },
      entities: [{ slug: 'acme', role: 'manager' }],
    });
    expect((await byLink(keyOf(made))).status).toBe(401);
  });

  test.each([
    ['super@example.com', 'admin'],
    ['foreign@example.com', 'manager'],
  ])('is no key to the account of %s, who is %s from then on', async (email, role) => {
    const made = await invite({ email, role: 'manager', full_name: 'Another' });
    expect(made.status).toBe(200);
    const opened = await byLink(keyOf(made));
    expect(opened.status).toBe(403);
    expect(opened.body.response_detail).toMatch(/an invitation does not open: sign in as usual/);
    const users = await app.request({ route: 'GET /users', token: app.tokens.admin });
    const user = (users.body.users as { email: string; full_name: string | null; memberships: unknown[] }[]).find(
      (each) => each.email === email,
    );
    expect(user?.memberships).toEqual([{ entity: 'acme', role }]);
    expect(user?.full_name).not.toBe('Another');
  });

  test('is no key to an account that has got other rights since', async () => {
    const made = await invite({ email: 'rising@example.com' });
    await app.request({
      route: 'POST /users',
      token: app.tokens.foreignAdmin,
      json: { email: 'rising@example.com', resource_path: 'other' },
    });
    const refused = await byLink(keyOf(made));
    expect(refused.status).toBe(403);
    expect(refused.body.response_detail).toMatch(/an account with other rights, which an invitation does not open/);
  });

  test('gives whoever opened it nothing of what the person gets later', async () => {
    const made = await invite({ email: 'hijacked@example.com' });
    const cookie = cookieOf(await byLink(keyOf(made)));
    const password = 'a password of the admin who opened it';
    expect((await call(cookie, 'PUT /me/password', { json: { password } })).status).toBe(200);
    const joins = { email: 'hijacked@example.com', resource_path: 'other' };
    await app.request({ route: 'POST /users', token: app.tokens.foreignAdmin, json: joins });
    expect((await call(cookie, 'GET /me')).status).toBe(401);
    await app.operations.users.create(OPERATOR, { email: 'hijacked@example.com', is_super_admin: true });
    const json = { email: 'hijacked@example.com', password };
    expect((await app.request({ route: 'POST /sessions/by_password', token: null, json })).status).toBe(401);
  });

  test('raises nobody who has a role, is taken back, and replaced by the next', async () => {
    const raise = await invite({ email: 'member@example.com', role: 'admin' });
    const raised = await call(cookieOf(await byLink(keyOf(raise))), 'GET /me');
    expect(raised.body).toMatchObject({ entities: [{ role: 'member' }] });
    const first = await invite({ email: 'late@example.com' });
    const second = await invite({ email: 'late@example.com' });
    expect((await byLink(keyOf(first))).status).toBe(401);
    const { id } = second.body.invitation as { id: number };
    expect((await app.request({ route: `DELETE /invitations/${id}`, token: app.tokens.foreignAdmin })).status).toBe(
      404,
    );
    expect((await app.request({ route: `DELETE /invitations/${id}` })).status).toBe(200);
    expect((await byLink(keyOf(second))).status).toBe(401);
  });
});
