// Merge requests with what hangs on them: newest change first, and five further calls for each that has changed.
import type { z } from 'zod';
import { type ItemFetcher, OVERLAP_MINUTES, type Scope, type Stream } from '../../../domain/collect/stream.ts';
import type { CollectedPullRequest } from '../../../domain/reviews/pull-request.ts';
import { createItemLists, unlessGone } from '../../collect/item-lists.ts';
import { readAnswer } from '../../http/read-answer.ts';
import {
  approvals,
  commits,
  discussions,
  type MergeRequest,
  type MergeRequestLists,
  mergeRequest,
  reviewers,
  stateEvents,
} from './collect-answers.ts';
import type { GitlabCollectClient } from './collect-client.ts';
import { fingerprintOfRequest, normaliseMergeRequest } from './normalise-pull-request.ts';
import { timedList } from './timed-list.ts';

interface Asking {
  readonly client: GitlabCollectClient;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  readonly isLight: boolean;
}

export const mergeRequests: Stream<GitlabCollectClient> = {
  name: 'pull_requests',
  scope: 'repo',
  order: 'newest_first',
  resource: 'api',
  priority: 1,
  everyMinutes: 10,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 20, most: 50 },
  right: { needs: 'read_api, and at least the role Reporter', brings: 'merge requests, reviews and comments' },
  async page(request) {
    const { client, scope, isLight, changed, keep, signal } = request;
    const { items, page } = await timedList(request, {
      name: 'merge_requests',
      order: 'newest_first',
      values: { scope: 'all', state: 'all' },
      items: mergeRequest.array(),
    });
    const stale = await changed(
      items.map((item) => ({ external_id: String(item.id), fingerprint: fingerprintOfRequest(item) })),
    );
    const requests: CollectedPullRequest[] = [];
    for (const item of items) {
      // What is stored under the same fingerprint stays as it is.
      if (!stale.has(String(item.id))) continue;
      const found = await complete(item, { client, scope, signal, isLight });
      if (found === null) continue;
      requests.push(found);
      keep(found);
    }
    return { ...page, collected: { pull_requests: requests } };
  },
};

export const oneMergeRequest: ItemFetcher<GitlabCollectClient> = {
  kind: 'pull_request',
  scope: 'repo',
  resource: 'api',
  async fetch({ client, scope, key, signal }) {
    const path = `/projects/${scope.external_id}/merge_requests/${Number(key)}`;
    const answer = await unlessGone(() => client.get(path, signal));
    if (answer === null) return null;
    const request = readAnswer('hostD', mergeRequest, answer.body);
    const found = await complete(request, { client, scope, signal, isLight: false });
    return { pull_requests: found === null ? [] : [found] };
  },
};

/** Null where the merge request went while it was read. */
const complete = (request: MergeRequest, asking: Asking): Promise<CollectedPullRequest | null> =>
  unlessGone(async () => {
    const { client, signal } = asking;
    const lists = await fetchLists(request, asking);
    return client.withFlags(() => normaliseMergeRequest(request, lists, client.accounts), signal);
  });

async function fetchLists(
  request: MergeRequest,
  { client, scope, signal, isLight }: Asking,
): Promise<MergeRequestLists> {
  const place = `/projects/${scope.external_id}/merge_requests/${request.iid}`;
  const { missing, read } = createItemLists(isLight);
  const attempt = <T>(name: string, schema: z.ZodType<T>, empty: T, ask: () => Promise<unknown>): Promise<T> =>
    read(name, empty, async () => readAnswer('hostD', schema, await ask()));
  return {
    discussions: await attempt('discussions', discussions, [], () => client.all(`${place}/discussions`, signal)),
    commits: await attempt('commits', commits, [], () => client.all(`${place}/commits`, signal)),
    approvals: await attempt('approvals', approvals, {}, async () => {
      const found = await client.oneWhereThere(`${place}/approvals`, 'approvals', signal);
      return found ?? {};
    }),
    reviewers: await attempt('reviewers', reviewers, [], () =>
      client.allWhereThere(`${place}/reviewers`, 'reviewers', signal),
    ),
    states: await attempt('state events', stateEvents, [], () =>
      client.allWhereThere(`${place}/resource_state_events`, 'state events', signal),
    ),
    missing,
  };
}
