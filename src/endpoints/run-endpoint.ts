// The way of a call through an endpoint, whatever face it came in by: values are read by their types, the caller's
// right is decided once, the endpoint runs, and its answer gets the warnings. Nothing here knows of a transport.
import { actingIn, type Caller, type Role } from '../domain/access/caller.ts';
import { StrataError } from '../domain/errors.ts';
import type { ResourcePath } from '../domain/resource-path.ts';
import {
  type Client,
  type Grant,
  grantAccess,
  isSuperAdmin,
  type Operations,
  UNKNOWN_CLIENT,
} from '../operations/index.ts';
import type { Endpoint } from './endpoint.ts';
import { type ReadContext, Refusal } from './params/param.ts';
import { readValues } from './params/read-values.ts';
import { SessionAnswer } from './session-answer.ts';
import { TextAnswer } from './text-answer.ts';

export interface EndpointCall {
  /** Null where no credential was shown. */
  readonly caller: Caller | null;
  /** Name → value as it came: text, or any JSON value. */
  readonly given: ReadonlyMap<string, unknown>;
  readonly now: Date;
  /** Aborted when nobody waits for the answer any more. Looked at only by endpoints that wait for others. */
  readonly signal: AbortSignal;
  /** Where the call came from, for endpoints at the door. */
  readonly client?: Client;
}

export interface EndpointAnswer {
  /** An object with its envelope and warnings, a bare list, or a text. */
  readonly body: unknown;
  /** For lists and texts, which have no place for them. */
  readonly warnings: readonly string[];
  /** A session that begins with the answer; null where the caller's own ends. */
  readonly session?: SessionAnswer<unknown>['session'];
}

type Values = Readonly<Record<string, unknown>>;
const NO_PARAMS: Values = Object.freeze({});

export type EndpointRunner = (call: EndpointCall) => Promise<EndpointAnswer>;

export function createEndpointRunner(endpoint: Endpoint, ops: Operations): EndpointRunner {
  const usesZone = Object.values(endpoint.params).some((param) => param.type.usesZone === true);
  const hasParams = Object.keys(endpoint.params).length > 0;

  return async (call) => {
    const { given, now } = call;
    const named = call.caller === null || !mayNameOthers(call.caller) ? undefined : namedEntity(endpoint, given, now);
    const caller = call.caller === null ? null : actingIn(call.caller, named);
    if (caller === null && endpoint.access !== 'public') throw new Error(`${endpoint.path}: a call needs a caller`);
    if (endpoint.access === 'super_admin' && !(caller !== null && isSuperAdmin(caller))) {
      throw new StrataError('forbidden', 'this action needs a super admin');
    }
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    const isOfResource = typeof endpoint.access === 'object';
    const place = caller !== null && (isOfResource || usesZone) ? await ops.access.locate(caller, named) : null;
    const zone = place?.settings.time_zone ?? 'UTC';
    const params = hasParams || given.size > 0 ? readInput(endpoint, given, { zone, now, warn }) : NO_PARAMS;
    let grant: Grant<Role> | null = null;
    if (place !== null && caller !== null && typeof endpoint.access === 'object') {
      const { resource, lower } = endpoint.access;
      const role = lower !== undefined && params[lower.given] !== undefined ? lower.resource : resource;
      grant = grantAccess(place, pathsOf(params, caller), role);
    }
    const result = await endpoint.run({
      params,
      caller,
      grant,
      ops,
      now,
      get signal() {
        return call.signal;
      },
      client: call.client ?? UNKNOWN_CLIENT,
      warn,
    });
    return answerWith(endpoint, result, warnings);
  };
}

/** Others act where their token is, whatever a call names. */
const mayNameOthers = (caller: Caller): boolean => caller.is_super_admin || caller.elsewhere !== undefined;

/** The entity that a call names whose caller may act in others: its times are in that entity's zone. */
function namedEntity(endpoint: Endpoint, given: ReadonlyMap<string, unknown>, now: Date): string | undefined {
  const param = endpoint.params.resource_path;
  const value = given.get('resource_path');
  if (param === undefined || value === undefined || value === null || value === '') return undefined;
  try {
    const read = param.type.read(value, { zone: 'UTC', now, warn: () => undefined });
    return asPaths(read as ResourcePath | readonly ResourcePath[])[0]?.entity;
  } catch (error) {
    // Refused with everything else that is wrong with the call.
    if (error instanceof Refusal || error instanceof StrataError) return undefined;
    throw error;
  }
}

/** The parameter takes one path or several, by the endpoint. */
const asPaths = (read: ResourcePath | readonly ResourcePath[]): readonly ResourcePath[] =>
  'entity' in read ? [read] : read;

/** What the call names; the caller's own entity where it names nothing. */
function pathsOf(params: Values, caller: Caller): readonly ResourcePath[] {
  const named = params.resource_path as ResourcePath | readonly ResourcePath[] | undefined;
  if (named === undefined) return [{ entity: caller.entity_slug, organization: null, repo: null }];
  return asPaths(named);
}

function readInput(endpoint: Endpoint, given: ReadonlyMap<string, unknown>, context: ReadContext): Values {
  const { values, errors } = readValues(endpoint.params, given, context);
  const problems = Object.entries(errors);
  if (problems.length > 0) {
    const detail = problems.map(([name, messages]) => `${name}: ${messages.join('; ')}`).join('. ');
    throw new StrataError('invalid_parameter', detail, { errors });
  }
  return values;
}

function answerWith(endpoint: Endpoint, result: unknown, warnings: readonly string[]): EndpointAnswer {
  if (result instanceof SessionAnswer) {
    return { ...answerWith(endpoint, result.body, warnings), session: result.session };
  }
  if (Array.isArray(result) || result instanceof TextAnswer) return { body: result, warnings };
  const envelope = endpoint.returns.hasEnvelope
    ? { action_em: endpoint.action, response_em: 'response_success' }
    : undefined;
  return {
    body: { ...envelope, ...Object(result), ...(warnings.length > 0 ? { warnings } : undefined) },
    warnings: [],
  };
}
