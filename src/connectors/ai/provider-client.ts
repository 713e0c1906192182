// Asks a provider for JSON. Its words stay out of errors, because they may repeat the request; a day that it names does not.
import { absentAnswer, ProviderError } from '../../domain/ai/collector.ts';
import type { GuardedFetch } from '../http/guarded-fetch.ts';
import { readRetryAfter } from '../http/read-limits.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface ProviderClientOptions {
  readonly product: string;
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: GuardedFetch;
  now(): Date;
}

export interface ProviderClient {
  /** Null for a 404: what is asked for is not there, or not yet. */
  get(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Json | null>;
  /** Of a list that must be there, however short; a 404 is an error that names it. */
  getList(what: string, path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Json>;
  post(path: string, body: unknown, signal: AbortSignal): Promise<Json>;
  /** A signed link on any host, without our credentials. */
  download(address: string, signal: AbortSignal): Promise<string>;
}

const GUESSED_WAIT_MS = 60_000;

export function createProviderClient({ product, base, headers, fetch, now }: ProviderClientOptions): ProviderClient {
  const root = base.replace(/\/+$/, '');

  const ask = async (address: string, signal: AbortSignal, own: boolean, body?: string): Promise<Response> => {
    try {
      return await fetch(address, {
        ...(body === undefined ? {} : { method: 'POST', body }),
        headers: {
          accept: 'application/json',
          'user-agent': 'strata',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(own ? headers : {}),
        },
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const words = error instanceof Error ? error.message : String(error);
      throw new ProviderError('unreachable', `${product} cannot be reached: ${words}`);
    }
  };

  const check = async (answer: Response): Promise<void> => {
    if (answer.status === 200) return;
    const text = (await answer.text()).slice(0, 10_000);
    const retryAt = readRetryAfter(answer.headers, now());
    if (answer.status === 429) {
      throw new ProviderError('rate_limited', `${product} accepts no more requests of this token for now`, {
        retryAt: retryAt ?? new Date(now().getTime() + GUESSED_WAIT_MS),
      });
    }
    if (answer.status === 401) throw new ProviderError('rejected', `${product} does not accept the token`);
    if (answer.status === 403) {
      throw new ProviderError('insufficient_scope', `${product} accepts the token, but it may not read usage`);
    }
    if (answer.status >= 500) {
      throw new ProviderError('unreachable', `${product} has a fault of its own (status ${answer.status})`, {
        retryAt,
      });
    }
    throw new ProviderError('unexpected_answer', `${product} refused what was asked (status ${answer.status})`, {
      latestAvailable: /\b20\d\d-\d\d-\d\d\b/.exec(text)?.[0] ?? null,
    });
  };

  const readJson = async (answer: Response): Promise<Json> => {
    await check(answer);
    try {
      const body: unknown = await answer.json();
      if (typeof body === 'object' && body !== null) return body as Json;
    } catch {
      // said below
    }
    throw new ProviderError('unexpected_answer', `what answers there does not behave like ${product}`);
  };

  const get: ProviderClient['get'] = async (path, query, signal) => {
    const text = new URLSearchParams(query).toString();
    const answer = await ask(`${root}${path}${text === '' ? '' : `?${text}`}`, signal, true);
    return answer.status === 404 ? null : readJson(answer);
  };

  return {
    get,
    async getList(what, path, query, signal) {
      const answer = await get(path, query, signal);
      if (answer === null) throw absentAnswer(product, what);
      return answer;
    },
    post: async (path, body, signal) => readJson(await ask(`${root}${path}`, signal, true, JSON.stringify(body))),
    async download(address, signal) {
      const answer = await ask(address, signal, false);
      await check(answer);
      return answer.text();
    },
  };
}

/** A list of objects in an answer; anything else is an empty one. */
export const listOf = (parent: Json, name: string): Json[] => {
  const value = parent[name];
  return Array.isArray(value) ? value.filter((each): each is Json => typeof each === 'object' && each !== null) : [];
};

export const objectOf = (parent: Json, name: string): Json => {
  const value = parent[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
};

/** Null where it is not reported; numbers also come as text. */
export function numberOf(parent: Json, name: string): number | null {
  const value = parent[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export const countOf = (parent: Json, name: string): number => Math.max(0, Math.round(numberOf(parent, name) ?? 0));

export const textOf = (parent: Json, name: string): string => {
  const value = parent[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};

export const microcents = (cents: number): number => Math.round(cents * 1_000_000);

export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
