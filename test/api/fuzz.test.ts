// Random requests over all endpoints: never a 5xx, never a hang, and every refusal has the envelope
// (createTestApp checks that). The seed is printed when a run fails; STRATA_FUZZ_RUNS asks for more.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Param } from '../../src/endpoints/params/param.ts';
import { createRepoMirrors } from '../../src/jobs/repo-mirrors.ts';
import { SAMPLE_ENDPOINTS } from '../endpoints/sample-endpoints.ts';
import { addCommit, addPerson, entityIdOf } from '../operations/people/people-kit.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { importSettings } from '../support/import-settings.ts';

const RUNS = Number(process.env.STRATA_FUZZ_RUNS ?? 1_000);
const MEANT_TO_FAIL = ['/samples/fail', '/samples/crash', '/samples/slow', '/slow_samples'];
const endpoints = [...ENDPOINTS, ...SAMPLE_ENDPOINTS].filter(({ path }) => !MEANT_TO_FAIL.includes(path));

let app: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'strata-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  const imports = importSettings(folder);
  app = await createTestApp({
    endpoints,
    logLevel: 'error',
    parts: (store) => ({ mirrors: createRepoMirrors({ store, sources: [], imports, now: () => new Date() }) }),
  });
  const entityId = await entityIdOf(app.store, 'acme');
  for (const name of ['ada', 'bo']) {
    const id = await addPerson(app.store, entityId, { name });
    await addCommit(app.store, entityId, id, 'o/r', '2026-10-05T10:00:00Z');
  }
});

/** Values by which a request gets past the door: they name what there is. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  resource_path: ['acme', 'acme/o', 'acme/o/r', 'other', 'acme,acme/o'],
  committer_user_name: ['ada', 'bo', 'ada,bo', ['ada', 'nobody']],
  committer_identifier: ['ada@example.com', 'bo', 'nobody'],
  developer_members: ['ada', ['bo', 'new@example.com'], 'nobody'],
  manager_members: ['ada', 'boss@example.com'],
  remove_members: ['ada', 'nobody'],
  name: ['Core', 'core', 'Ops', 'all-contributors'],
  team_slug: ['core', 'all-contributors', 'ops'],
  repo_path: ['o/r'],
  repo_paths: ['o/r', ['o/r', 'x/y']],
};

const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }));

const valueFor = (name: string, param: Param<unknown>, isTame: boolean): fc.Arbitrary<unknown> => {
  const own = fc.constantFrom(...(KNOWN[name] ?? param.type.examples.right));
  if (isTame) return own;
  return fc.oneof(
    { weight: 6, arbitrary: own },
    { weight: 2, arbitrary: fc.constantFrom(...param.type.examples.wrong) },
    { weight: 2, arbitrary: anything },
  );
};

/** Tame requests have only right values and what is required, so that they reach what the endpoint does. */
function requestFor([endpoint, isTame]: readonly [Endpoint, boolean]) {
  const names = Object.entries(endpoint.params).flatMap(([name, param]) =>
    (isTame ? [name] : [name, ...param.traits.aliases]).map((known): [string, fc.Arbitrary<unknown>] => [
      known,
      valueFor(name, param, isTame),
    ]),
  );
  const required = Object.keys(endpoint.params).filter((name) => endpoint.params[name]!.traits.isRequired);
  return fc.record({
    endpoint: fc.constant(endpoint),
    params: fc.record(Object.fromEntries(names), { requiredKeys: isTame ? required : [] }),
    unknown: fc.dictionary(fc.string(), anything, { maxKeys: 2 }),
    encoding: fc.constantFrom('json', 'form', 'query'),
    role: fc.constantFrom('member', 'manager', 'admin', 'superAdmin', 'foreignAdmin', 'none'),
  });
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '?') : JSON.stringify(value);

test(`${RUNS} random requests are answered, none of them with a fault`, { timeout: 600_000 }, async () => {
  const statuses = new Map<number, number>();
  const request = fc.tuple(fc.constantFrom(...endpoints), fc.boolean()).chain(requestFor);
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
      expect(answer.status, `${answer.text}\n${answer.status < 500 ? '' : app.logged().slice(-3000)}`).toBeLessThan(
        500,
      );
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }),
    { numRuns: RUNS },
  );
  console.log('answers by status:', Object.fromEntries([...statuses].sort()));
  // A fuzzer that is refused at the door tests nothing.
  expect(statuses.get(200)).toBeGreaterThan(RUNS / 50);
  expect(statuses.get(400)).toBeGreaterThan(RUNS / 50);
});
