// Plain JSON over GET, for the hosts whose clients cannot be bound to one address.
import { HostError } from '../../domain/repos/code-host.ts';
import { type ConnectorParts, USER_AGENT } from '../hosts/connector.ts';
import { failureOf } from './answer-failure.ts';

export interface JsonAnswer {
  readonly body: unknown;
  readonly headers: Headers;
}

export interface JsonClient {
  /** `path` begins with a slash, below the base; or is a whole address on the same host, such as a next page. */
  get(path: string, signal: AbortSignal): Promise<JsonAnswer>;
}

export interface JsonClientOptions {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Statuses in addition to 401 that mean a token which is not accepted. */
  readonly rejectedStatuses?: readonly number[];
}

export function createJsonClient(
  { account, fetch, now }: ConnectorParts,
  { base, headers, rejectedStatuses = [] }: JsonClientOptions,
): JsonClient {
  return {
    async get(path, signal) {
      const url = new URL(path.startsWith('/') ? `${base}${path}` : path);
      if (url.origin !== new URL(base).origin) {
        throw new HostError('unexpected_answer', `the next page lies on another host, ${url.host}`);
      }
      const answer = await fetch(url, {
        headers: { accept: 'application/json', 'user-agent': USER_AGENT, ...headers },
        signal,
      });
      const status = rejectedStatuses.includes(answer.status) ? 401 : answer.status;
      if (status !== 200) throw failureOf(account.provider, { status, headers: answer.headers }, now());
      try {
        return { body: await answer.json(), headers: answer.headers };
      } catch {
        throw failureOf(account.provider, { status: 200, headers: answer.headers }, now());
      }
    },
  };
}
