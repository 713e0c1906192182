// One query per call that the page reads. A report stays fresh until the data changes: the poll of imports
// notices a new data version and makes them stale, see app/use-data-version.ts.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { blankUnknown } from './blank-unknown.ts';
import { CallError, call, type Query } from './call.ts';
import { readPages } from './read-pages.ts';
import { batchedReport } from './report-batch.ts';
import type { Answer, Params } from './schema.ts';

export type Me = Answer<'GET /me'>;
export type Report = Answer<'GET /reports'>;
export type Introspection = Answer<'GET /segment_introspections'>;
export type Segment = Introspection['segments'][number];
export type Imports = Answer<'GET /imports'>;
export type ImportedRepo = Imports['repos'][number];
export type Audit = Answer<'GET /audits'>;
export type Explanation = NonNullable<Audit['explanation']>;
export type Team = NonNullable<Answer<'GET /teams'>['teams']>[number];

const FOREVER = Number.POSITIVE_INFINITY;
const POLL_BUSY_MILLISECONDS = 1_000;
const POLL_IDLE_MILLISECONDS = 15_000;

/** A client's own mistake and a missing right do not heal by themselves. */
const canHeal = (error: Error | null): boolean =>
  error !== null && !(error instanceof CallError && error.status >= 400 && error.status < 500);

export const shouldRetry = (failures: number, error: Error): boolean => failures < 1 && canHeal(error);

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call('GET /me', {}, signal),
  staleTime: 60_000,
});

export const introspectionQuery = (entity: string) =>
  queryOptions({
    queryKey: ['introspection', entity],
    queryFn: ({ signal }) => call('GET /segment_introspections', { resource_path: entity }, signal),
    staleTime: FOREVER,
  });

/** Alone it answers as soon as it can; together with others the page makes fewer calls. */
export type Sending = 'alone' | 'together';

export const reportQuery = (params: Params<'GET /reports'>, sending: Sending = 'alone') =>
  queryOptions({
    queryKey: ['report', params],
    queryFn: async ({ signal }): Promise<Report> =>
      blankUnknown(await (sending === 'alone' ? call('GET /reports', params, signal) : batchedReport(params, signal))),
    staleTime: FOREVER,
    // A server that comes back fills the charts by itself.
    refetchInterval: ({ state }) => (canHeal(state.error) ? POLL_IDLE_MILLISECONDS : false),
    placeholderData: keepPreviousData,
  });

export const isBusy = ({ phase_em: phase }: ImportedRepo): boolean =>
  phase === 'waiting' || phase === 'fetching' || phase === 'reading';

/** Every second while something runs, every 15 else, never in a hidden tab. */
export const importsQuery = (entity: string) =>
  queryOptions({
    queryKey: ['imports', entity],
    queryFn: ({ signal }) => call('GET /imports', { resource_path: entity }, signal),
    staleTime: POLL_IDLE_MILLISECONDS,
    refetchInterval: ({ state }) => (state.data?.repos.some(isBusy) ? POLL_BUSY_MILLISECONDS : POLL_IDLE_MILLISECONDS),
    refetchIntervalInBackground: false,
  });

export const teamsQuery = (entity: string) =>
  queryOptions({
    queryKey: ['teams', entity],
    queryFn: ({ signal }) => call('GET /teams', { resource_path: entity }, signal),
    staleTime: 60_000,
  });

export const developersQuery = (entity: string) =>
  queryOptions({
    queryKey: ['developers', entity],
    queryFn: ({ signal }) => call('GET /developers', { resource_path: entity, sort_by: 'last_authored_at' }, signal),
    staleTime: 60_000,
  });

export const releasesQuery = (params: Params<'GET /releases'>) =>
  queryOptions({
    queryKey: ['releases', params],
    queryFn: ({ signal }) => readPages((page) => call('GET /releases', { ...params, page }, signal)),
    staleTime: FOREVER,
    placeholderData: keepPreviousData,
  });

export const defectsQuery = (params: Params<'GET /critical_defects'>) =>
  queryOptions({
    queryKey: ['defects', params],
    queryFn: ({ signal }) => readPages((page) => call('GET /critical_defects', { ...params, page }, signal)),
    staleTime: FOREVER,
    placeholderData: keepPreviousData,
  });

/** The records behind a point. `query` is that of the point's address, as the report gave it. */
export const evidenceQuery = (query: Query) =>
  infiniteQueryOptions({
    queryKey: ['evidence', query],
    initialPageParam: 1,
    queryFn: ({ signal, pageParam }) =>
      call('GET /audits', { ...query, page: pageParam } as unknown as Params<'GET /audits'>, signal),
    getNextPageParam: ({ page, page_count: pages }) => (page < pages ? page + 1 : undefined),
    staleTime: FOREVER,
  });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('GET /sessions', {}, signal),
});

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in options'],
  queryFn: ({ signal }) => call('GET /sign_in_options', {}, signal),
  staleTime: FOREVER,
});

export const connectionsQuery = (entity: string) =>
  queryOptions({
    queryKey: ['connections', entity],
    queryFn: ({ signal }) => call('GET /connections', { resource_path: entity }, signal),
    staleTime: 10_000,
  });

export const candidatesQuery = queryOptions({
  queryKey: ['candidates'],
  queryFn: ({ signal }) => call('GET /imports/candidates', {}, signal),
  staleTime: 10_000,
});
