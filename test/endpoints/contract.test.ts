// Made by walking the endpoint list: what every endpoint must do with a missing or wrong token, missing,
// wrong and unknown parameters, too much input and a wrong method. Test-only endpoints walk along, so
// that every parameter type and kind of access is covered before a real endpoint uses it.
import { beforeAll, describe, expect, test } from 'vitest';
import { BASE_PATH, type Endpoint } from '../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { p } from '../../src/endpoints/params/index.ts';
import type { Param } from '../../src/endpoints/params/param.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { SAMPLE_ENDPOINTS } from './sample-endpoints.ts';

const all = [...ENDPOINTS, ...SAMPLE_ENDPOINTS];
const BODY_LIMIT_BYTES = 10_000;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ endpoints: all, settings: { body_limit_bytes: BODY_LIMIT_BYTES } });
});

/** Of a record that is not there. */
const withAnId = (path: string): string => path.replace(/:\w+/g, '987654321');

const takesBody = (endpoint: Endpoint): boolean => endpoint.method === 'POST' || endpoint.method === 'PUT';

/** An accepted value for a parameter, naming the test's own entity where it is a path. */
function rightValue(name: string, param: Param<unknown>): unknown {
  if (name === 'resource_path')
    return param.type.examples.right.map((path) => String(path).replace('local', 'acme'))[0];
  return param.type.examples.right[0];
}

function rightParams(endpoint: Endpoint): Record<string, unknown> {
  const required = Object.entries(endpoint.params).filter(([, param]) => param.traits.isRequired);
  return Object.fromEntries(required.map(([name, param]) => [name, rightValue(name, param)]));
}

function call(
  endpoint: Endpoint,
  params: Record<string, unknown>,
  token: string | null = app.tokens.superAdmin,
  address = '127.0.0.1',
) {
  const rest = { ...params };
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(params[name]));
  });
  return app.request({ route: `${endpoint.method} ${path}`, token, json: rest, address });
}

for (const endpoint of all) {
  describe(`${endpoint.method} ${endpoint.path}`, () => {
    const { action } = endpoint;

    if (endpoint.access !== 'public') {
      test.each([
        ['no token', null],
        ['a token that was never given out', `strata_${'x'.repeat(43)}`],
        ['a token of another form', 'abc'],
      ])('is refused with %s', async (_, token) => {
        // One address may try only so many.
        const answer = await call(endpoint, rightParams(endpoint), token, `10.0.0.${all.indexOf(endpoint)}`);
        expect(answer.status).toBe(401);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
        expect(answer.body).toMatchObject({ action_em: action, response_em: 'response_unauthorized' });
      });
    }

    for (const [name, param] of Object.entries(endpoint.params)) {
      if (param.traits.isRequired && !endpoint.pathParams.includes(name)) {
        test(`is refused without ${name}`, async () => {
          const { [name]: _, ...others } = rightParams(endpoint);
          const answer = await call(endpoint, others);
          expect(answer.status).toBe(400);
          expect(answer.body).toMatchObject({ action_em: action, response_em: 'response_invalid_parameter' });
          expect(answer.body.errors).toEqual({ [name]: [expect.stringMatching(/^is missing; expected /)] });
        });
      }

      test(`is refused when ${name} is malformed`, async () => {
        const wrongs = param.type.examples.wrong.filter(
          (value) =>
            (!endpoint.pathParams.includes(name) || typeof value === 'string') &&
            // refused before it is read
            JSON.stringify(value).length < BODY_LIMIT_BYTES,
        );
        for (const wrong of wrongs) {
          const answer = await call(endpoint, { ...rightParams(endpoint), [name]: wrong });
          expect(answer.status, JSON.stringify(wrong)).toBe(400);
          expect(answer.body.response_em).toBe('response_invalid_parameter');
          expect(Object.keys(answer.body.errors as object).every((key) => key.startsWith(name))).toBe(true);
          expect(answer.body.response_detail).toContain(name);
        }
      });

      test(`accepts every documented form of ${name}`, async () => {
        for (const right of param.type.examples.right) {
          if (['resource_path', 'code', 'ms'].includes(name)) continue; // have tests of their own
          const answer = await call(endpoint, { ...rightParams(endpoint), [name]: right });
          expect(answer.status, `${JSON.stringify(right)}: ${answer.text}`).not.toBe(400);
        }
      });
    }

    test('names an unknown parameter in its warnings', async () => {
      const answer = await call(endpoint, { ...rightParams(endpoint), no_such_thing: 1 });
      if (answer.status >= 400) return; // answered by an error, which has no warnings
      const warnings = Array.isArray(answer.body)
        ? JSON.parse(String(answer.headers['x-warnings']))
        : answer.body.warnings;
      expect(warnings).toContainEqual(expect.stringContaining('unknown parameter "no_such_thing" was ignored'));
    });

    test('refuses too large a body and too long a query', async () => {
      const big = 'x'.repeat(20_000);
      const path = withAnId(endpoint.path);
      const token = app.tokens.superAdmin;
      for (const request of [{ json: { big } }, { form: `big=${big}` }, { query: `big=${big}` }]) {
        const answer = await app.request({ route: `${endpoint.method} ${path}`, token, ...request });
        expect(answer.status).toBe(413);
        expect(answer.body.response_em).toBe('response_payload_too_large');
      }
    });

    test('refuses a body that is neither JSON nor a form, and broken JSON', async () => {
      const path = withAnId(endpoint.path);
      const route = `${endpoint.method} ${path}`;
      const token = app.tokens.superAdmin;
      const text = await app.request({ route, token, payload: 'hello', headers: { 'content-type': 'text/plain' } });
      expect(text.status).toBe(415);
      const broken = await app.request({
        route,
        token,
        payload: '{"a":',
        headers: { 'content-type': 'application/json' },
      });
      expect([broken.status, broken.body.response_detail]).toEqual([400, 'the body is not valid JSON']);
      const list = await app.request({ route, token, json: [1] });
      expect(list.status).toBe(400);
    });

    test('answers another method with 405 and the methods there are', async () => {
      const path = withAnId(endpoint.path);
      const answer = await app.request({ route: `PATCH ${path}`, token: null });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toContain(endpoint.method);
    });

    test('reads the same values from query, form and JSON', async () => {
      const params = Object.entries(rightParams(endpoint)).filter(([name]) => !endpoint.pathParams.includes(name));
      const texts = params
        .filter(([, value]) => typeof value !== 'object')
        .map(([name, value]): [string, string] => [name, String(value)]);
      const encoded = new URLSearchParams(texts).toString();
      const objects = params.filter(([, value]) => typeof value === 'object');
      const lists = objects.map(([name, value]) =>
        (value as unknown[]).map((item, index) =>
          typeof item === 'object'
            ? Object.entries(item as object)
                .map(([key, inner]) => `${name}[${index}][${key}]=${inner}`)
                .join('&')
            : `${name}[]=${item}`,
        ),
      );
      const form = [encoded, ...lists.flat()].filter((part) => part !== '').join('&');
      const route = `${endpoint.method} ${withAnId(endpoint.path)}`;
      const token = app.tokens.superAdmin;
      // What can be made only once is made before.
      await app.request({ route, token, json: Object.fromEntries(params) });
      const [byQuery, byForm, byJson] = await Promise.all([
        app.request({ route, token, query: form }),
        app.request({ route, token, form }),
        app.request({ route, token, json: Object.fromEntries(params) }),
      ]);
      expect(byQuery.status).toBe(byJson.status);
      expect(byForm.status).toBe(byJson.status);
      // Ids of requests, of what was made, and secrets differ from call to call.
      const withoutTrace = (text: string) =>
        text
          .replace(/[0-9a-f-]{36}/g, '')
          .replace(/"id":\d+/g, '')
          .replace(/strata_[\w-]{43}|#[\w-]{43}/g, '')
          .replace(/"[a-z_]+_at":"[^"]+"/g, '');
      expect(withoutTrace(byQuery.text)).toBe(withoutTrace(byJson.text));
      expect(withoutTrace(byForm.text)).toBe(withoutTrace(byJson.text));
    });
  });
}

describe('access', () => {
  /** Names the own entity, also where it may be left out, and nobody known. */
  const ownParams = (endpoint: Endpoint) => ({
    ...(endpoint.params.entity_slug?.traits.isRequired === false ? { entity_slug: 'acme' } : {}),
    // Calls before may have made a super admin of the example, whom no admin changes.
    ...(endpoint.params.email === undefined ? {} : { email: 'somebody-new@example.com' }),
  });
  const statusFor = async (endpoint: Endpoint, token: string) =>
    (await call(endpoint, { ...rightParams(endpoint), ...ownParams(endpoint) }, token)).status;

  for (const endpoint of all.filter((candidate) => typeof candidate.access === 'object')) {
    const needed = typeof endpoint.access === 'object' ? endpoint.access.resource : 'admin';
    test(`${endpoint.method} ${endpoint.path} needs the role ${needed}`, async () => {
      const order = ['member', 'manager', 'admin'] as const;
      for (const role of order) {
        const expected = order.indexOf(role) >= order.indexOf(needed);
        expect((await statusFor(endpoint, app.tokens[role])) !== 403, role).toBe(expected);
      }
      expect(await statusFor(endpoint, app.tokens.superAdmin)).not.toBe(403);
    });

    if (endpoint.params.resource_path !== undefined) {
      test(`${endpoint.method} ${endpoint.path} knows no foreign entity`, async () => {
        // Given also where it may be left out.
        const path = String(rightValue('resource_path', endpoint.params.resource_path!));
        const params = { ...rightParams(endpoint), resource_path: path };
        const answer = await call(endpoint, params, app.tokens.foreignAdmin);
        expect([answer.status, answer.body.response_em]).toEqual([404, 'response_not_found']);
        const unknown = await call(
          endpoint,
          { ...params, resource_path: path.replace('acme', 'never-existed') },
          app.tokens.foreignAdmin,
        );
        const words = (text: unknown) => String(text).replace(/acme|never-existed/, '');
        expect(words(unknown.body.response_detail)).toBe(words(answer.body.response_detail));
      });
    }
  }

  for (const endpoint of all.filter((candidate) => candidate.access === 'super_admin')) {
    test(`${endpoint.method} ${endpoint.path} needs a super admin`, async () => {
      expect(await statusFor(endpoint, app.tokens.admin)).toBe(403);
      // What the example value names may not exist, but the right is there.
      expect([200, 404, 409]).toContain(await statusFor(endpoint, app.tokens.superAdmin));
    });
  }
});

test('an address that does not exist is answered with the envelope and a suggestion', async () => {
  const answer = await app.request({ route: 'GET /api_token', token: null });
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ action_em: 'action_unknown', response_em: 'response_not_found' });
  expect(answer.body.response_detail).toBe(
    `there is nothing at GET ${BASE_PATH}/api_token; did you mean GET ${BASE_PATH}/api_tokens?`,
  );
});

test('GET parameters may come in a body', async () => {
  const answer = await app.request({ route: 'GET /samples', form: 'page=7&size=1' });
  expect(JSON.parse(answer.text)).toEqual([{ number: 700 }]);
});

test('a body wins over the query, and the path over both', async () => {
  const answer = await app.request({ route: 'GET /samples', query: 'page=1&size=1', json: { page: 2 } });
  expect(JSON.parse(answer.text)).toEqual([{ number: 200 }]);
  const shown = await app.request({ route: 'GET /samples/5', query: 'id=6', json: { id: 7 } });
  expect(shown.body).toEqual({ id: 5 });
});

test('the walk covers real and test-only endpoints', () => {
  expect(ENDPOINTS.length).toBeGreaterThan(0);
  expect(all.filter(takesBody).length).toBeGreaterThan(0);
});

test('pages have the same limits everywhere', () => {
  const limits = ENDPOINTS.flatMap(({ params }) => (params.page === undefined ? [] : [params.page.type.schema]));
  expect(limits.length).toBeGreaterThan(5);
  for (const schema of limits) expect(schema).toEqual(p.page().type.schema);
});
