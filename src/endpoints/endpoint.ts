// An endpoint is a value: route, action, access, parameters, answer and the function that does it. The
// router, the OpenAPI document and the contract tests are made by walking the list of these values.
import type { z } from 'zod';
import type { Caller, Role } from '../domain/access/caller.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Client, Grant, Operations, SuperAdmin } from '../operations/index.ts';
import type { Params, ParamValues } from './params/param.ts';
import type { Returns } from './returns.ts';
import type { SessionAnswer } from './session-answer.ts';
import type { TextAnswer } from './text-answer.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/**
 * Who may call: anyone; any valid token or session; one whose user has at least the role in the entity of
 * `resource_path` (in the caller's own entity when the endpoint has no such parameter); a super admin.
 */
export type Access = 'public' | 'token' | 'super_admin' | ResourceAccess;

export interface ResourceAccess {
  readonly resource: Role;
  /** A lower role is enough where this parameter is given. */
  readonly lower?: { readonly given: string; readonly resource: Role };
}

export interface RunContext<Values, Who, Right> {
  readonly params: Values;
  readonly caller: Who;
  /** The caller's right in the entity of the call, with its settings; null where the access is no resource's. */
  readonly grant: Right;
  readonly ops: Operations;
  /** When the request arrived. */
  readonly now: Date;
  /** Aborted when the client is gone or the time is up. */
  readonly signal: AbortSignal;
  /** Where the call came from. */
  readonly client: Client;
  /** Adds a line to the answer's warnings. */
  warn(message: string): void;
}

type CallerOf<A extends Access> = A extends 'public'
  ? null
  : A extends 'super_admin'
    ? Exclude<SuperAdmin, string>
    : Caller;
type GrantOf<A extends Access> = A extends { readonly lower: { readonly resource: infer R extends Role } }
  ? Grant<R>
  : A extends { readonly resource: infer R extends Role }
    ? Grant<R>
    : null;

interface EndpointDescription<P extends Params, A extends Access, Body> {
  /** Method and path below /api/v1; a segment like `:id` is a parameter of that name. */
  readonly route: `${Method} /${string}`;
  readonly action: `action_${string}`;
  /** Heading of the specification's section, e.g. `Critical defects`. */
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: A;
  readonly params: P;
  readonly returns: Returns<Body>;
  /** Errors that this endpoint raises besides those that any endpoint can. */
  readonly fails?: readonly ErrorCode[];
  /** Where answers may also be TextAnswers: their content type, and what their file name and facts say. */
  readonly textAnswer?: TextFormat;
  /** What stands beside the error where a rule refuses a call (422). */
  readonly refusal?: z.ZodRawShape;
  /** Clients may keep the answer and ask whether it is still the same. */
  readonly revalidates?: boolean;
  /** A TextAnswer goes out as it is, where a parameter asks for another format. */
  run(context: RunContext<ParamValues<P>, CallerOf<A>, GrantOf<A>>): Promise<Answer<Body>> | Answer<Body>;
}

type Answer<Body> = Body | TextAnswer | SessionAnswer<Body>;

export interface TextFormat {
  readonly contentType: string;
  readonly fileName: string;
  readonly facts: Readonly<Record<string, string>>;
}

/** Any endpoint, with its types forgotten: what the walkers of the list see. */
export interface Endpoint {
  readonly method: Method;
  /** Below /api/v1, with `:name` for parameters in the path. */
  readonly path: string;
  readonly pathParams: readonly string[];
  readonly action: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly params: Params;
  readonly returns: Returns<unknown>;
  readonly fails: readonly ErrorCode[];
  readonly textAnswer: TextFormat | null;
  readonly refusal: z.ZodRawShape;
  readonly revalidates: boolean;
  run(context: RunContext<Readonly<Record<string, unknown>>, Caller | null, Grant<Role> | null>): unknown;
}

export const BASE_PATH = '/api/v1';

export function endpoint<const P extends Params, const A extends Access, Body>(
  spec: EndpointDescription<P, A, Body>,
): Endpoint {
  const [method, path] = spec.route.split(' ', 2);
  const known = METHODS.find((name) => name === method);
  if (known === undefined || path === undefined) throw new Error(`${spec.route}: expected "METHOD /path"`);
  const pathParams = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  for (const name of pathParams) {
    if (spec.params[name]?.traits.isRequired !== true)
      throw new Error(`${spec.route}: :${name} is no required parameter`);
  }
  checkNames(spec.route, spec.params);
  return {
    method: known,
    path,
    pathParams,
    action: spec.action,
    group: spec.group,
    summary: spec.summary,
    description: spec.description ?? '',
    access: spec.access,
    params: spec.params,
    returns: spec.returns,
    fails: spec.fails ?? [],
    textAnswer: spec.textAnswer ?? null,
    refusal: spec.refusal ?? {},
    revalidates: spec.revalidates ?? false,
    run: spec.run,
  };
}

/** No two parameters of an endpoint may answer to the same name. */
function checkNames(route: string, params: Params): void {
  const taken = new Set<string>();
  for (const name of Object.entries(params).flatMap(([name, param]) => [name, ...param.traits.aliases])) {
    if (taken.has(name)) throw new Error(`${route}: the name ${name} is used twice`);
    taken.add(name);
  }
}

/** A list whose routes are all different, in the order given. */
export function endpointList(...endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const routes = new Set<string>();
  for (const { method, path } of endpoints) {
    const route = `${method} ${path.replace(/:\w+/g, ':')}`;
    if (routes.has(route)) throw new Error(`two endpoints answer ${method} ${path}`);
    routes.add(route);
  }
  return Object.freeze([...endpoints]);
}
