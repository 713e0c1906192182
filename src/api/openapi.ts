// The OpenAPI 3.1 document, made from the endpoint list. `x-name-origin` says whether a parameter's name
// comes from the specification or was chosen here because the specification leaves it open.
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../domain/errors.ts';
import { type Access, BASE_PATH, type Endpoint } from '../endpoints/endpoint.ts';
import type { JsonSchema, Param } from '../endpoints/params/param.ts';
import { describeTextHeaders } from './text-headers.ts';
import { takesKey } from './writes/idempotency-key.ts';

const ANY_ENDPOINT: readonly ErrorCode[] = [
  'invalid_parameter',
  'payload_too_large',
  'unsupported_media_type',
  'misdirected',
  'internal',
  'unavailable',
  'timeout',
];

/** Errors an endpoint can answer with: the common ones, those of its access, and its own. */
export function errorsOf(endpoint: Endpoint): readonly ErrorCode[] {
  const byAccess: readonly ErrorCode[] =
    endpoint.access === 'public'
      ? []
      : endpoint.access === 'token'
        ? ['unauthorized', 'rate_limited']
        : endpoint.access === 'super_admin'
          ? ['unauthorized', 'rate_limited', 'forbidden']
          : ['unauthorized', 'rate_limited', 'forbidden', 'not_found'];
  // A page of another site may change nothing.
  const byMethod: readonly ErrorCode[] = endpoint.method === 'GET' ? [] : ['forbidden'];
  const byKey: readonly ErrorCode[] = takesKey(endpoint) ? ['conflict', 'unprocessable'] : [];
  const wanted = new Set<ErrorCode>([...ANY_ENDPOINT, ...byAccess, ...byMethod, ...byKey, ...endpoint.fails]);
  return errorCodes().filter((code) => wanted.has(code));
}

const errorCodes = (): ErrorCode[] => Object.keys(ERRORS) as ErrorCode[];

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['action_em', 'response_em', 'response_detail'],
  properties: {
    action_em: { type: 'string', description: 'Names the action; action_unknown where none was reached.' },
    response_em: { type: 'string', enum: [...new Set(Object.values(ERRORS).map((row) => row.response_em))] },
    response_detail: { type: 'string', description: 'A sentence for people.' },
    errors: {
      type: 'object',
      description: 'Parameter → what is wrong with it.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

const ACCESS_WORDS: Record<Exclude<Access, object>, string> = {
  public: 'No token needed.',
  token: 'Any valid token or session.',
  super_admin: 'The token or session of a super admin.',
};
const accessWords = (access: Access): string =>
  typeof access === 'string'
    ? ACCESS_WORDS[access]
    : `A token of the entity with at least the role ${access.resource}${
        access.lower === undefined ? '' : `; with ${access.lower.given} the role ${access.lower.resource} is enough`
      }.`;

/** Fields shared by a parameter in the query and a property of a body. */
function describe(param: Param<unknown>): { description?: string; schema: JsonSchema } {
  const { traits, type } = param;
  const description = [traits.description, `${type.name}: ${type.accepts}.`].filter((text) => text !== '').join(' ');
  const fallback = traits.defaultValue === undefined ? undefined : { default: traits.defaultValue };
  return { description, schema: { ...type.schema, ...fallback } };
}

function queryParameter(name: string, param: Param<unknown>, place: 'query' | 'path') {
  return {
    name,
    in: place,
    required: param.traits.isRequired,
    ...describe(param),
    ...(param.type.schema.type === 'array' ? { style: 'form', explode: true } : {}),
    'x-name-origin': param.traits.nameOrigin,
  };
}

function requestBody(params: readonly (readonly [string, Param<unknown>])[]) {
  const required = params.filter(([, param]) => param.traits.isRequired).map(([name]) => name);
  const schema = {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      params.map(([name, param]) => {
        const { description, schema } = describe(param);
        return [name, { ...schema, description, 'x-name-origin': param.traits.nameOrigin }];
      }),
    ),
  };
  return {
    required: required.length > 0,
    content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } },
  };
}

type Schemas = Record<string, unknown>;

/** A zod schema as JSON Schema; schemas with an id become components. */
function toJsonSchema(schema: z.ZodType, components: Schemas): unknown {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  const link = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
  for (const [id, definition] of Object.entries($defs)) components[id] = link(definition);
  return link(rest);
}

const RATE_HEADERS = Object.fromEntries(
  [
    ['X-RateLimit-Limit', 'Requests per minute allowed to the token.'],
    ['X-RateLimit-Remaining', 'Requests left in the running minute.'],
    ['X-RateLimit-Reset', 'Seconds until the minute ends.'],
  ].map(([name, description]) => [name, { description, schema: { type: 'integer' } }]),
);
const TRACE_HEADER = {
  'X-Trace-Identifier': { description: 'Finds the request in the logs.', schema: { type: 'string' } },
};

const TAG_HEADER = { ETag: { description: 'Of this answer; send it as If-None-Match.', schema: { type: 'string' } } };
const UNCHANGED = {
  description: 'The answer is still the one that If-None-Match names. No body.',
  headers: { ...TRACE_HEADER, ...RATE_HEADERS, ...TAG_HEADER },
  content: {},
};

const REFUSED = ERRORS.unprocessable.status;

function responses(endpoint: Endpoint, components: Schemas) {
  const wire = endpoint.returns.wireSchema(endpoint.action);
  const saysElsewhere = wire instanceof z.ZodArray || endpoint.textAnswer !== null;
  const warnings = saysElsewhere ? { 'X-Warnings': { $ref: '#/components/headers/X-Warnings' } } : {};
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(endpoint)) {
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  }
  const { textAnswer, refusal } = endpoint;
  const ofText = Object.entries(textAnswer === null ? {} : describeTextHeaders(textAnswer)).map(
    ([name, description]) => [name, { description, schema: { type: 'string' } }],
  );
  const error = { $ref: '#/components/schemas/Error' };
  const refused =
    Object.keys(refusal).length === 0 ? error : { allOf: [error, toJsonSchema(z.object(refusal), components)] };
  return {
    200: {
      description: 'Done.',
      headers: {
        ...TRACE_HEADER,
        ...(endpoint.access === 'public' ? {} : RATE_HEADERS),
        ...(endpoint.revalidates ? TAG_HEADER : {}),
        ...warnings,
        ...Object.fromEntries(ofText),
      },
      content: {
        'application/json': { schema: toJsonSchema(wire, components) },
        ...(textAnswer === null ? {} : { [textAnswer.contentType]: { schema: { type: 'string' } } }),
      },
    },
    ...(endpoint.revalidates ? { 304: UNCHANGED } : {}),
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `${ERRORS[code].response_em}: ${ERRORS[code].meaning}`).join(' '),
          headers: TRACE_HEADER,
          content: {
            'application/json': {
              schema: status === REFUSED ? refused : error,
              example: {
                action_em: endpoint.action,
                response_em: ERRORS[codes[0]!].response_em,
                response_detail: ERRORS[codes[0]!].meaning,
              },
            },
          },
        },
      ]),
    ),
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat for 24 hours: another one with the same key, method, address and parameters is not ' +
    'carried out and gets the answer of the first, with the header Idempotency-Repeated. With other parameters it is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  'x-name-origin': 'project',
};

const operationId = ({ method, path }: Endpoint): string =>
  [method.toLowerCase(), ...path.split(/[^\w]+/).filter((part) => part !== '')].join('_');

function operation(endpoint: Endpoint, components: Schemas) {
  const entries = Object.entries(endpoint.params);
  const inPath = entries.filter(([name]) => endpoint.pathParams.includes(name));
  const others = entries.filter(([name]) => !endpoint.pathParams.includes(name));
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT';
  const parameters = [
    ...inPath.map(([name, param]) => queryParameter(name, param, 'path')),
    ...(hasBody ? [] : others.map(([name, param]) => queryParameter(name, param, 'query'))),
    ...(takesKey(endpoint) ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: operationId(endpoint),
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: [endpoint.description, accessWords(endpoint.access)].filter((text) => text !== '').join('\n\n'),
    ...(endpoint.access === 'public' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody && others.length > 0 ? { requestBody: requestBody(others) } : {}),
    responses: responses(endpoint, components),
    'x-action-em': endpoint.action,
  };
}

export function openapiDocument(endpoints: readonly Endpoint[]) {
  const components: Schemas = { Error: ERROR_SCHEMA };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = `${BASE_PATH}${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Strata API',
      version: '1',
      description:
        'Code analytics of git repositories. Parameters are accepted in the query, as a form and as JSON on ' +
        'every endpoint. A parameter that is not known is ignored with a warning in the answer. The dashboard calls with the ' +
        'cookie of a session instead of a token; then a call that changes something must come from a page of this server, with ' +
        'its body in JSON. ' +
        'Telemetry of coding tools is taken at /api/v1/otlp/v1/metrics, logs and traces, by the contract of OTLP over HTTP.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ token: [] }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, as in credentials.json.' },
      },
      headers: {
        'X-Warnings': {
          description: 'Warnings as a JSON array, where the answer itself is an array or no JSON.',
          schema: { type: 'string' },
        },
      },
      schemas: components,
    },
  };
}
