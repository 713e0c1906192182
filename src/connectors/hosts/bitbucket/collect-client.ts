// A client for collecting from Bitbucket Cloud: calls by the repo's id within its workspace, next pages as the host writes
// them, and whole hashes, where pull requests have twelve digits only.
import type { z } from 'zod';
import type { CollectAccount, Scope } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { followSameOrigin } from '../../http/follow-same-origin.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import { createBitbucketClient } from './client.ts';
import { type BitbucketCommit, commit, listOf } from './collect-answers.ts';

export interface BitbucketPage<T> {
  readonly items: readonly T[];
  readonly link: string | null;
  readonly size: number | null;
}

export interface BitbucketCollectClient {
  /** `query` begins with a question mark, or is empty. */
  page<T>(path: string, query: string, item: z.ZodType<T>, signal: AbortSignal): Promise<BitbucketPage<T>>;
  follow<T>(link: string, item: z.ZodType<T>, signal: AbortSignal): Promise<BitbucketPage<T>>;
  all<T>(path: string, item: z.ZodType<T>, signal: AbortSignal): Promise<T[]>;
  one<T>(path: string, item: z.ZodType<T>, signal: AbortSignal): Promise<T>;
  /** Null where the repo does not have it any more. */
  findCommit(scope: Scope, hash: string, signal: AbortSignal): Promise<BitbucketCommit | null>;
}

export const BITBUCKET_ADDRESS = 'https://api.bitbucket.org/2.0';
const MOST = 50;
const WHOLE = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export const isWhole = (hash: string): boolean => WHOLE.test(hash);

/** By the repo's id: a name may be given to another one. */
export const placeOf = ({ external_id, path }: Scope): string =>
  `/repositories/${pathPart(path.split('/')[0] ?? '')}/${pathPart(external_id)}`;

export function createBitbucketCollectClient(account: CollectAccount, parts: CollectorParts): BitbucketCollectClient {
  if (account.source !== 'host') throw new Error('Bitbucket is a code host');
  const address = (account.host.endpoint_url ?? BITBUCKET_ADDRESS).replace(/\/+$/, '');
  const fetch = followSameOrigin(parts.fetch);
  const client = createBitbucketClient({ account: account.host, address, fetch, now: parts.now });

  const follow: BitbucketCollectClient['follow'] = async (link, item, signal) => {
    const { values, next, size } = readAnswer('hostB', listOf(item), (await client.get(link, signal)).body);
    return { items: values, link: next ?? null, size: size ?? null };
  };

  return {
    page: (path, query, item, signal) => follow(`${path}${query}`, item, signal),
    follow,

    async all(path, item, signal) {
      let page = await follow(`${path}?pagelen=${MOST}`, item, signal);
      const items = [...page.items];
      while (page.link !== null) {
        if (page.items.length === 0) throw new HostError('unexpected_answer', 'Bitbucket leads on from an empty page');
        page = await follow(page.link, item, signal);
        items.push(...page.items);
      }
      return items;
    },

    one: async (path, item, signal) => readAnswer('hostB', item, (await client.get(path, signal)).body),

    async findCommit(scope, hash, signal) {
      try {
        const { body } = await client.get(`${placeOf(scope)}/commit/${pathPart(hash)}`, signal);
        return readAnswer('hostB', commit, body);
      } catch (error) {
        if (error instanceof HostError && error.status === 404) return null;
        throw error;
      }
    },
  };
}
