// The dashboard's files: where the page is shown, how its files are kept, and what browsers must not do with them.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { readStaticPage } from '../../src/api/static.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

const HTML = '<!doctype html><html lang="en"><head><script src="/assets/main-AbC1.js"></script></head></html>';
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

test('a server without the files says so, and its API works', async () => {
  const bare = await createTestApp({ page: readStaticPage('/nonexistent') });
  const { statusCode, body } = await bare.server.inject('/e/acme/overview');
  expect([statusCode, body]).toEqual([503, expect.stringContaining('npm run build')]);
  expect((await bare.request({ route: 'GET /api_tokens' })).status).toBe(200);
  await bare.close();
});
