// Holds what a double is sent and answers against the product's published description. Nothing that is not described is
// answered, so a connector cannot come to lean on it.
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';

interface Operation {
  readonly query: readonly string[];
  readonly request: object | null;
  readonly answer: object | null;
  readonly example: unknown;
}

export interface Description {
  /** Throws where the request has a parameter or field that is not described. */
  checkRequest(operation: string, query: URLSearchParams, body: unknown): void;
  checkAnswer(operation: string, body: unknown): void;
}

export function readDescription(file: string): Description {
  const { paths, schemas } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as {
    paths: Record<string, Operation>;
    schemas: Record<string, object>;
  };
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const validators = new Map<string, ValidateFunction>();
  const check = (what: string, schema: object, value: unknown): void => {
    const validate = validators.get(what) ?? ajv.compile({ ...schema, components: { schemas } });
    validators.set(what, validate);
    if (!validate(value)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}`);
  };
  const find = (name: string): Operation => {
    const operation = paths[name];
    if (operation === undefined) throw new Error(`${name} is not described`);
    return operation;
  };
  return {
    checkRequest(name, query, body) {
      const operation = find(name);
      for (const parameter of query.keys()) {
        if (!operation.query.includes(parameter)) throw new Error(`${name}: ${parameter} is not described`);
      }
      if (operation.request !== null) check(`${name} request`, operation.request, body);
    },
    checkAnswer(name, body) {
      const operation = find(name);
      // Descriptions forget that a value may be null; it is then as good as left out.
      const plain = withoutNulls(body);
      if (operation.answer !== null) check(`${name} answer`, operation.answer, plain);
      else checkNames(name, operation.example, plain);
    },
  };
}

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  // Without a prototype: a field named toString is else there even when it is not.
  const plain: Record<string, unknown> = Object.create(null);
  for (const [name, each] of Object.entries(value)) if (each !== null) plain[name] = withoutNulls(each);
  return plain;
};

function checkNames(what: string, example: unknown, value: unknown): void {
  if (Array.isArray(value)) {
    const examples = Array.isArray(example) ? example : [];
    const merged = Object.assign({}, ...examples.filter((each) => typeof each === 'object'));
    for (const each of value) checkNames(what, typeof examples[0] === 'object' ? merged : examples[0], each);
    return;
  }
  if (typeof value !== typeof example) throw new Error(`${what}: ${typeof value} in place of ${typeof example}`);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    const known = (example as Record<string, unknown>)[name];
    if (known === undefined) throw new Error(`${what}: ${name} is not in the example`);
    checkNames(`${what} ${name}`, known, each);
  }
}
