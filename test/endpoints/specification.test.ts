import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { SPECIFIED_CALLS } from './specification-tables.ts';

type Schema = {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

const words = (text: string): string[] => text.trim().split(/\s+/).filter(Boolean);

/** The schemas that `step` leads to: through references and every branch of a choice, into lists for `[]`. */
function follow(schemas: Schema[], step: string, definitions: Record<string, Schema>): Schema[] {
  const flat = (schema: Schema): Schema[] => {
    const target = schema.$ref === undefined ? undefined : definitions[schema.$ref.replace('#/$defs/', '')];
    return [schema, ...[target ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat().flatMap(flat)];
  };
  const next = step === '[]' ? (s: Schema) => s.items : (s: Schema) => s.properties?.[step];
  return schemas.flatMap(flat).flatMap((schema) => next(schema) ?? []);
}

const hasField = (schema: Schema, path: string): boolean =>
  path
    .replaceAll('[]', '.[]')
    .split('.')
    .filter(Boolean)
    .reduce<Schema[]>((found, step) => follow(found, step, schema.$defs ?? {}), [schema]).length > 0;

const endpointOf = (route: string) => ENDPOINTS.find(({ method, path }) => `${method} ${path}` === route);

describe.each(Object.entries(SPECIFIED_CALLS))('%s', (route, call) => {
  const endpoint = endpointOf(route);

  test('is served, with the action of the specification', () => {
    expect(endpoint).toBeDefined();
    if (call.action !== null) expect(endpoint?.action).toBe(call.action);
  });

  test.each(words(call.params))('takes %s', (word) => {
    const [name = '', ...aliases] = word.replace(/[~!]/g, '').split('|');
    const traits = endpoint?.params[name]?.traits;
    expect(traits, name).toBeDefined();
    expect(traits?.isRequired, `${name} is required`).toBe(word.includes('!'));
    expect(traits?.nameOrigin, `who named ${name}`).toBe(word.startsWith('~') ? 'project' : 'specification');
    expect(traits?.aliases).toEqual(expect.arrayContaining(aliases));
  });

  test('answers with every documented field', () => {
    const wire = endpoint?.returns.wireSchema(endpoint.action) ?? z.never();
    const schema: Schema = z.toJSONSchema(wire, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema;
    expect(words(call.fields).filter((path) => !hasField(schema, path))).toEqual([]);
  });
});

test('a field that no answer has is noticed', () => {
  expect(hasField({ properties: { a: { items: { properties: { b: {} } } } } }, 'a[].b')).toBe(true);
  expect(hasField({ properties: { a: { items: { properties: { b: {} } } } } }, 'a[].c')).toBe(false);
});
