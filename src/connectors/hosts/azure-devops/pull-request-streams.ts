// Pull requests with what hangs on them. Azure DevOps cannot say which have changed, only which are open and which were
// closed since: a walk takes all that are open, then those completed and those abandoned since the time wanted.
import {
  type Cursor,
  type ItemFetcher,
  OVERLAP_MINUTES,
  type Scope,
  type Stream,
} from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectedPullRequest } from '../../../domain/reviews/pull-request.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import {
  type AzurePullRequest,
  type AzureThread,
  commits,
  iterations,
  pullRequest,
  pullRequests as pullRequestList,
  threads as threadList,
  workItems,
} from './collect-answers.ts';
import type { AzureCollectClient } from './collect-client.ts';
import { fingerprintOfRequest, normalisePullRequest } from './normalise-pull-request.ts';

const PHASES = ['active', 'completed', 'abandoned'] as const;
const COMMITS_AT_ONCE = 100;

interface Asking {
  readonly client: AzureCollectClient;
  readonly scope: Scope;
  readonly signal: AbortSignal;
}

const placeOf = ({ external_id }: Scope): string => `/_apis/git/repositories/${pathPart(external_id)}`;

export const pullRequests: Stream<AzureCollectClient> = {
  name: 'pull_requests',
  scope: 'repo',
  order: 'newest_first',
  resource: 'api',
  priority: 1,
  everyMinutes: 10,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 25, most: 100 },
  right: { needs: 'Code (read)', brings: 'pull requests, votes and comments' },
  async page({ client, scope, cursor, since, pageSize, changed, keep, signal }) {
    const phase = PHASES.find((name) => name === cursor?.phase) ?? PHASES[0];
    const skip = typeof cursor?.skip === 'number' ? cursor.skip : 0;
    const isTimed = phase !== 'active' && since !== null;
    const { body } = await client.get(
      `${placeOf(scope)}/pullrequests`,
      {
        'searchCriteria.status': phase,
        'searchCriteria.queryTimeRangeType': isTimed ? 'closed' : null,
        'searchCriteria.minTime': isTimed ? since.toISOString() : null,
        $top: pageSize,
        $skip: skip,
      },
      signal,
    );
    const items = readAnswer(client.provider, pullRequestList, body).value;
    const asking = { client, scope, signal };
    const looked = [];
    for (const item of items) {
      // A comment changes nothing that the list shows.
      const threads = phase === 'active' ? await fetchThreads(item, asking) : null;
      looked.push({ item, threads, external_id: idOf(scope, item), fingerprint: fingerprintOfRequest(item, threads) });
    }
    const stale = await changed(looked);
    const requests: CollectedPullRequest[] = [];
    for (const { item, threads, external_id } of looked) {
      if (!stale.has(external_id)) continue;
      const found = await complete(item, threads ?? (await fetchThreads(item, asking)), asking);
      requests.push(found);
      keep(found);
    }
    return {
      collected: { pull_requests: requests },
      next: nextPlace(phase, skip, items.length, pageSize),
      // A phase may be empty, and the next one is still to come.
      itemCount: Math.max(items.length, 1),
      oldest: null,
      newest: null,
    };
  },
};

function nextPlace(phase: (typeof PHASES)[number], skip: number, count: number, pageSize: number): Cursor | null {
  if (count >= pageSize) return { phase, skip: skip + count };
  const next = PHASES[PHASES.indexOf(phase) + 1];
  return next === undefined ? null : { phase: next, skip: 0 };
}

export const onePullRequest: ItemFetcher<AzureCollectClient> = {
  kind: 'pull_request',
  scope: 'repo',
  resource: 'api',
  async fetch({ client, scope, key, signal }) {
    const asking = { client, scope, signal };
    try {
      const { body } = await client.get(`${placeOf(scope)}/pullrequests/${Number(key)}`, {}, signal);
      const item = readAnswer(client.provider, pullRequest, body);
      return { pull_requests: [await complete(item, await fetchThreads(item, asking), asking)] };
    } catch (error) {
      if (error instanceof HostError && error.status === 404) return null;
      throw error;
    }
  },
};

/** Numbers are unique in an organization, and so are they with the repo. */
const idOf = (scope: Scope, { pullRequestId }: AzurePullRequest): string => `${scope.external_id}/${pullRequestId}`;

async function fetchThreads(
  { pullRequestId }: AzurePullRequest,
  { client, scope, signal }: Asking,
): Promise<AzureThread[]> {
  const { body } = await client.get(`${placeOf(scope)}/pullRequests/${pullRequestId}/threads`, {}, signal);
  return readAnswer(client.provider, threadList, body).value;
}

async function complete(
  item: AzurePullRequest,
  threads: readonly AzureThread[],
  { client, scope, signal }: Asking,
): Promise<CollectedPullRequest> {
  const place = `${placeOf(scope)}/pullRequests/${item.pullRequestId}`;
  const found: ReturnType<typeof commits.parse>['value'] = [];
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const { body, headers } = await client.get(
      `${place}/commits`,
      { $top: COMMITS_AT_ONCE, continuationToken: after },
      signal,
    );
    found.push(...readAnswer(client.provider, commits, body).value);
    const next = headers.get('x-ms-continuationtoken');
    if (next !== null && next === after)
      throw new HostError('unexpected_answer', 'Azure DevOps leads to the same commits');
    after = next;
  }
  const passes = await client.get(`${place}/iterations`, {}, signal);
  const items = await client.get(`${place}/workitems`, {}, signal);
  return normalisePullRequest(item, {
    external_id: idOf(scope, item),
    threads,
    commits: found,
    iterations: readAnswer(client.provider, iterations, passes.body).value,
    work_items: readAnswer(client.provider, workItems, items.body).value,
  });
}
