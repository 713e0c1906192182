// A list of a project or group in the order of the last change: those of GitLab that can be asked for changes work alike.
import type { z } from 'zod';
import type { Page, PageRequest } from '../../../domain/collect/stream.ts';
import { keysetPage } from '../../collect/keyset.ts';
import { readAnswer } from '../../http/read-answer.ts';
import type { GitlabCollectClient, GitlabPage } from './collect-client.ts';

interface TimedList<T> {
  /** Below the project, or the group. */
  readonly name: string;
  readonly of?: 'projects' | 'groups';
  readonly order: 'oldest_first' | 'newest_first';
  readonly values: Readonly<Record<string, string>>;
  readonly items: z.ZodType<T[]>;
}

export function timedList<T extends { readonly updated_at: string }>(
  { client, scope, cursor, since, pageSize, signal }: PageRequest<GitlabCollectClient>,
  { name, of = 'projects', order, values, items: schema }: TimedList<T>,
): Promise<{ items: readonly T[]; page: Omit<Page, 'collected'> }> {
  const read = ({ items, link, total }: GitlabPage) => ({ items: readAnswer('hostD', schema, items), link, total });
  const isAscending = order === 'oldest_first';
  return keysetPage<T>(
    { cursor, since },
    {
      order,
      timeOf: ({ updated_at }) => updated_at,
      ask: async (beyond) =>
        read(
          await client.page(
            `/${of}/${scope.external_id}/${name}`,
            {
              ...values,
              order_by: 'updated_at',
              sort: isAscending ? 'asc' : 'desc',
              per_page: pageSize,
              updated_after: isAscending ? beyond : (since?.toISOString() ?? null),
              ...(isAscending ? {} : { updated_before: beyond }),
            },
            signal,
          ),
        ),
      follow: async (link) => read(await client.follow(link, signal)),
    },
  );
}
