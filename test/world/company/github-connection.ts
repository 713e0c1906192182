// A page of a list as GitHub's GraphQL shows it, by its place in the list.
import { Buffer } from 'node:buffer';

export interface Bounds {
  readonly first?: number;
  readonly after?: string | null;
}

export const connection = <T>(all: readonly T[], { first = 30, after }: Bounds) => {
  const start = after == null ? 0 : Number(Buffer.from(after, 'base64').toString('utf8').replace('cursor:', ''));
  const nodes = all.slice(start, start + first);
  const end = start + nodes.length;
  return {
    totalCount: all.length,
    nodes,
    pageInfo: {
      hasNextPage: end < all.length,
      endCursor: nodes.length === 0 ? null : Buffer.from(`cursor:${end}`).toString('base64'),
      hasPreviousPage: start > 0,
      startCursor: null,
    },
  };
};
