// The contract as TypeScript, for programs that call the API: each call with its parameters and its answer, made from
// the OpenAPI document. It covers the JSON Schema that the document uses and refuses any other.
import type { openapiDocument } from '../openapi.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: Schema }>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const BASE = '/api/v1';
const JSON_TYPE = 'application/json';
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const quoted = (name: string): string => `'${name.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value));
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

interface Place {
  readonly depth: number;
  /** A list of values may also be given as one value. */
  readonly isInput: boolean;
  /** The property that the type is of. */
  readonly name: string;
  readonly enums: NamedEnums;
}

/** Long lists of values get a name of their own, after the property that they are first seen at. */
class NamedEnums {
  readonly #byValues = new Map<string, string>();

  nameOf(values: string, property: string): string {
    const known = this.#byValues.get(values);
    if (known !== undefined) return known;
    const taken = new Set(this.#byValues.values());
    const base = property.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`;
    this.#byValues.set(values, name);
    return name;
  }

  render(): string[] {
    return [...this.#byValues].flatMap(([values, name]) => [
      `export type ${name} =`,
      ...values.split(' | ').map((value, index, all) => `  | ${value}${index === all.length - 1 ? ';' : ''}`),
      '',
    ]);
  }
}

const LONG_ENUM = 8;

function typeOf(schema: Schema, place: Place): string {
  const { isInput } = place;
  const inner = (each: Schema): string => typeOf(each, place);
  if (schema.$ref !== undefined) return `Schemas[${quoted(schema.$ref.split('/').at(-1)!)}]`;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) {
    const values = union(schema.enum.map(literal));
    return schema.enum.length < LONG_ENUM ? values : place.enums.nameOf(values, place.name);
  }
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(inner));
  if (schema.allOf !== undefined) return schema.allOf.map(inner).join(' & ');
  if (schema.type === 'array') {
    const item = schema.items === undefined ? 'unknown' : inner(schema.items);
    const list = `readonly ${/[|&]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`;
    return isInput ? `${item} | ${list}` : list;
  }
  if (schema.type === 'object') return objectOf(schema, place);
  if (typeof schema.type === 'object') return union(schema.type.map((type) => inner({ ...schema, type })));
  if (schema.type === undefined) return 'unknown';
  const scalar = SCALARS[schema.type];
  if (scalar === undefined) throw new Error(`no type for ${JSON.stringify(schema).slice(0, 200)}`);
  return scalar;
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly description?: string | undefined;
}

const LONGEST_NOTE = 200;

/** Whole sentences of it, as far as a reader's line goes. */
function note(description: string): string {
  const text = description.replaceAll('*/', '* /').replace(/\s+/g, ' ');
  if (text.length <= LONGEST_NOTE) return text;
  const end = text.lastIndexOf('. ', LONGEST_NOTE);
  return end === -1 ? `${text.slice(0, LONGEST_NOTE)}…` : text.slice(0, end + 1);
}

function fieldsOf(fields: readonly Field[], place: Place): string {
  if (fields.length === 0) return 'Record<never, never>';
  const { depth } = place;
  const pad = '  '.repeat(depth + 1);
  const lines = fields.map(({ name, isRequired, schema, description }) => {
    const remark = description === undefined ? '' : `${pad}/** ${note(description)} */\n`;
    const type = typeOf(schema, { ...place, depth: depth + 1, name });
    return `${remark}${pad}readonly ${keyOf(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};\n`;
  });
  return `{\n${lines.join('')}${'  '.repeat(depth)}}`;
}

function objectOf(schema: Schema, place: Place): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.entries(properties);
  if (names.length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, place) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const fields = names.map(([name, each]) => ({
    name,
    isRequired: required.includes(name),
    schema: each,
    description: each.description,
  }));
  return fieldsOf(fields, place);
}

function paramsOf({ parameters = [], requestBody }: Operation, enums: NamedEnums): string {
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const inBody = Object.entries(body?.properties ?? {}).map(
    ([name, schema]): Field => ({
      name,
      isRequired: body?.required?.includes(name) ?? false,
      schema,
      description: schema.description,
    }),
  );
  const named = parameters.filter((each) => each.in !== 'header');
  const others = named.map(
    ({ name, required, schema, description }): Field => ({
      name,
      isRequired: required,
      schema,
      description,
    }),
  );
  return fieldsOf([...others, ...inBody], { depth: 2, isInput: true, name: '', enums });
}

function callOf(path: string, method: string, operation: Operation, enums: NamedEnums): string {
  const route = `${method.toUpperCase()} ${path.slice(BASE.length).replace(/\{(\w+)\}/g, ':$1')}`;
  const answer = operation.responses[200]?.content[JSON_TYPE]?.schema ?? {};
  return [
    `  /** ${operation.summary}. */`,
    `  readonly ${quoted(route)}: {`,
    `    readonly params: ${paramsOf(operation, enums)};`,
    `    readonly answer: ${typeOf(answer, { depth: 2, isInput: false, name: 'answer', enums })};`,
    '  };',
  ].join('\n');
}

/** The text of a module of types. */
export function schemaTypes(source: ReturnType<typeof openapiDocument>): string {
  const { paths, components } = source as unknown as Document;
  const enums = new NamedEnums();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => callOf(path, method, operation, enums)),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `  readonly ${keyOf(name)}: ${typeOf(schema, { depth: 1, isInput: false, name, enums })};`,
  );
  return [
    '// Generated by `strata generate` from the endpoint list.',
    '// biome-ignore-all format: generated',
    '// biome-ignore-all lint: generated',
    '// biome-ignore-all assist: generated',
    '',
    ...enums.render(),
    '/** Schemas that several calls share. */',
    'export interface Schemas {',
    ...schemas,
    '}',
    '',
    '/** Method and path below /api/v1, with `:name` for a parameter in the path → what it takes and answers. */',
    'export interface Calls {',
    ...calls,
    '}',
    '',
    'export type Call = keyof Calls;',
    "export type Params<C extends Call> = Calls[C]['params'];",
    '/** The JSON of a 200. */',
    "export type Answer<C extends Call> = Calls[C]['answer'];",
    "export type ErrorAnswer = Schemas['Error'];",
    '',
  ].join('\n');
}
