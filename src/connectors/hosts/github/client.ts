// GitHub, github.com, GHE.com or an Enterprise Server, by GitHub's own client with our own transport.
import { request } from '@octokit/request';
import { RequestError } from '@octokit/request-error';
import { HostError } from '../../../domain/repos/code-host.ts';
import { failureOf, quotaSpent } from '../../http/answer-failure.ts';
import { followSameOrigin } from '../../http/follow-same-origin.ts';
import { type ConnectorParts, USER_AGENT } from '../connector.ts';
import { githubAddresses } from './addresses.ts';

export interface GithubAnswer {
  readonly body: unknown;
  readonly headers: Headers;
}

type Values = Readonly<Record<string, string | number>>;

export interface GraphqlProblem {
  readonly type: string | null;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

export interface GraphqlAnswer {
  readonly data: unknown;
  /** Of single parts; the rest of the data is good. */
  readonly problems: readonly GraphqlProblem[];
}

export interface GithubClient {
  /** `route` as GitHub documents it, such as `/orgs/{org}/repos`. */
  get(route: string, values: Values, signal: AbortSignal): Promise<GithubAnswer>;
  /** The next page, by the address that the host gave. */
  follow(address: string, signal: AbortSignal): Promise<GithubAnswer>;
  graphql(
    query: string,
    variables: Readonly<Record<string, string | number | boolean | null>>,
    signal: AbortSignal,
  ): Promise<GraphqlAnswer>;
}

export function createGithubClient({ account, address, fetch, now }: ConnectorParts): GithubClient {
  const addresses = githubAddresses(address);
  const ask = request.defaults({
    baseUrl: addresses.rest,
    headers: {
      authorization: `Bearer ${account.token}`,
      'x-github-api-version': '2022-11-28',
      'user-agent': USER_AGENT,
    },
  });
  const transport = followSameOrigin(fetch);
  const toHeaders = (headers: object): Headers =>
    new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));

  async function send(route: string, values: object, signal: AbortSignal): Promise<GithubAnswer> {
    try {
      const answer = await ask(route, { ...values, request: { fetch: transport, signal } });
      if (answer.status !== 200) {
        throw failureOf(account.provider, { status: answer.status, headers: toHeaders(answer.headers) }, now());
      }
      return { body: answer.data, headers: toHeaders(answer.headers) };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      // The client wraps what its fetch throws, and gives it the status 500.
      if (error.response === undefined) throw error.cause ?? error;
      const headers = toHeaders(error.response.headers);
      throw failureOf(account.provider, { status: error.status, headers, body: error.response.data }, now());
    }
  }

  return {
    get: (route, values, signal) => send(`GET ${route}`, values, signal),

    async follow(next, signal) {
      const url = new URL(next);
      if (url.origin !== new URL(addresses.rest).origin) {
        throw new HostError('unexpected_answer', `the next page lies on another host, ${url.host}`);
      }
      // The client would take braces and colons of the address for places to fill in.
      const place = `${url.pathname}${url.search}`.replace(/[{}:]/g, encodeURIComponent);
      return send(`GET ${url.origin}${place}`, {}, signal);
    },

    async graphql(query, variables, signal) {
      const answer = await send(`POST ${addresses.graphql}`, { query, variables }, signal);
      return readGraphql(answer, now());
    },
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A list of errors may come with status 200: a spent quota, a query that was too heavy, or parts that are missing. */
function readGraphql({ body, headers }: GithubAnswer, now: Date): GraphqlAnswer {
  if (!isRecord(body)) throw new HostError('unexpected_answer', 'GitHub answers a query without an object');
  const problems = (Array.isArray(body.errors) ? body.errors : []).filter(isRecord).map(
    (error): GraphqlProblem => ({
      type: typeof error.type === 'string' ? error.type : null,
      message: typeof error.message === 'string' ? error.message : '',
      path: Array.isArray(error.path) ? error.path.filter((part) => typeof part !== 'object') : [],
    }),
  );
  if (problems.some(({ type, message }) => /^RATE_LIMIT/.test(type ?? '') || /secondary rate limit/i.test(message))) {
    throw quotaSpent('GitHub', headers, now);
  }
  if (problems.some(({ type, message }) => isTooHeavy(type, message))) {
    throw new HostError('timeout', 'GitHub did not finish the query; it is too heavy for this page size');
  }
  if (!isRecord(body.data) || (problems.length > 0 && Object.values(body.data).every((value) => value === null))) {
    const [problem] = problems;
    if (problem?.type === 'NOT_FOUND') {
      throw new HostError('unexpected_answer', 'GitHub does not know the repository', { status: 404 });
    }
    if (problem?.type === 'FORBIDDEN' || problem?.type === 'INSUFFICIENT_SCOPES') {
      throw new HostError('insufficient_scope', `GitHub does not let the token read this (${problem.type})`, {
        status: 403,
      });
    }
    throw new HostError('unexpected_answer', `GitHub refuses a query (${problem?.type ?? 'without a reason'})`);
  }
  return { data: body.data, problems };
}

const isTooHeavy = (type: string | null, message: string): boolean =>
  type === 'RESOURCE_LIMITS_EXCEEDED' ||
  type === 'MAX_NODE_LIMIT_EXCEEDED' ||
  /something went wrong while executing your query|timeout|timed out/i.test(message);
