// A client for collecting from Bitbucket Data Center. Its calls know repos by name only; the id is compared before a repo
// is read, so that another one that has taken the name is not taken for it.
import type { z } from 'zod';
import type { CollectAccount, Scope } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { followSameOrigin } from '../../http/follow-same-origin.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import { createBitbucketServerClient } from './client.ts';
import { commit, listOf, oneRepo, type ServerCommit } from './collect-answers.ts';

type Values = Readonly<Record<string, string | number>>;

export interface ServerPage<T> {
  readonly items: readonly T[];
  /** Where the next page begins, which is not always the size further. */
  readonly next: number | null;
}

export interface ServerCollectClient {
  page<T>(path: string, values: Values, item: z.ZodType<T>, signal: AbortSignal): Promise<ServerPage<T>>;
  all<T>(path: string, item: z.ZodType<T>, signal: AbortSignal): Promise<T[]>;
  one<T>(path: string, item: z.ZodType<T>, signal: AbortSignal): Promise<T>;
  findCommit(place: string, id: string, signal: AbortSignal): Promise<ServerCommit | null>;
  /** The repo's address, once it is known to be the one. */
  placeOf(scope: Scope, signal: AbortSignal): Promise<string>;
}

const LIST_SIZE = 100;

export function createServerCollectClient(account: CollectAccount, parts: CollectorParts): ServerCollectClient {
  if (account.source !== 'host') throw new Error('Bitbucket is a code host');
  const address = (account.host.endpoint_url ?? '').replace(/\/+$/, '');
  const fetch = followSameOrigin(parts.fetch);
  const client = createBitbucketServerClient({ account: account.host, address, fetch, now: parts.now });
  const places = new Map<string, string>();

  const page: ServerCollectClient['page'] = async (path, values, item, signal) => {
    const query = new URLSearchParams(
      Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const { body } = await client.get(`${path}?${query}`, signal);
    const list = readAnswer('hostB_server', listOf(item), body);
    return { items: list.values, next: list.isLastPage ? null : (list.nextPageStart ?? null) };
  };

  const one: ServerCollectClient['one'] = async (path, item, signal) =>
    readAnswer('hostB_server', item, (await client.get(path, signal)).body);

  return {
    page,
    one,

    async all(path, item, signal) {
      const items = [];
      for (let start: number | null = 0; start !== null; ) {
        const some: ServerPage<z.infer<typeof item>> = await page(path, { limit: LIST_SIZE, start }, item, signal);
        items.push(...some.items);
        if (some.next !== null && some.next <= start) {
          throw new HostError('unexpected_answer', 'Bitbucket leads to the same page again');
        }
        start = some.next;
      }
      return items;
    },

    async findCommit(place, id, signal) {
      try {
        return await one(`${place}/commits/${pathPart(id)}`, commit, signal);
      } catch (error) {
        if (error instanceof HostError && error.status === 404) return null;
        throw error;
      }
    },

    async placeOf(scope, signal) {
      const known = places.get(scope.external_id);
      if (known !== undefined) return known;
      const [project = '', ...slug] = scope.path.split('/');
      const place = `/projects/${pathPart(project)}/repos/${pathPart(slug.join('/'))}`;
      // A renamed repo answers under its old name too, until another one takes it.
      const repo = await one(place, oneRepo, signal);
      if (String(repo.id) !== scope.external_id) {
        throw new HostError('unexpected_answer', `${scope.path} is another repository`, { status: 404 });
      }
      const current = `/projects/${pathPart(repo.project.key)}/repos/${pathPart(repo.slug)}`;
      places.set(scope.external_id, current);
      return current;
    },
  };
}
