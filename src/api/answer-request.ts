// From an admitted request to its answer: gather the parameters, read them, check the right on the
// resource, run the endpoint, wrap the result.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../domain/access/caller.ts';
import { StrataError } from '../domain/errors.ts';
import type { ResourcePath } from '../domain/resource-path.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { mergeInput, parseEncoded, queryOf } from '../endpoints/params/raw-input.ts';
import { readValues } from '../endpoints/params/read-values.ts';
import { TextAnswer } from '../endpoints/text-answer.ts';
import type { Operations } from '../operations/index.ts';

const LONGEST_HEADER = 4_000;
const NO_PARAMS: Readonly<Record<string, unknown>> = Object.freeze({});

type Values = Readonly<Record<string, unknown>>;

export function createAnswerer(endpoint: Endpoint, ops: Operations) {
  const usesZone = Object.values(endpoint.params).some((param) => param.type.usesZone === true);

  return async function answerRequest(request: FastifyRequest, reply: FastifyReply, caller: Caller | null) {
    const now = new Date();
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    const given = gatherInput(endpoint, request);
    const zone =
      usesZone && caller !== null ? await ops.entities.timeZone(caller, namedEntity(endpoint, given)) : 'UTC';
    const params = given === null ? NO_PARAMS : readInput(endpoint, given, { zone, now, warn });
    if (typeof endpoint.access === 'object')
      await checkResource(endpoint, endpoint.access.resource, params, caller, ops);
    const result = await endpoint.run({
      params,
      caller,
      ops,
      now,
      get signal() {
        return request.deadline!.signal;
      },
      warn,
    });
    return wrap(endpoint, result, warnings, reply);
  };
}

type Given = ReturnType<typeof mergeInput>;

/** Null where there is nothing to read. */
function gatherInput(endpoint: Endpoint, request: FastifyRequest): Given | null {
  const query = queryOf(request.url);
  const { body } = request;
  const hasInput = query !== '' || body != null || endpoint.pathParams.length > 0;
  if (!hasInput && Object.keys(endpoint.params).length === 0) return null;
  return mergeInput(
    parseEncoded(query, 'query'),
    typeof body === 'object' && body !== null ? { ...body } : undefined,
    endpoint.pathParams.length > 0 ? { ...Object(request.params) } : undefined,
  );
}

/** The entity that the paths begin with, whose zone their times are in; not checked yet. */
function namedEntity(endpoint: Endpoint, given: Given | null): string | undefined {
  const paths = endpoint.params.resource_path === undefined ? undefined : given?.get('resource_path');
  const first = Array.isArray(paths) ? paths[0] : paths;
  return typeof first === 'string' ? /[^/,\s]+/.exec(first)?.[0] : undefined;
}

function readInput(endpoint: Endpoint, given: Given, context: Parameters<typeof readValues>[2]): Values {
  const { values, errors } = readValues(endpoint.params, given, context);
  const problems = Object.entries(errors);
  if (problems.length > 0) {
    const detail = problems.map(([name, messages]) => `${name}: ${messages.join('; ')}`).join('. ');
    throw new StrataError('invalid_parameter', detail, { errors });
  }
  return values;
}

async function checkResource(
  endpoint: Endpoint,
  role: Parameters<Operations['entities']['requireAccess']>[2],
  params: Values,
  caller: Caller | null,
  ops: Operations,
): Promise<void> {
  if (caller === null) throw new Error(`${endpoint.path}: a resource needs a caller`);
  const own: ResourcePath = { entity: caller.entity_slug, organization: null, repo: null };
  const given = params.resource_path as ResourcePath | readonly ResourcePath[] | undefined;
  const paths: readonly ResourcePath[] = given === undefined ? [own] : 'entity' in given ? [given] : given;
  await ops.entities.requireAccess(caller, paths, role);
}

function wrap(endpoint: Endpoint, result: unknown, warnings: readonly string[], reply: FastifyReply): unknown {
  if (Array.isArray(result) || result instanceof TextAnswer) {
    if (warnings.length > 0) reply.header('x-warnings', asciiJson(warnings));
    if (!(result instanceof TextAnswer)) return result;
    reply.type(result.contentType).headers(result.headers);
    return result.text;
  }
  const envelope = endpoint.returns.hasEnvelope
    ? { action_em: endpoint.action, response_em: 'response_success' }
    : undefined;
  return { ...envelope, ...Object(result), ...(warnings.length > 0 ? { warnings } : undefined) };
}

/** A JSON array that fits into a header: ASCII only, and whole items only. */
function asciiJson(items: readonly string[]): string {
  const kept = [...items];
  for (;;) {
    const text = JSON.stringify(kept).replace(
      /[\u007f-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (text.length <= LONGEST_HEADER || kept.length <= 1) return text.slice(0, LONGEST_HEADER * 4);
    kept.pop();
  }
}
