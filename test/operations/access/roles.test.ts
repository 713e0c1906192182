// Endpoint × role × own, foreign or unknown entity, over the whole list: docs/roles.md is true, and nothing
// of a foreign entity can be read or guessed.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../../src/endpoints/index.ts';
import { mayCall } from '../../../src/endpoints/may-call.ts';
import { type Answer, createTestApp, type RoleName, type TestApp } from '../../support/app.ts';
import { addCommit, addPerson, entityIdOf } from '../people/people-kit.ts';

/** Only in the foreign entity: person, address, host id, organization, repo and team are all called so. */
const SECRET = 'zebra';
/** The same length, and nowhere at all. */
const UNKNOWN = 'nobod';

let app: TestApp;
/** Asked the same as the first one, but for what is nowhere. */
let twin: TestApp;

async function createApp(): Promise<TestApp> {
  const made = await createTestApp();
  const other = await entityIdOf(made.store, 'other');
  const address = `${SECRET}@example.com`;
  const person = await addPerson(made.store, other, { name: SECRET, email: address, providerId: SECRET });
  await addCommit(made.store, other, person, `${SECRET}/${SECRET}`, '2026-10-05T10:00:00Z');
  const json = { name: SECRET, developer_members: SECRET };
  expect((await made.request({ route: 'POST /teams', json, token: made.tokens.foreignAdmin })).status).toBe(200);
  return made;
}

beforeAll(async () => {
  [app, twin] = await Promise.all([createApp(), createApp()]);
});

const ROLE_NAMES = ['member', 'manager', 'admin', 'superAdmin'] as const;
const columnOf = (role: RoleName) => (role === 'superAdmin' ? 'super admin' : role);

function paramsOf(endpoint: Endpoint, entity: string): Record<string, unknown> {
  const entries = Object.entries(endpoint.params)
    .filter(([name, param]) => param.traits.isRequired || name === 'resource_path')
    .map(([name, param]): [string, unknown] => [name, param.type.examples.right[0]]);
  const params = Object.fromEntries(entries);
  if (endpoint.params.entity_slug?.traits.isRequired === false) params.entity_slug = entity;
  if ('resource_path' in params) params.resource_path = String(params.resource_path).replace(/^local/, entity);
  return params;
}

function call(
  endpoint: Endpoint,
  params: Record<string, unknown>,
  token: string | null,
  on: TestApp = app,
): Promise<Answer> {
  const rest = { ...params };
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(params[name]));
  });
  return on.request({ route: `${endpoint.method} ${path}`, token, json: rest });
}

const hasPath = (endpoint: Endpoint): boolean => endpoint.params.resource_path !== undefined;
const named = ENDPOINTS.map((endpoint) => ({ route: `${endpoint.method} ${endpoint.path}`, endpoint }));

describe.each(named)('$route', ({ endpoint }) => {
  test.each(ROLE_NAMES)('in the own entity, as %s', async (role) => {
    const answer = await call(endpoint, paramsOf(endpoint, 'acme'), app.tokens[role]);
    if (endpoint.access !== 'public') expect(answer.status).not.toBe(401);
    if (mayCall(endpoint.access, columnOf(role))) {
      if (endpoint.access !== 'token') expect(answer.status, answer.text).not.toBe(403);
    } else expect([answer.status, answer.body.response_em]).toEqual([403, 'response_forbidden']);
  });

  if (endpoint.access !== 'public') {
    test('without a token', async () => {
      expect((await call(endpoint, paramsOf(endpoint, 'acme'), null)).status).toBe(401);
    });
  }

  if (hasPath(endpoint) && endpoint.access !== 'public') {
    test.each(['member', 'manager', 'admin'] as const)('a foreign entity is none, as %s', async (role) => {
      const foreign = await call(endpoint, paramsOf(endpoint, 'other'), app.tokens[role]);
      const unknown = await call(endpoint, paramsOf(endpoint, 'ether'), app.tokens[role]);
      expect([foreign.status, foreign.body.response_em]).toEqual([404, 'response_not_found']);
      expect(foreign.text.replaceAll('other', 'ether')).toBe(unknown.text);
    });

    test('a foreign entity is open to a super admin', async () => {
      const answer = await call(endpoint, paramsOf(endpoint, 'other'), app.tokens.superAdmin);
      expect(answer.status).not.toBe(403);
      expect(answer.text).not.toContain('that this token may know of');
    });
  }

  if (endpoint.method === 'GET') {
    test('shows nothing of a foreign entity', async () => {
      for (const role of ['member', 'manager', 'admin'] as const) {
        expect((await call(endpoint, paramsOf(endpoint, 'acme'), app.tokens[role])).text).not.toContain(SECRET);
      }
    });
  }
});

// These write into the own entity, so they come last; the twin sees the same calls and has the same state.
const guesses = named.flatMap(({ route, endpoint }) =>
  Object.entries(endpoint.params)
    .filter(([name, { type }]) => ['String', 'Array<String>'].includes(type.name) && name !== 'entity_slug')
    .map(([name]) => ({ route, endpoint, name })),
);
test.each(guesses)(
  '$route: what only a foreign entity has is nothing here, asked by $name',
  async ({ endpoint, name }) => {
    const ask = async (on: TestApp, word: string) => {
      const answer = await call(endpoint, { ...paramsOf(endpoint, 'acme'), [name]: word }, on.tokens.admin, on);
      return `${answer.status} ${answer.body.response_em} ${answer.body.response_detail}`.replaceAll(word, '…');
    };
    expect(await ask(app, SECRET)).toBe(await ask(twin, UNKNOWN));
  },
);

test('the foreign entity really has what is looked for', async () => {
  for (const route of ['GET /developers', 'GET /teams']) {
    const answer = await app.request({ route, token: app.tokens.foreignAdmin });
    expect(answer.text, route).toContain(SECRET);
  }
});
