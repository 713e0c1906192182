// What the GitHub double answers is what GitHub documents: each answer is held against the published
// OpenAPI description of the operation asked for.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCodeHosts } from '../../../src/connectors/hosts/code-hosts.ts';
import { GITHUB_TOKEN, startGithub } from '../../world/host-doubles/github.ts';
import type { HostDouble } from '../../world/host-doubles/host-double.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly schema: object } };
}
interface Description {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: Readonly<Record<string, Response>> } }>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}
const description: Description = JSON.parse(
  readFileSync(new URL('../../world/host-doubles/github-openapi.json', import.meta.url), 'utf8'),
);

const ajv = new Ajv({ strict: false, allErrors: true, discriminator: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'github', ...description });

/** The compiled schema of the documented answer. References point into the description. */
function schemaOf(path: string, status: number): ValidateFunction {
  const documented = description.paths[path]!.get.responses[status];
  if (documented === undefined) throw new Error(`GitHub documents no answer ${status} of ${path}`);
  const response =
    documented.$ref === undefined ? documented : description.components.responses[documented.$ref.split('/').at(-1)!]!;
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`the answer ${status} of ${path} has no schema`);
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"github#/')));
}

const operationOf = (path: string): string =>
  path.replace('/api/v3', '').replace(/^\/orgs\/[^/]+\/repos$/, '/orgs/{org}/repos');

let double: HostDouble;
beforeAll(async () => {
  double = await startGithub();
});
afterAll(() => double.close());

test('every answer that the connector gets validates', async () => {
  const signal = new AbortController().signal;
  const account = { provider: 'hostC', email: '', organization_name: null, tenant_id: null } as const;
  const hosts = createCodeHosts({ allowPrivate: true, now: () => new Date() });
  const good = hosts.connect({ ...account, endpoint_url: double.address, token: GITHUB_TOKEN });
  const user = await good.whoAmI(signal);
  for await (const organizations of good.listOrganizations(user, signal)) {
    for (const organization of organizations) {
      for await (const _ of good.listRepos(organization, signal));
    }
  }
  const bad = hosts.connect({ ...account, endpoint_url: double.address, token: 'bad' });
  await expect(bad.whoAmI(signal)).rejects.toThrow();
  const asked = new Set<string>();
  for (const { request, answer } of double.exchanges) {
    const operation = operationOf(request.path);
    const validate = schemaOf(operation, answer.status ?? 200);
    expect(validate(answer.body), `${operation}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    asked.add(`${operation} ${answer.status ?? 200}`);
  }
  expect([...asked].sort()).toEqual([
    '/orgs/{org}/repos 200',
    '/user 200',
    '/user 401',
    '/user/orgs 200',
    '/user/repos 200',
  ]);
});

test('an answer that GitHub would not give fails', () => {
  const validate = schemaOf('/user/orgs', 200);
  const [organization] = double.exchanges.find(({ request }) => request.path.endsWith('/orgs'))!.answer
    .body as object[];
  expect(validate([organization])).toBe(true);
  expect(validate([{ ...organization, id: 'not a number' }])).toBe(false);
  const { login: _, ...nameless } = organization as { login: string };
  expect(validate([nameless])).toBe(false);
});
