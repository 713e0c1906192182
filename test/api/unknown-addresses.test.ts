// What is said at an address where nothing is.
import { beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

test.each([
  ['GET /teams/core', /did you mean GET \/api\/v1\/teams\?$/],
  ['GET /team', /did you mean GET \/api\/v1\/teams\?$/],
  ['DELETE /team', /did you mean DELETE \/api\/v1\/teams\?$/],
  ['GET /nowhere/at/all', /\/docs lists every address$/],
])('%s is answered with an address of the same method', async (route, words) => {
  const { status, body } = await app.request({ route });
  expect([status, body.response_detail]).toEqual([404, expect.stringMatching(words)]);
});

test('who visits a server without the page gets the error, too', async () => {
  const { status, body } = await app.request({ route: 'GET //nope', headers: { accept: 'text/html' } });
  expect([status, body.response_em]).toEqual([404, 'response_not_found']);
});
