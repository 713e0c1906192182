// The way of a call through an endpoint, whatever face it came in by: values are read by their types, the caller's
// right is decided once, the endpoint runs, and its answer gets the warnings. What may change something goes into the
// activity trail, whether it was done or refused. Nothing here knows of a transport.
import { actingIn, type Caller, type Role } from '../domain/access/caller.ts';
import type { Outcome } from '../domain/activity/activity.ts';
import { StrataError } from '../domain/errors.ts';
import { formatResourcePath, type ResourcePath } from '../domain/resource-path.ts';
import {
  type Client,
  type Grant,
  grantAccess,
  isSuperAdmin,
  type Operations,
  outcomeOf,
  type Place,
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
  /** Where the call came from, for endpoints at the door and the activity trail. */
  readonly client?: Client;
  /** Under which the log knows the call. */
  readonly trace?: string;
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

  const isRecorded = endpoint.method !== 'GET';

  return async (call) => {
    // Without a caller there is nobody to name, and who answers a survey must not be.
    if (!isRecorded || call.caller === null) return run(call, () => undefined);
    const caller = call.caller;
    let place: Place | null = null;
    const record = (outcome: Outcome): Promise<void> =>
      ops.activity.record({
        actor: caller,
        entityId: place?.entity?.id ?? caller.entity_id,
        operation: `${endpoint.method} ${endpoint.path}`,
        outcome,
        resource: namedResource(endpoint, call),
        parameters: shownParameters(endpoint, call.given),
        address: call.client?.address ?? null,
        trace: call.trace ?? null,
      });
    let answer: EndpointAnswer;
    try {
      answer = await run(call, (found) => {
        place = found;
      });
    } catch (error) {
      await record(outcomeOf(error));
      throw error;
    }
    await record('success');
    return answer;
  };

  async function run(call: EndpointCall, onPlace: (place: Place) => void): Promise<EndpointAnswer> {
    const { given, now } = call;
    const named = call.caller === null || !mayNameOthers(call.caller) ? undefined : namedEntity(endpoint, call);
    const caller = call.caller === null ? null : actingIn(call.caller, named);
    if (caller === null && endpoint.access !== 'public') throw new Error(`${endpoint.path}: a call needs a caller`);
    if (endpoint.access === 'super_admin' && !(caller !== null && isSuperAdmin(caller))) {
      throw new StrataError('forbidden', 'this action needs a super admin');
    }
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    const isOfResource = typeof endpoint.access === 'object';
    const place = caller !== null && (isOfResource || usesZone) ? await ops.access.locate(caller, named) : null;
    if (place !== null) onPlace(place);
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
  }
}

type NamingCall = Pick<EndpointCall, 'given' | 'now'>;

/** What the call names; nothing where that is left out or cannot be read. */
function namedPaths(endpoint: Endpoint, { given, now }: NamingCall): readonly ResourcePath[] {
  const param = endpoint.params.resource_path;
  const value = given.get('resource_path');
  if (param === undefined || value === undefined || value === null || value === '') return [];
  try {
    const read = param.type.read(value, { zone: 'UTC', now, warn: () => undefined });
    return asPaths(read as ResourcePath | readonly ResourcePath[]);
  } catch (error) {
    // Refused with everything else that is wrong with the call.
    if (error instanceof Refusal || error instanceof StrataError) return [];
    throw error;
  }
}

/** Others act where their token is, whatever a call names. */
const mayNameOthers = (caller: Caller): boolean => caller.is_super_admin || caller.elsewhere !== undefined;

/** The entity that a call names whose caller may act in others: its times are in that entity's zone. */
const namedEntity = (endpoint: Endpoint, call: NamingCall): string | undefined => namedPaths(endpoint, call)[0]?.entity;

function namedResource(endpoint: Endpoint, call: NamingCall): string | null {
  const paths = namedPaths(endpoint, call);
  return paths.length === 0 ? null : paths.map(formatResourcePath).join(',');
}

/** What the call was given for parameters that exist, but for secrets. */
function* shownParameters(endpoint: Endpoint, given: ReadonlyMap<string, unknown>): Iterable<[string, unknown]> {
  for (const [name, { traits }] of Object.entries(endpoint.params)) {
    if (name === 'resource_path' || traits.isSecret) continue;
    const value = [name, ...traits.aliases].map((spelling) => given.get(spelling)).find((one) => one !== undefined);
    if (value !== undefined) yield [name, value];
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
