// Plain JSON over GET and POST, for the hosts whose clients cannot be bound to one address.
import type { ServiceKind } from '../../domain/collect/service.ts';
import { HostError } from '../../domain/repos/code-host.ts';
import { USER_AGENT } from '../hosts/connector.ts';
import { failureOf } from './answer-failure.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

export interface JsonAnswer {
  readonly body: unknown;
  readonly headers: Headers;
}

export interface JsonClient {
  /** `path` begins with a slash, below the base; or is a whole address on the same host, such as a next page. */
  get(path: string, signal: AbortSignal): Promise<JsonAnswer>;
  post(path: string, body: unknown, signal: AbortSignal): Promise<JsonAnswer>;
}

export interface JsonClientOptions {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Statuses in addition to 401 that mean a token which is not accepted. */
  readonly rejectedStatuses?: readonly number[];
}

export interface JsonClientParts {
  readonly account: { readonly provider: ServiceKind };
  readonly fetch: GuardedFetch;
  now(): Date;
}

export function createJsonClient(
  { account, fetch, now }: JsonClientParts,
  { base, headers, rejectedStatuses = [] }: JsonClientOptions,
): JsonClient {
  const ask = async (path: string, signal: AbortSignal, sent?: string): Promise<JsonAnswer> => {
    const url = new URL(path.startsWith('/') ? `${base}${path}` : path);
    if (url.origin !== new URL(base).origin) {
      throw new HostError('unexpected_answer', `the next page lies on another host, ${url.host}`);
    }
    const answer = await fetch(url, {
      ...(sent === undefined ? {} : { method: 'POST', body: sent }),
      headers: {
        accept: 'application/json',
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        'user-agent': USER_AGENT,
        ...headers,
      },
      signal,
    });
    const status = rejectedStatuses.includes(answer.status) ? 401 : answer.status;
    if (status !== 200) {
      const body = await answer.text();
      throw failureOf(account.provider, { status, headers: answer.headers, body }, now());
    }
    try {
      return { body: await answer.json(), headers: answer.headers };
    } catch {
      throw failureOf(account.provider, { status: 200, headers: answer.headers }, now());
    }
  };
  return {
    get: (path, signal) => ask(path, signal),
    post: (path, body, signal) => ask(path, signal, JSON.stringify(body)),
  };
}
