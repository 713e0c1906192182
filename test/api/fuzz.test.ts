// Random requests over all endpoints: never a 5xx, never a hang, and every refusal has the envelope
// (createTestApp checks that). The seed is printed when a run fails; STRATA_FUZZ_RUNS asks for more.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { ENDPOINTS } from '../../src/api/endpoints/index.ts';
import type { Param } from '../../src/api/params/param.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { SAMPLE_ENDPOINTS } from './sample-endpoints.ts';

const RUNS = Number(process.env.STRATA_FUZZ_RUNS ?? 1_000);
const MEANT_TO_FAIL = ['/samples/fail', '/samples/crash', '/samples/slow'];
const endpoints = [...ENDPOINTS, ...SAMPLE_ENDPOINTS].filter(({ path }) => !MEANT_TO_FAIL.includes(path));

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ endpoints, logLevel: 'error' });
});

const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }));

const valueFor = (name: string, param: Param<unknown>): fc.Arbitrary<unknown> => {
  const right = fc.constantFrom(...param.type.examples.right);
  const own = name === 'resource_path' ? fc.constantFrom('acme', 'acme/o', 'acme/o/r', 'other', 'acme,acme/o') : right;
  return fc.oneof(
    { weight: 6, arbitrary: own },
    { weight: 2, arbitrary: fc.constantFrom(...param.type.examples.wrong) },
    { weight: 2, arbitrary: anything },
  );
};

function requestFor(endpoint: Endpoint) {
  const names = Object.entries(endpoint.params).flatMap(([name, param]) =>
    [name, ...param.traits.aliases].map((known): [string, fc.Arbitrary<unknown>] => [known, valueFor(name, param)]),
  );
  return fc.record({
    endpoint: fc.constant(endpoint),
    params: fc.record(Object.fromEntries(names), { requiredKeys: [] }),
    unknown: fc.dictionary(fc.string(), anything, { maxKeys: 2 }),
    encoding: fc.constantFrom('json', 'form', 'query'),
    role: fc.constantFrom('member', 'manager', 'admin', 'superAdmin', 'foreignAdmin', 'none'),
  });
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '?') : JSON.stringify(value);

test(`${RUNS} random requests are answered, none of them with a fault`, { timeout: 600_000 }, async () => {
  const statuses = new Map<number, number>();
  const request = fc.constantFrom(...endpoints).chain(requestFor);
  await fc.assert(
    fc.asyncProperty(request, async ({ endpoint, params, unknown, encoding, role }) => {
      const all: Record<string, unknown> = { ...unknown, ...params };
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(asText(all[name] ?? 1)).slice(0, 90),
      );
      const encoded = new URLSearchParams(
        Object.entries(all).map(([name, value]): [string, string] => [name, asText(value)]),
      ).toString();
      const answer = await app.request({
        route: `${endpoint.method} ${path}`,
        token: role === 'none' ? null : app.tokens[role],
        ...(encoding === 'json'
          ? { json: all }
          : encoding === 'form'
            ? { form: encoded }
            : { query: encoded.slice(0, 16_000) }),
      });
      expect(answer.status, answer.text).toBeLessThan(500);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }),
    { numRuns: RUNS },
  );
  console.log('answers by status:', Object.fromEntries([...statuses].sort()));
  // A fuzzer that is refused at the door tests nothing.
  expect(statuses.get(200)).toBeGreaterThan(RUNS / 50);
  expect(statuses.get(400)).toBeGreaterThan(RUNS / 50);
});
