// Successful pipelines, newest first; deployments, which can neither be sorted nor filtered, all of them once a day; and
// who belongs to a workspace.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import type { Cursor, Stream } from '../../../domain/collect/stream.ts';
import type { CollectedDeployment, CollectedRun } from '../../../domain/delivery/host-delivery.ts';
import { edgesOf } from '../../collect/keyset.ts';
import { pathPart } from '../../http/read-answer.ts';
import { bitbucketToAccount } from './accounts.ts';
import { deployment, environment, member, pipeline } from './collect-answers.ts';
import { type BitbucketCollectClient, isWhole, placeOf } from './collect-client.ts';

const DAY_MINUTES = 24 * 60;

export const pipelines: Stream<BitbucketCollectClient> = {
  name: 'pipelines',
  scope: 'repo',
  order: 'newest_first',
  resource: 'api',
  priority: 4,
  everyMinutes: 30,
  // They end after they were made.
  overlapMinutes: 3 * DAY_MINUTES,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'read:pipeline:bitbucket', brings: 'releases by successful pipelines' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const number = typeof cursor?.page === 'number' ? cursor.page : 1;
    const query = `?sort=-created_on&pagelen=${pageSize}&page=${number}`;
    const { items } = await client.page(`${placeOf(scope)}/pipelines`, query, pipeline, signal);
    const runs: CollectedRun[] = [];
    for (const item of items) {
      const hash = item.target?.commit?.hash ?? null;
      if (item.state.result?.name !== 'SUCCESSFUL' || hash === null) continue;
      const sha = isWhole(hash) ? hash : ((await client.findCommit(scope, hash, signal))?.hash ?? null);
      if (sha === null) continue;
      runs.push({
        external_id: item.uuid,
        name: item.target?.selector?.pattern ?? item.target?.selector?.type ?? 'pipeline',
        path: null,
        branch: item.target?.ref_name ?? null,
        sha,
        event: item.trigger?.name ?? null,
        state: 'success',
        attempt: 1,
        created_at: needTime(item.created_on, 'a pipeline'),
        started_at: null,
        finished_at: readTime(item.completed_on),
        actor: bitbucketToAccount(item.creator),
        url: null,
      });
    }
    // This list has no next pages, and no totals to trust.
    const next: Cursor | null = items.length < pageSize ? null : { page: number + 1 };
    return {
      ...edgesOf(items.map(({ created_on }) => created_on)),
      collected: { runs },
      next,
      itemCount: items.length,
    };
  },
};

export const deployments: Stream<BitbucketCollectClient> = {
  name: 'deployments',
  scope: 'repo',
  order: 'census',
  resource: 'api',
  priority: 4,
  everyMinutes: DAY_MINUTES,
  overlapMinutes: 0,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'read:pipeline:bitbucket', brings: 'deployments as releases' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const names = new Map(
      (await client.all(`${placeOf(scope)}/environments`, environment, signal)).map(({ uuid, name }) => [uuid, name]),
    );
    const { items, link } =
      typeof cursor?.link === 'string'
        ? await client.follow(cursor.link, deployment, signal)
        : await client.page(`${placeOf(scope)}/deployments`, `?pagelen=${pageSize}`, deployment, signal);
    const found: CollectedDeployment[] = [];
    for (const item of items) {
      const hash = item.release?.commit?.hash ?? null;
      const created = readTime(item.state.started_on ?? item.release?.created_on ?? item.last_update_time);
      if (created === null) continue;
      const isDone = item.state.name === 'COMPLETED';
      const isGood = isDone && item.state.status?.name === 'SUCCESSFUL';
      const state = isGood ? 'success' : isDone ? 'failure' : 'pending';
      found.push({
        external_id: item.uuid,
        environment: names.get(item.environment?.uuid ?? '') ?? '',
        sha: hash === null || isWhole(hash) ? hash : ((await client.findCommit(scope, hash, signal))?.hash ?? null),
        ref: null,
        state,
        created_at: created,
        finished_at: isDone ? readTime(item.state.completed_on ?? item.last_update_time) : null,
        creator: null,
        url: null,
        updated_at: readTime(item.last_update_time),
      });
    }
    return {
      collected: { deployments: found },
      next: link === null ? null : { link },
      itemCount: items.length,
      oldest: null,
      newest: null,
    };
  },
};

/** A workspace has members; its groups cannot be read by tokens. */
export const members: Stream<BitbucketCollectClient> = {
  name: 'members',
  scope: 'organization',
  order: 'census',
  resource: 'api',
  priority: 5,
  everyMinutes: DAY_MINUTES,
  overlapMinutes: 0,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'read:workspace:bitbucket', brings: 'people without a commit' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const { items, link } =
      typeof cursor?.link === 'string'
        ? await client.follow(cursor.link, member, signal)
        : await client.page(`/workspaces/${pathPart(scope.path)}/members`, `?pagelen=${pageSize}`, member, signal);
    const accounts = items.map(({ user }) => bitbucketToAccount(user)).filter((account) => account !== null);
    return {
      collected: { accounts },
      next: link === null ? null : { link },
      itemCount: items.length,
      oldest: null,
      newest: null,
    };
  },
};
