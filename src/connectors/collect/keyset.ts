// Lists in the order of a time, walked as a keyset: each page asks for what lies beyond the last item of the one before,
// so that page sizes may change, no offset grows, and what moves meanwhile is shown twice rather than not at all. The
// host's own next page serves where a whole page has one time.
import type { Cursor, Page, PageRequest } from '../../domain/collect/stream.ts';

/** The edges of a page by the field that its list is ordered by. */
export function edgesOf(times: readonly (string | number)[]): Pick<Page, 'oldest' | 'newest'> {
  const moments = times.map((time) => new Date(time).getTime());
  if (moments.length === 0) return { oldest: null, newest: null };
  return { oldest: new Date(Math.min(...moments)), newest: new Date(Math.max(...moments)) };
}

export interface KeysetAnswer<T> {
  readonly items: readonly T[];
  /** The host's next page; null where the list ends. */
  readonly link: string | null;
  /** Of the whole list, where the host says so. */
  readonly total?: number | null;
}

export interface Keyset<T> {
  readonly order: 'oldest_first' | 'newest_first';
  timeOf(item: T): string;
  /** `beyond` is null on the first page of a list without a beginning. */
  ask(beyond: string | null): Promise<KeysetAnswer<T>>;
  follow(link: string): Promise<KeysetAnswer<T>>;
}

export async function keysetPage<T>(
  { cursor, since }: Pick<PageRequest<unknown>, 'cursor' | 'since'>,
  { order, timeOf, ask, follow }: Keyset<T>,
): Promise<{ items: readonly T[]; page: Omit<Page, 'collected'> }> {
  const first = order === 'oldest_first' ? (since?.toISOString() ?? null) : null;
  const beyond = typeof cursor?.beyond === 'string' ? cursor.beyond : first;
  const {
    items,
    link,
    total = null,
  } = typeof cursor?.link === 'string' ? await follow(cursor.link) : await ask(beyond);
  const edges = edgesOf(items.map(timeOf));
  const isAscending = order === 'oldest_first';
  const edge = (isAscending ? edges.newest : edges.oldest)?.getTime() ?? null;
  const from = beyond === null ? null : Date.parse(beyond);
  const isMoving = edge !== null && (from === null || (isAscending ? edge > from : edge < from));
  // As the host writes it: some hosts count finer than milliseconds.
  const reached = items.map(timeOf).find((time) => Date.parse(time) === edge) ?? null;
  const next: Cursor | null = link === null ? null : isMoving ? { beyond: reached } : { beyond, link };
  // The first page asks for the whole list, each later one for what is left of it.
  const expected = cursor === null && total !== null ? { expected: total } : {};
  return { items, page: { ...edges, next, itemCount: items.length, ...expected } };
}
