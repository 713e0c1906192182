// What only a super admin may give, only a super admin may take away; and the user of the first start is one like any other.
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../../src/operations/index.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;
let userId: number;
let tokenId: number;

beforeAll(async () => {
  app = await createTestApp();
  const first = { email: 'admin@localhost', entity: 'acme', role: 'admin', is_super_admin: true };
  userId = (await app.operations.users.create(OPERATOR, first)).id;
  const input = { entity: 'acme', user_email: 'admin@localhost' };
  tokenId = (await app.operations.tokens.create(OPERATOR, input)).id;
});

const shown = async () => {
  const users = await app.operations.users.list(OPERATOR, { entity: 'acme' });
  const tokens = await app.operations.tokens.list(OPERATOR, { entity: 'acme' });
  return [users.find(({ id }) => id === userId), tokens.find(({ id }) => id === tokenId)?.revoked_at];
};

describe('rights of a super admin', () => {
  test.each([
    ['PUT /users/:id', { role: 'member' }],
    ['POST /users', { email: 'admin@localhost', role: 'member' }],
    ['DELETE /users/:id/role', {}],
    ['DELETE /tokens/:token', {}],
  ])('are not taken by an admin of an entity: %s', async (route, json) => {
    const before = await shown();
    const answer = await app.request({
      route: route.replace(':id', String(userId)).replace(':token', String(tokenId)),
      json,
    });
    expect([answer.status, answer.body.response_em]).toEqual([403, 'response_forbidden']);
    expect(answer.body.response_detail).toContain('admin@localhost is a super admin');
    expect(await shown()).toEqual(before);
  });

  test('are changed by another super admin, and an admin still gives a role where there is none', async () => {
    const token = app.tokens.superAdmin;
    expect((await app.request({ route: `PUT /users/${userId}`, token, json: { role: 'member' } })).status).toBe(200);
    expect((await app.request({ route: `DELETE /users/${userId}/role`, token })).status).toBe(200);
    const json = { email: 'admin@localhost', role: 'manager' };
    expect((await app.request({ route: 'POST /users', json })).status).toBe(200);
  });

  test('leak with a token: whoever has it revokes it', async () => {
    const { token } = await app.operations.tokens.create(OPERATOR, { entity: 'acme', user_email: 'admin@localhost' });
    const caller = (await app.operations.tokens.authenticate(app.tokens.admin))!;
    expect((await app.operations.tokens.revoke(caller, token)).revoked_at).not.toBeNull();
  });
});

test('the address of the first user is accepted where users are named', async () => {
  const token = app.tokens.superAdmin;
  for (const [route, json] of [
    ['POST /users', { email: 'admin@localhost' }],
    ['POST /tokens', { user_email: 'admin@localhost' }],
    ['POST /invitations', { email: 'admin@localhost' }],
  ] as const)
    expect((await app.request({ route, token, json })).status, route).toBe(200);
});
