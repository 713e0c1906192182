// A resource path means the same to every endpoint: repos and organizations of hosts with groups in groups can
// be named, and case matters nowhere.
import { beforeAll, expect, test } from 'vitest';
import { parseResourcePath } from '../../src/domain/resource-path.ts';
import { OPERATOR } from '../../src/operations/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { insertRows } from '../world/facts-kit.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
  const { rows } = await app.store.pool.query(`select id from entities where slug = 'acme'`);
  const ofEntity = (row: Record<string, unknown>) => ({ entity_id: rows[0].id, ...row });
  await insertRows(
    app.store,
    'organizations',
    [
      { id: 1, slug: 'shop', name: 'shop' },
      { id: 2, slug: 'shop/tools', name: 'shop/tools' },
    ].map(ofEntity),
  );
  await insertRows(
    app.store,
    'repos',
    [
      { id: 1, organization_id: 1, slug: 'website', name: 'website', source_kind: 'path' },
      { id: 2, organization_id: 2, slug: 'linter', name: 'linter', source_kind: 'path' },
      // A repo that is named as the group it lies in.
      { id: 3, organization_id: 2, slug: 'tools', name: 'tools', source_kind: 'path' },
    ].map(ofEntity),
  );
  for (const [organization_slug, repo_slug] of [
    ['shop', 'website'],
    ['shop/tools', 'linter'],
    ['shop', 'failed'],
  ]) {
    await insertRows(app.store, 'imports', [ofEntity({ organization_slug, repo_slug })]);
  }
});

const get = (route: string, query: string) => app.request({ route: `GET ${route}`, query });

test('the last of more than two parts behind the entity is the repo', () => {
  expect(parseResourcePath('acme/shop/tools/linter')).toEqual({
    entity: 'acme',
    organization: 'shop/tools',
    repo: 'linter',
  });
  expect(() => parseResourcePath(`acme${'/x'.repeat(40)}`)).toThrow('is not a resource path');
});

const LISTS = ['/critical_defects', '/releases', '/developers', '/imports', '/reports'];

test.each(LISTS)('%s knows a repo and an organization inside another group, in any case', async (route) => {
  for (const path of ['acme/shop/tools/linter', 'acme/shop/tools', 'acme/SHOP/Tools/Linter', 'acme/Shop/website']) {
    const answer = await get(route, `resource_path=${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
  }
});

test.each(LISTS)('%s does not know what the entity does not have', async (route) => {
  for (const path of ['acme/shop/tools/nothing', 'acme/shop/nothing', 'acme/tools', 'acme/shop/tools/linter/x']) {
    const answer = await get(route, `resource_path=${path}`);
    expect([path, answer.status, answer.body.response_em]).toEqual([path, 404, 'response_not_found']);
  }
});

test('an import that never became a repo is listed by its path', async () => {
  const { body } = await get('/imports', 'resource_path=acme/shop/failed');
  expect(body.repos).toMatchObject([{ repo_path: 'shop/failed' }]);
  const ofGroup = await get('/imports', 'resource_path=acme/shop/tools');
  expect(ofGroup.body.repos).toMatchObject([{ repo_path: 'shop/tools/linter' }]);
});

test('a report says which organization and repo it is about', async () => {
  const context = async (path: string) => (await get('/reports', `resource_path=${path}`)).body.context;
  expect(await context('acme/shop/tools/linter')).toMatchObject({ organization: 'shop/tools', repo: 'linter' });
  const group = await context('acme/shop/tools');
  expect(group).toMatchObject({ organization: 'shop/tools' });
  expect(group).not.toHaveProperty('repo');
});

test('a release and a fix can be told of a repo in a group in a group, and not of the group', async () => {
  const release = (path: string) =>
    app.request({ route: 'POST /releases', form: `resource_path=${path}&released_at=2026-02-10` });
  expect((await release('acme/shop/tools/linter')).status).toBe(200);
  expect((await get('/releases', 'resource_path=acme&start_date=2026-02-10')).body.releases).toMatchObject([
    { repo_path: 'shop/tools/linter' },
  ]);
  const refused = await release('acme/shop/tools');
  expect([refused.status, refused.body.response_em]).toEqual([422, 'response_unprocessable']);
  const fix = await app.request({
    route: 'POST /critical_defects',
    form: 'resource_path=acme/shop/tools/linter&defect_key=D-1&detected_at=2026-02-01&fix_released_at=2026-02-02',
  });
  expect(fix.status).toBe(200);
});

test('a time without a zone is in the zone of the entity that the path names, not of the token', async () => {
  await app.operations.settings.set(OPERATOR, 'other', 'time_zone', 'America/New_York');
  const detected = async (token: string, entity: string) => {
    const resource_path = entity;
    await app.request({
      route: 'POST /critical_defects',
      token,
      json: { resource_path, defect_key: 'D-2', detected_at: '2026-01-02' },
    });
    const query = `resource_path=${entity}&end_date=2026-01-02`;
    const { body } = await app.request({ route: 'GET /critical_defects', token, query });
    return (body.critical_defects as { detectedAt: string }[])[0]?.detectedAt;
  };
  expect(await detected(app.tokens.superAdmin, 'other')).toBe('January 2, 2026 12:00 AM EST');
  expect(await detected(app.tokens.superAdmin, 'acme')).toBe('January 2, 2026 12:00 AM UTC');
});
