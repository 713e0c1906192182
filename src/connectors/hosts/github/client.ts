// GitHub and GitHub Enterprise Server, by GitHub's own client.
import { request } from '@octokit/request';
import { RequestError } from '@octokit/request-error';
import { failureOf } from '../../http/answer-failure.ts';
import { type ConnectorParts, USER_AGENT } from '../connector.ts';

export interface GithubAnswer {
  readonly body: unknown;
  readonly headers: Headers;
}

export interface GithubClient {
  /** `route` as GitHub documents it, such as `/orgs/{org}/repos`. */
  get(route: string, values: Readonly<Record<string, string | number>>, signal: AbortSignal): Promise<GithubAnswer>;
}

export function createGithubClient({ account, address, fetch, now }: ConnectorParts): GithubClient {
  const ask = request.defaults({
    baseUrl: apiAddress(address),
    headers: {
      authorization: `Bearer ${account.token}`,
      'x-github-api-version': '2022-11-28',
      'user-agent': USER_AGENT,
    },
  });
  const toHeaders = (headers: object): Headers =>
    new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
  return {
    async get(route, values, signal) {
      try {
        const answer = await ask(`GET ${route}`, { ...values, request: { fetch, signal } });
        if (answer.status !== 200) {
          throw failureOf(account.provider, { status: answer.status, headers: toHeaders(answer.headers) }, now());
        }
        return { body: answer.data, headers: toHeaders(answer.headers) };
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        // The client wraps what its fetch throws, and gives it the status 500.
        if (error.response === undefined) throw error.cause ?? error;
        const headers = toHeaders(error.response.headers);
        throw failureOf(account.provider, { status: error.status, headers }, now());
      }
    },
  };
}

/** Enterprise Server has its API below the address that people know. */
function apiAddress(address: string): string {
  const { pathname, hostname } = new URL(address);
  return pathname === '/' && hostname !== 'api.github.com' ? `${address}/api/v3` : address;
}
