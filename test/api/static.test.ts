// The dashboard's files: where the page is shown, how its files are kept, and what browsers must not do with them.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readStaticPage } from '../../src/api/static.ts';
import { OPERATOR } from '../../src/operations/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

const HTML =
  '<!doctype html><html lang="en"><head><script src="/assets/main-AbC1.js"></script></head><body></body></html>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(3000))});`;

let app: TestApp;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-page-'));
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, 'index.html'), HTML);
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets', 'main-AbC1.js'), SCRIPT);
  writeFileSync(join(folder, '.vite', 'manifest.json'), '{}');
  app = await createTestApp({ page: readStaticPage(folder) });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.server.inject({ method: method as 'GET', url: path, headers });

test.each(['/', '/sign-in', '/sign-in/', '/invitation', '/e/acme', '/e/acme/s/none?range=90d', '/e/acme/r/a/b/-/x'])(
  '%s shows the page, which nobody may frame',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { statusCode, headers, body } = await get(path, {}, method);
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect([headers['x-frame-options'], headers['x-content-type-options']]).toEqual(['DENY', 'nosniff']);
      expect(body).toBe(method === 'GET' ? HTML : '');
    }
  },
);

test.each([
  '/e',
  '/nowhere',
  '/assets/other.js',
  '/.vite/manifest.json',
  '/index.html.br',
  '//evil.example/',
  '/e/../docs/x',
])('%s is not the page, and leads nowhere else', async (path) => {
  const { statusCode, headers, json } = await get(path);
  expect([statusCode, headers.location]).toEqual([404, undefined]);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(json()).toMatchObject({ response_em: 'response_not_found' });
});

test('who visits an address that leads nowhere gets the page, which says so; programs get the error', async () => {
  const visit = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  for (const path of ['/nope', '/e', '/nope/deeper?x=1']) {
    const { statusCode, headers, body } = await get(path, visit);
    expect([statusCode, headers['content-type'], body]).toEqual([404, 'text/html; charset=utf-8', HTML]);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  }
  const json = [
    await get('/api/v1/nope', visit),
    await get('/nope', { accept: '*/*' }),
    await get('/nope', visit, 'POST'),
  ];
  expect(json.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  for (const answer of json) expect(answer.json()).toMatchObject({ response_em: 'response_not_found' });
});

test('files with a hash in their name are kept for ever, and sent compressed', async () => {
  const path = '/assets/main-AbC1.js';
  const packed = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
  expect([packed.headers['content-encoding'], packed.headers['cache-control']]).toEqual([
    'br',
    'public, max-age=31536000, immutable',
  ]);
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(SCRIPT);
  const gzipped = await get(path, { 'accept-encoding': 'gzip' });
  expect(gunzipSync(gzipped.rawPayload).toString()).toBe(SCRIPT);
  expect((await get(path)).body).toBe(SCRIPT);
  const again = await get('/favicon.svg', { 'if-none-match': String((await get('/favicon.svg')).headers.etag) });
  expect(again.statusCode).toBe(304);
});

test('the theme of the cookie is in the page, and nothing else of it', async () => {
  expect((await get('/', { cookie: 'a=b; strata_theme=dark' })).body).toContain('<html lang="en" data-theme="dark">');
  expect((await get('/', { cookie: 'strata_theme="><script>' })).body).toBe(HTML);
});

describe('to a browser that is signed in', () => {
  const signIn = async (email: string): Promise<string> => {
    const { key } = await app.operations.signIn.makeLink(OPERATOR, email);
    const answer = await app.request({ route: 'POST /sessions/by_link', token: null, json: { key } });
    return String(answer.headers['set-cookie']).split(';', 1)[0]!;
  };
  const NAVIGATION = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' };
  const QUERIES: Record<string, string> = { 'GET /imports': 'resource_path=acme' };
  const blockOf = (body: string): string | undefined =>
    /<script type="application\/json" id="start-data">(.*)<\/script><\/body>/.exec(body)?.[1];
  const answersOf = (body: string): Record<string, unknown> => JSON.parse(blockOf(body) ?? '{}').answers ?? {};

  test('a page of an entity brings what it would ask for first, and nobody keeps it', async () => {
    const cookie = await signIn('member@example.com');
    const { headers, body } = await get('/e/acme/s/none?range=90d', { cookie, ...NAVIGATION });
    expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    const asked = await Promise.all(
      ['GET /me', 'GET /segment_introspections', 'GET /imports'].map(async (route) => [
        route,
        (await app.request({ route, token: null, query: QUERIES[route] ?? '', headers: { cookie } })).body,
      ]),
    );
    expect(answersOf(body)).toEqual(Object.fromEntries(asked));
    const packed = await get('/e/acme/overview', { cookie, 'accept-encoding': 'gzip, br' });
    expect(answersOf(gunzipSync(packed.rawPayload).toString())).toEqual(Object.fromEntries(asked));
  });

  test('nothing in the data ends its element', async () => {
    const { id } = await app.store.db
      .selectFrom('entities')
      .select('id')
      .where('slug', '=', 'acme')
      .executeTakeFirstOrThrow();
    const rename = (name: string) => app.store.db.updateTable('entities').set({ name }).where('id', '=', id).execute();
    await rename('</script><script>alert(1)</script>');
    const { body } = await get('/e/acme/overview', { cookie: await signIn('member@example.com') });
    await rename('Acme');
    expect(blockOf(body)).not.toContain('<');
    expect(answersOf(body)['GET /me']).toMatchObject({ entities: [{ name: '</script><script>alert(1)</script>' }] });
  });

  test('the page of an entity that is not theirs says nothing of it', async () => {
    const { body } = await get('/e/other/overview', { cookie: await signIn('member@example.com') });
    expect(Object.keys(answersOf(body))).toEqual(['GET /me']);
  });

  test.each([
    ['no page of an entity', '/sign-in', {}],
    ['the start', '/', {}],
    ['a script of another site', '/e/acme/overview', { 'sec-fetch-dest': 'script', 'sec-fetch-site': 'cross-site' }],
    ['a frame', '/e/acme/overview', { 'sec-fetch-dest': 'iframe' }],
    ['an address that cannot be read', '/e/%E0%A4%A/overview', {}],
  ])('%s gets none of it', async (_, path, headers) => {
    const { statusCode, body } = await get(path, { cookie: await signIn('member@example.com'), ...headers });
    expect([statusCode, blockOf(body)]).toEqual([expect.any(Number), undefined]);
  });

  test('a session that is over, and a made-up one, get the page of everybody', async () => {
    const cookie = await signIn('member@example.com');
    await app.request({
      route: 'DELETE /sessions/current',
      token: null,
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    for (const each of [cookie, 'strata_0=made-up', 'strata_0=']) {
      expect((await get('/e/acme/overview', { cookie: each })).body).toBe(HTML);
    }
  });
});

test('a server without the files says so, and its API works', async () => {
  const bare = await createTestApp({ page: readStaticPage('/nonexistent') });
  const { statusCode, body } = await bare.server.inject('/e/acme/overview');
  expect([statusCode, body]).toEqual([503, expect.stringContaining('npm run build')]);
  expect((await bare.request({ route: 'GET /api_tokens' })).status).toBe(200);
  await bare.close();
});
