// The OpenAPI document: structurally valid, complete, up to date under contract/, and silent about aliases.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { generatedApiFiles } from '../../src/api/generated-files.ts';
import { openapiDocument } from '../../src/api/openapi.ts';
import { BASE_PATH } from '../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { SAMPLE_ENDPOINTS } from '../endpoints/sample-endpoints.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

const all = [...ENDPOINTS, ...SAMPLE_ENDPOINTS];
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

// The parts of the OpenAPI 3.1 structure that are used here, strictly: an unknown key is an error.
const reference = z.strictObject({ $ref: z.string().startsWith('#/components/') });
const jsonSchema = z.record(z.string(), z.unknown());
const header = z.union([reference, z.strictObject({ description: z.string(), schema: jsonSchema })]);
const content = z.record(
  z.string().includes('/'),
  z.strictObject({ schema: jsonSchema, example: jsonSchema.optional() }),
);
const origin = z.enum(['specification', 'project']);
const operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  tags: z.array(z.string()).length(1),
  summary: z.string().min(3),
  description: z.string().min(3),
  security: z.array(z.never()).optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(['query', 'path', 'header']),
        required: z.boolean(),
        description: z.string().min(3),
        schema: jsonSchema,
        style: z.literal('form').optional(),
        explode: z.boolean().optional(),
        'x-name-origin': origin,
      }),
    )
    .optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(
    z.string().regex(/^[1-5]\d\d$/),
    z.strictObject({ description: z.string().min(3), headers: z.record(z.string(), header), content }),
  ),
  'x-action-em': z.string().regex(/^action_/),
});
const document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.string(), description: z.string() })).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  tags: z.array(z.strictObject({ name: z.string() })),
  paths: z.record(z.string().startsWith('/'), z.record(z.enum(['get', 'post', 'put', 'delete']), operation.optional())),
  components: z.strictObject({
    securitySchemes: jsonSchema,
    headers: z.record(z.string(), header),
    schemas: z.record(z.string().regex(/^\w+$/), jsonSchema),
  }),
});

const JSON_SCHEMA_KEYS = new Set(
  (
    'type properties required items enum const description default format pattern minimum maximum minLength ' +
    'maxLength minItems maxItems additionalProperties propertyNames anyOf oneOf allOf $ref exclusiveMinimum ' +
    'exclusiveMaximum x-name-origin'
  ).split(' '),
);

/** Every keyword is one of JSON Schema's, and every reference points somewhere. */
function checkSchema(schema: unknown, root: z.infer<typeof document>, where: string): void {
  if (typeof schema === 'boolean') return;
  const entries = Object.entries(schema as object);
  for (const [key, value] of entries) {
    expect(JSON_SCHEMA_KEYS, `${where}.${key}`).toContain(key);
    if (key === '$ref') {
      const name = String(value).replace('#/components/schemas/', '');
      expect(root.components.schemas, `${where}: ${value}`).toHaveProperty(name);
    }
    if (key === 'properties') {
      for (const [name, inner] of Object.entries(value as object)) checkSchema(inner, root, `${where}.${name}`);
    } else if (['items', 'additionalProperties', 'propertyNames'].includes(key)) {
      checkSchema(value, root, `${where}.${key}`);
    } else if (['anyOf', 'oneOf', 'allOf'].includes(key)) {
      for (const inner of value as unknown[]) checkSchema(inner, root, `${where}.${key}`);
    }
  }
}

for (const [what, endpoints] of Object.entries({ 'the service': ENDPOINTS, 'all test-only endpoints': all })) {
  test(`the document of ${what} is valid OpenAPI 3.1`, () => {
    const plain: unknown = JSON.parse(JSON.stringify(openapiDocument(endpoints)));
    const parsed = document.parse(plain);
    const ids = new Set<string>();
    for (const [path, operations] of Object.entries(parsed.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const [method, entry] of Object.entries(operations)) {
        if (entry === undefined) continue;
        expect(ids, 'operationId is unique').not.toContain(entry.operationId);
        ids.add(entry.operationId);
        const declared = (entry.parameters ?? []).filter((parameter) => parameter.in === 'path');
        expect(declared.map(({ name, required }) => [name, required])).toEqual(inPath.map((name) => [name, true]));
        const contents = [...Object.values(entry.responses), ...(entry.requestBody ? [entry.requestBody] : [])];
        for (const body of contents.flatMap((part) => Object.values(part.content))) {
          checkSchema(body.schema, parsed, `${method} ${path}`);
        }
        for (const parameter of entry.parameters ?? []) checkSchema(parameter.schema, parsed, parameter.name);
      }
    }
    for (const [name, schema] of Object.entries(parsed.components.schemas)) checkSchema(schema, parsed, name);
  });
}

test('every endpoint and every parameter is in the document, with the origin of its name', () => {
  const { paths } = openapiDocument(all);
  for (const endpoint of all) {
    const path = `${BASE_PATH}${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
    const entry = operation.parse(JSON.parse(JSON.stringify(paths[path]?.[endpoint.method.toLowerCase()])));
    const form = entry.requestBody?.content['application/x-www-form-urlencoded']?.schema;
    const fields = z.record(z.string(), z.looseObject({ 'x-name-origin': origin })).parse(form?.properties ?? {});
    const documented = new Map([
      // Headers belong to the transport, not to the endpoint.
      ...(entry.parameters ?? [])
        .filter((parameter) => parameter.in !== 'header')
        .map((parameter): [string, string] => [parameter.name, parameter['x-name-origin']]),
      ...Object.entries(fields).map(([name, field]): [string, string] => [name, field['x-name-origin']]),
    ]);
    const expected = Object.entries(endpoint.params).map(([name, param]) => [name, param.traits.nameOrigin]);
    expect([...documented].sort()).toEqual(expected.sort());
  }
});

test('304 and the tag are documented for the endpoints that send them, and for no others', () => {
  const { paths } = openapiDocument(ENDPOINTS);
  const documented = ENDPOINTS.filter(({ path, method }) => {
    const place = `${BASE_PATH}${path.replace(/:(\w+)/g, '{$1}')}`;
    const entry = operation.parse(JSON.parse(JSON.stringify(paths[place]?.[method.toLowerCase()])));
    expect('304' in entry.responses).toBe('ETag' in entry.responses['200']!.headers);
    return '304' in entry.responses;
  });
  expect(documented.map(({ path }) => path).sort()).toEqual(['/reports', '/reports/batch', '/segment_introspections']);
  expect(documented).toEqual(ENDPOINTS.filter(({ revalidates }) => revalidates));
});

test('aliases are never printed', () => {
  const text = JSON.stringify(openapiDocument(all));
  expect(text).not.toContain('github');
  // an alias of a test-only parameter; real answers have fields of that name
  expect(JSON.stringify(openapiDocument(SAMPLE_ENDPOINTS))).not.toContain('"title":{');
});

test('the service hands the document out without a token, as it is checked in', async () => {
  const answer = await app.request({ route: 'GET /openapi.json', token: null });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(JSON.parse(readFileSync('contract/openapi.json', 'utf8')));
});

test('the generated files under contract/ are up to date', () => {
  for (const [path, content] of Object.entries(generatedApiFiles(ENDPOINTS))) {
    expect(readFileSync(path, 'utf8'), `${path}: run npm run generate`).toBe(content);
  }
});
