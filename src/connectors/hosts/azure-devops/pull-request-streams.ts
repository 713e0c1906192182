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
import { createItemLists, type ItemLists, unlessGone } from '../../collect/item-lists.ts';
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
  async page({ client, scope, cursor, since, pageSize, isLight, changed, keep, signal }) {
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
      const lists = createItemLists(isLight);
      // A comment changes nothing that the list shows.
      const threads = phase === 'active' ? await unlessGone(() => fetchThreads(item, lists, asking)) : [];
      if (threads === null) continue;
      const fingerprint = fingerprintOfRequest(item, phase === 'active' ? threads : null);
      looked.push({ item, lists, threads, external_id: idOf(scope, item), fingerprint });
    }
    const stale = await changed(looked);
    const requests: CollectedPullRequest[] = [];
    for (const { item, lists, threads, external_id } of looked) {
      if (!stale.has(external_id)) continue;
      const found = await unlessGone(async () => {
        const all = phase === 'active' ? threads : await fetchThreads(item, lists, asking);
        return complete(item, { threads: all, lists }, asking);
      });
      if (found === null) continue;
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
    const lists = createItemLists(false);
    const address = `${placeOf(scope)}/pullrequests/${Number(key)}`;
    const answer = await unlessGone(() => client.get(address, {}, signal));
    if (answer === null) return null;
    const item = readAnswer(client.provider, pullRequest, answer.body);
    const found = await unlessGone(async () => {
      const threads = await fetchThreads(item, lists, asking);
      return complete(item, { threads, lists }, asking);
    });
    return { pull_requests: found === null ? [] : [found] };
  },
};

/** Numbers are unique in an organization, and so are they with the repo. */
const idOf = (scope: Scope, { pullRequestId }: AzurePullRequest): string => `${scope.external_id}/${pullRequestId}`;

const fetchThreads = (
  { pullRequestId }: AzurePullRequest,
  lists: ItemLists,
  { client, scope, signal }: Asking,
): Promise<AzureThread[]> =>
  lists.read('threads', [], async () => {
    const { body } = await client.get(`${placeOf(scope)}/pullRequests/${pullRequestId}/threads`, {}, signal);
    return readAnswer(client.provider, threadList, body).value;
  });

async function fetchCommits(place: string, { client, signal }: Asking) {
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
  return found;
}

async function complete(
  item: AzurePullRequest,
  { threads, lists: { missing, read } }: { readonly threads: readonly AzureThread[]; readonly lists: ItemLists },
  asking: Asking,
): Promise<CollectedPullRequest> {
  const { client, scope, signal } = asking;
  const place = `${placeOf(scope)}/pullRequests/${item.pullRequestId}`;
  return normalisePullRequest(item, {
    external_id: idOf(scope, item),
    threads,
    commits: await read('commits', [], () => fetchCommits(place, asking)),
    iterations: await read('iterations', [], async () => {
      const { body } = await client.get(`${place}/iterations`, {}, signal);
      return readAnswer(client.provider, iterations, body).value;
    }),
    work_items: await read('work items', [], async () => {
      const { body } = await client.get(`${place}/workitems`, {}, signal);
      return readAnswer(client.provider, workItems, body).value;
    }),
    missing,
  });
}
