import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createCredentialFile } from '../../../src/connectors/sources/credential-file.ts';
import { deleteEntity } from '../../../src/jobs/delete-entity.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { countJobs } from '../../../src/storage/queue/queue.ts';
import { registerSource } from '../../../src/storage/repos/repos.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { importSettings } from '../../support/import-settings.ts';
import { addCommit, addPerson, entityIdOf } from '../people/people-kit.ts';

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

const offboard = (entity_slug: string, token = app.tokens.superAdmin) =>
  app.request({ route: 'POST /admin/offboard', json: { entity_slug }, token });
const statusOf = async (token: string) => (await app.request({ route: 'GET /api_tokens', token })).status;
const stateOf = async (slug: string) =>
  (await app.operations.entities.list(OPERATOR)).find((entity) => entity.slug === slug)?.state;
const waiting = async () => (await countJobs(app.store.db)).find(({ task }) => task === 'delete_entity')?.waiting ?? 0;

test('tokens of the entity stop working at once, also those that were used a moment ago', async () => {
  expect(await statusOf(app.tokens.foreignAdmin)).toBe(200);
  const answer = await offboard('other');
  expect(answer.body).toEqual({
    action_em: 'action_offboard',
    response_em: 'response_success',
    response_detail: 'The entity other and all its data are queued for deletion; its tokens no longer work.',
  });
  expect(await statusOf(app.tokens.foreignAdmin)).toBe(401);
  expect(await statusOf(app.tokens.admin)).toBe(200);
  expect(await stateOf('other')).toBe('offboarding');
  const list = await app.request({ route: 'GET /teams', query: 'resource_path=other', token: app.tokens.superAdmin });
  expect(list.status).toBe(404);
});

test('a second call is harmless, before and after the data are gone', async () => {
  await offboard('other');
  const second = await offboard('OTHER');
  expect([second.status, second.body.response_detail]).toEqual([200, 'The entity other is being deleted already.']);
  expect(await waiting()).toBe(1);
});

test('everything the entity has is removed, and nothing of the others', async () => {
  const [gone, kept] = [await entityIdOf(app.store, 'other'), await entityIdOf(app.store, 'acme')];
  for (const id of [gone, kept]) {
    const person = await addPerson(app.store, id, { name: 'ada' });
    await addCommit(app.store, id, person, 'core/site', '2026-10-05T10:00:00Z');
  }
  for (const token of [app.tokens.foreignAdmin, app.tokens.admin]) {
    await app.request({
      route: 'POST /teams',
      json: { name: 'Core', developer_members: 'ada,x@example.com', invite_developers: true },
      token,
    });
  }
  const { pool } = app.store;
  // Somebody who is in both entities, somebody who is only in the one that leaves, and what they made elsewhere.
  await app.operations.users.create(OPERATOR, { email: 'both@example.com', entity: 'other', role: 'member' });
  await app.operations.users.create(OPERATOR, { email: 'both@example.com', entity: 'acme', role: 'member' });
  await app.operations.users.create(OPERATOR, { email: 'lonely@example.com', entity: 'other', role: 'admin' });
  await pool.query(
    `update api_tokens set created_by = (select id from users where email = 'lonely@example.com') where entity_id = $1`,
    [kept],
  );
  for (const [id, repo, address] of [
    [gone, 'own', 'https://git.test/own.git'],
    [gone, 'shared', 'https://git.test/shared.git'],
    [kept, 'shared', 'https://git.test/shared.git'],
  ] as const) {
    await registerSource(app.store.db, id, { organization: 'o', repo }, { kind: 'address', address });
  }
  await offboard('other');
  const folder = mkdtempSync(join(tmpdir(), 'strata-offboard-'));
  const credentials = createCredentialFile(join(folder, 'git-credentials.json'));
  for (const name of ['own', 'shared']) {
    await credentials.store(`https://git.test/${name}.git`, { username: 'u', password: name });
  }
  await deleteEntity.run(
    { entity_id: gone },
    {
      jobId: '0',
      jobKey: 'x',
      attempt: 1,
      maxAttempts: 1,
      signal: new AbortController().signal,
      log: silentLog,
    },
    { store: app.store, sources: [], imports: importSettings(folder), credentials, now: () => new Date() },
  );
  expect(await credentials.find('https://git.test/own.git')).toBeNull();
  expect(await credentials.find('https://git.test/shared.git')).toEqual({ username: 'u', password: 'shared' });
  rmSync(folder, { recursive: true });
  const left = (await app.operations.users.list(OPERATOR, {})).map(({ email }) => email);
  expect(left).toEqual(expect.arrayContaining(['both@example.com', 'super@example.com', 'admin@example.com']));
  expect(left.filter((email) => ['lonely@example.com', 'foreign@example.com'].includes(email))).toEqual([]);
  expect(await statusOf(app.tokens.admin)).toBe(200);
  const { rows } = await app.store.pool.query<{ name: string }>(
    `select table_name as name from table_kinds where kind = 'tenant'`,
  );
  let keptRows = 0;
  for (const { name } of rows) {
    const count = async (id: number) =>
      Number((await app.store.pool.query(`select count(*) as n from ${name} where entity_id = $1`, [id])).rows[0].n);
    expect(await count(gone), name).toBe(0);
    keptRows += await count(kept);
  }
  expect(keptRows).toBeGreaterThan(8);
  expect(await stateOf('other')).toBe('deleted');
  expect((await offboard('other')).body.response_detail).toBe('The entity other was deleted before.');
});

test('only a super admin may, and an unknown entity is 404', async () => {
  for (const role of ['member', 'manager', 'admin', 'foreignAdmin'] as const) {
    for (const slug of ['acme', 'other', 'never-existed']) {
      const answer = await offboard(slug, app.tokens[role]);
      expect([answer.status, answer.body.response_em], `${role} ${slug}`).toEqual([403, 'response_forbidden']);
    }
  }
  expect(await waiting()).toBe(0);
  const unknown = await offboard('never-existed');
  expect([unknown.status, unknown.body.action_em]).toEqual([404, 'action_offboard']);
});
