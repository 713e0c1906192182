// Imports by resource path: however many paths, and however each is written.
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { OPERATOR } from '../../../src/operations/index.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

let app: TestApp;
// Before a connection is made: each keeps the function that it was made with.
const query = vi.spyOn(pg.Client.prototype, 'query');

beforeAll(async () => {
  app = await createTestApp();
  const repo = goldenRepo()
    .commit('a', { files: { 'a.ts': 'a();\n' } })
    .build();
  for (const name of ['tools/website', 'tools/api', 'tools/inner/app', 'other/site']) {
    const target = { kind: 'path' as const, address: repo.path, as: name };
    await app.operations.imports.register(OPERATOR, app.entity, target, { all: true });
  }
});

const list = async (...paths: readonly string[]) => {
  query.mockClear();
  const resource_path = paths.map((path) => `${app.entity}${path}`);
  const { status, body } = await app.request({ route: 'GET /imports', query: `resource_path=${resource_path.join()}` });
  const statements = query.mock.calls.length;
  const repos = (body.repos ?? []) as readonly { repo_path: string }[];
  return { status, statements, found: repos.map(({ repo_path }) => repo_path), detail: body.response_detail };
};

test.each([
  [[''], ['tools/website', 'tools/api', 'tools/inner/app', 'other/site']],
  [['/TOOLS'], ['tools/website', 'tools/api']],
  [['/tools/Api.git'], ['tools/api']],
  [['/tools/inner'], ['tools/inner/app']],
  [
    ['/other/site', '/tools/api', '/other'],
    ['tools/api', 'other/site'],
  ],
])('%j names %j', async (paths, expected) => {
  expect((await list(...paths)).found).toEqual(expected);
});

test('many paths take as many statements as one, and the first that is unknown is named', async () => {
  const one = await list('/nothing/r0');
  expect(one.statements).toBeGreaterThan(0);
  const many = await list('/tools/api', ...Array.from({ length: 300 }, (_, n) => `/nothing/r${n}`));
  expect(many).toMatchObject({ status: 404, detail: one.detail, statements: one.statements });
});
