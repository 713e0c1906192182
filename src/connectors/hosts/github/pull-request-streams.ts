// Pull requests with what hangs on them, by GraphQL: newest change first. Lists that do not fit are fetched on.
import type { Collected } from '../../../domain/collect/collected.ts';
import { type ItemFetcher, OVERLAP_MINUTES, type Scope, type Stream } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectedPullRequest } from '../../../domain/reviews/pull-request.ts';
import { isHeavy } from '../../collect/item-lists.ts';
import { readAnswer } from '../../http/read-answer.ts';
import {
  type GraphqlPullRequest,
  graphqlOnePullRequest,
  graphqlPullRequest,
  graphqlPullRequests,
} from './collect-answers.ts';
import type { GithubCollectClient } from './collect-client.ts';
import { normalisePullRequest } from './normalise-pull-request.ts';
import {
  PULL_REQUEST_LIST_NAMES,
  type PullRequestList,
  pullRequestListQuery,
  pullRequestQuery,
  pullRequestsQuery,
} from './queries.ts';

interface Asking {
  readonly client: GithubCollectClient;
  readonly scope: Scope;
  readonly signal: AbortSignal;
}

const YEAR_MS = 365 * 86_400_000;

export const pullRequests: Stream<GithubCollectClient> = {
  name: 'pull_requests',
  scope: 'repo',
  order: 'newest_first',
  resource: 'graphql',
  priority: 1,
  everyMinutes: 10,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 25, most: 50 },
  right: { needs: 'repo, or Pull requests (read) of a fine-grained token', brings: 'pull requests and reviews' },
  async page({ client, scope, cursor, pageSize, isLight, signal }) {
    const after = typeof cursor?.after === 'string' ? cursor.after : null;
    const query = (id: 'fullDatabaseId' | 'databaseId') => pullRequestsQuery(id, isLight);
    // Counting commits may be what makes a page too heavy.
    const isFirst = after === null && pageSize > 1 && !isLight;
    const yearAgo = new Date(client.now().getTime() - YEAR_MS).toISOString();
    const { repository } = await client.queryRepo(scope, query, { first: pageSize, after, isFirst, yearAgo }, signal);
    const { pullRequests: list, defaultBranchRef } = readAnswer('hostC', graphqlPullRequests, repository);
    // GitHub leaves out what it could not finish: a smaller page finds out which, and does without that one alone.
    if (pageSize > 1 && list.nodes.includes(null)) {
      throw new HostError('timeout', 'GitHub left out a pull request of the page');
    }
    const requests: CollectedPullRequest[] = [];
    for (const node of list.nodes) {
      if (node !== null) requests.push(await complete(node, { client, scope, signal }, isLight));
    }
    const times = requests.map(({ updated_at }) => Date.parse(updated_at));
    return {
      collected: {
        pull_requests: requests,
        ...(isFirst ? { past_year_commit_count: defaultBranchRef?.target?.history?.totalCount ?? null } : {}),
      },
      next: list.pageInfo.hasNextPage && list.pageInfo.endCursor ? { after: list.pageInfo.endCursor } : null,
      itemCount: list.nodes.length,
      oldest: times.length === 0 ? null : new Date(Math.min(...times)),
      newest: times.length === 0 ? null : new Date(Math.max(...times)),
      expected: list.totalCount,
    };
  },
};

export const onePullRequest: ItemFetcher<GithubCollectClient> = {
  kind: 'pull_request',
  scope: 'repo',
  resource: 'graphql',
  async fetch({ client, scope, key, signal }): Promise<Collected | null> {
    const { repository } = await client.queryRepo(scope, pullRequestQuery, { number: Number(key) }, signal);
    const { pullRequest } = readAnswer('hostC', graphqlOnePullRequest, repository);
    return pullRequest === null
      ? null
      : { pull_requests: [await complete(pullRequest, { client, scope, signal }, false)] };
  },
};

/** At most so many at once, for the lists that are fetched by themselves. */
const LIST_SIZE = 100;
const LIGHT_LIST_SIZE = 25;
const FULL = {
  labels: [],
  assignees: [],
  closingIssuesReferences: [],
  commits: [],
  reviews: [],
  reviewThreads: [],
  timelineItems: [],
};

/** Fetches on where a list did not fit, or was left out. One that fails by itself is named as missing. */
async function complete(node: GraphqlPullRequest, asking: Asking, isLight: boolean): Promise<CollectedPullRequest> {
  const lists: Record<PullRequestList, unknown[]> = structuredClone(FULL);
  const missing: PullRequestList[] = [];
  for (const name of PULL_REQUEST_LIST_NAMES) {
    const given = node[name] ?? null;
    lists[name].push(...(given?.nodes ?? []).filter((item) => item !== null));
    let info = given?.pageInfo ?? { hasNextPage: true, endCursor: null };
    while (info.hasNextPage) {
      const more: Awaited<ReturnType<typeof fetchList>> = await fetchList(
        node.number,
        name,
        info.endCursor ?? null,
        asking,
        isLight,
      );
      if (more === null) {
        missing.push(name);
        break;
      }
      lists[name].push(...(more.nodes ?? []).filter((item) => item !== null));
      if (more.pageInfo.hasNextPage && more.pageInfo.endCursor === info.endCursor) {
        throw new HostError('unexpected_answer', `GitHub leads to the same ${name} again`);
      }
      info = more.pageInfo;
    }
  }
  // Each list was read by the schema of its own name.
  return normalisePullRequest(
    node,
    lists as Parameters<typeof normalisePullRequest>[1],
    missing,
    asking.client.accounts,
  );
}

/** Null where a light request fails as well: the rest of the pull request is stored without it. */
async function fetchList(
  number: number,
  name: PullRequestList,
  after: string | null,
  { client, scope, signal }: Asking,
  isLight: boolean,
): Promise<NonNullable<GraphqlPullRequest[PullRequestList]> | null> {
  try {
    const variables = { number, first: isLight ? LIGHT_LIST_SIZE : LIST_SIZE, after };
    const { repository } = await client.queryRepo(scope, (id) => pullRequestListQuery(name, id), variables, signal);
    const shape = graphqlPullRequest.pick({ [name]: true } as Record<PullRequestList, true>);
    const parsed = readAnswer('hostC', shape, repository.pullRequest) as Pick<GraphqlPullRequest, PullRequestList>;
    return parsed[name] ?? null;
  } catch (error) {
    if (isLight && isHeavy(error)) return null;
    throw error;
  }
}
