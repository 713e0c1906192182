// Pull requests with what hangs on them. Bitbucket Data Center cannot say which have changed: a walk takes all that are
// open, then all of them newest first until many in a row are as they were stored.
import {
  type Cursor,
  type ItemFetcher,
  OVERLAP_MINUTES,
  type Scope,
  type Stream,
} from '../../../domain/collect/stream.ts';
import type { CollectedPullRequest } from '../../../domain/reviews/pull-request.ts';
import { createItemLists, unlessGone } from '../../collect/item-lists.ts';
import { activity, commit, pullRequest, type ServerPullRequest } from './collect-answers.ts';
import type { ServerCollectClient } from './collect-client.ts';
import { externalId, fingerprintOfRequest, normalisePullRequest } from './normalise-pull-request.ts';

const PHASES = ['OPEN', 'ALL'] as const;
/** So many unchanged ones in a row end a walk; a full walk is made by the nightly comparison. */
const UNCHANGED_IN_A_ROW = 200;

export const pullRequests: Stream<ServerCollectClient> = {
  name: 'pull_requests',
  scope: 'repo',
  order: 'newest_first',
  resource: 'api',
  priority: 1,
  everyMinutes: 10,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 50, most: 100 },
  right: { needs: 'Repository read', brings: 'pull requests, reviews and comments' },
  async page({ client, scope, cursor, pageSize, isLight, changed, keep, signal }) {
    const phase = PHASES.find((name) => name === cursor?.phase) ?? PHASES[0];
    const start = typeof cursor?.start === 'number' ? cursor.start : 0;
    const before = typeof cursor?.unchanged === 'number' ? cursor.unchanged : 0;
    const place = await client.placeOf(scope, signal);
    const { items, next } = await client.page(
      `${place}/pull-requests`,
      { state: phase, order: 'NEWEST', limit: pageSize, start },
      pullRequest,
      signal,
    );
    const stale = await changed(
      items.map((item) => ({ external_id: externalId(scope, item), fingerprint: fingerprintOfRequest(item) })),
    );
    const requests: CollectedPullRequest[] = [];
    let unchanged = before;
    for (const item of items) {
      if (!stale.has(externalId(scope, item))) {
        unchanged += 1;
        continue;
      }
      unchanged = 0;
      const found = await complete(item, place, { client, scope, signal, isLight });
      if (found === null) continue;
      requests.push(found);
      keep(found);
    }
    return {
      collected: { pull_requests: requests },
      next: nextPlace(phase, next, unchanged),
      // No pull request may be open, and all of them are still to come.
      itemCount: Math.max(items.length, 1),
      oldest: null,
      newest: null,
    };
  },
};

function nextPlace(phase: (typeof PHASES)[number], next: number | null, unchanged: number): Cursor | null {
  if (phase === 'OPEN') return next === null ? { phase: 'ALL', start: 0, unchanged: 0 } : { phase, start: next };
  return next === null || unchanged >= UNCHANGED_IN_A_ROW ? null : { phase, start: next, unchanged };
}

export const onePullRequest: ItemFetcher<ServerCollectClient> = {
  kind: 'pull_request',
  scope: 'repo',
  resource: 'api',
  async fetch({ client, scope, key, signal }) {
    const place = await client.placeOf(scope, signal);
    const item = await unlessGone(() => client.one(`${place}/pull-requests/${Number(key)}`, pullRequest, signal));
    if (item === null) return null;
    const found = await complete(item, place, { client, scope, signal, isLight: false });
    return { pull_requests: found === null ? [] : [found] };
  },
};

interface Asking {
  readonly client: ServerCollectClient;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  readonly isLight: boolean;
}

/** Null where it went while it was read. */
const complete = (
  item: ServerPullRequest,
  place: string,
  { client, scope, signal, isLight }: Asking,
): Promise<CollectedPullRequest | null> =>
  unlessGone(async () => {
    const address = `${place}/pull-requests/${item.id}`;
    const { missing, read } = createItemLists(isLight);
    const activities = await read('activities', [], () => client.all(`${address}/activities`, activity, signal));
    const landed = item.state === 'MERGED' ? activities.find(({ action }) => action === 'MERGED') : undefined;
    const id = landed?.commit?.id ?? null;
    return normalisePullRequest(scope, item, {
      activities,
      commits: await read('commits', [], () => client.all(`${address}/commits`, commit, signal)),
      landing:
        id === null ? null : await read('the commit that landed', null, () => client.findCommit(place, id, signal)),
      missing,
    });
  });
