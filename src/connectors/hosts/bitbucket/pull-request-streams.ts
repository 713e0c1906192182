// Pull requests with what hangs on them: newest change first, and three or four further calls for each that has changed.
import { type ItemFetcher, OVERLAP_MINUTES, type Scope, type Stream } from '../../../domain/collect/stream.ts';
import type { CollectedPullRequest } from '../../../domain/reviews/pull-request.ts';
import { createItemLists, unlessGone } from '../../collect/item-lists.ts';
import { keysetPage } from '../../collect/keyset.ts';
import { activity, type BitbucketPullRequest, comment, commit, pullRequest } from './collect-answers.ts';
import { type BitbucketCollectClient, placeOf } from './collect-client.ts';
import { externalId, fingerprintOfRequest, LANDING, normalisePullRequest } from './normalise-pull-request.ts';

interface Asking {
  readonly client: BitbucketCollectClient;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  readonly isLight: boolean;
}

/** Without them the list shows open ones only. */
const STATES = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'];
/** Left out of lists unless they are named. */
const FIELDS = '+values.participants,+values.reviewers,+values.draft';

export const pullRequests: Stream<BitbucketCollectClient> = {
  name: 'pull_requests',
  scope: 'repo',
  order: 'newest_first',
  resource: 'api',
  priority: 1,
  everyMinutes: 10,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 25, most: 50 },
  right: { needs: 'read:pullrequest:bitbucket', brings: 'pull requests, approvals and comments' },
  async page({ client, scope, cursor, since, pageSize, isLight, changed, keep, signal }) {
    const { items, page } = await keysetPage<BitbucketPullRequest>(
      { cursor, since },
      {
        order: 'newest_first',
        timeOf: ({ updated_on }) => updated_on,
        ask(beyond) {
          const query = new URLSearchParams();
          for (const state of STATES) query.append('state', state);
          query.set('sort', '-updated_on');
          query.set('pagelen', String(pageSize));
          query.set('fields', FIELDS);
          const wanted = [
            ...(since === null ? [] : [`updated_on >= "${since.toISOString()}"`]),
            ...(beyond === null ? [] : [`updated_on <= "${beyond}"`]),
          ];
          if (wanted.length > 0) query.set('q', wanted.join(' AND '));
          return client.page(`${placeOf(scope)}/pullrequests`, `?${query}`, pullRequest, signal);
        },
        follow: (link) => client.follow(link, pullRequest, signal),
      },
    );
    const stale = await changed(
      items.map((item) => ({ external_id: externalId(scope, item), fingerprint: fingerprintOfRequest(item) })),
    );
    const requests: CollectedPullRequest[] = [];
    for (const item of items) {
      if (!stale.has(externalId(scope, item))) continue;
      const found = await complete(item, { client, scope, signal, isLight });
      if (found === null) continue;
      requests.push(found);
      keep(found);
    }
    return { ...page, collected: { pull_requests: requests } };
  },
};

export const onePullRequest: ItemFetcher<BitbucketCollectClient> = {
  kind: 'pull_request',
  scope: 'repo',
  resource: 'api',
  async fetch({ client, scope, key, signal }) {
    const address = `${placeOf(scope)}/pullrequests/${Number(key)}`;
    const item = await unlessGone(() => client.one(address, pullRequest, signal));
    if (item === null) return null;
    const found = await complete(item, { client, scope, signal, isLight: false });
    return { pull_requests: found === null ? [] : [found] };
  },
};

/** Null where it went while it was read. */
const complete = (
  item: BitbucketPullRequest,
  { client, scope, signal, isLight }: Asking,
): Promise<CollectedPullRequest | null> =>
  unlessGone(async () => {
    const place = `${placeOf(scope)}/pullrequests/${item.id}`;
    const { missing, read } = createItemLists(isLight);
    const landed = item.state === 'MERGED' ? (item.merge_commit?.hash ?? null) : null;
    return normalisePullRequest(scope, item, {
      activity: await read('activity', [], () => client.all(`${place}/activity`, activity, signal)),
      comments: await read('comments', [], () => client.all(`${place}/comments`, comment, signal)),
      commits: await read('commits', [], () => client.all(`${place}/commits`, commit, signal)),
      landing: landed === null ? null : await read(LANDING, null, () => client.findCommit(scope, landed, signal)),
      missing,
    });
  });
