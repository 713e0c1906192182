// Deployments and pipelines in the order of their last change, so that a later state is seen too.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import { OVERLAP_MINUTES, type Stream } from '../../../domain/collect/stream.ts';
import type { CollectedDeployment, CollectedRun } from '../../../domain/delivery/host-delivery.ts';
import { deployments as deploymentList, pipelines as pipelineList } from './collect-answers.ts';
import type { GitlabCollectClient } from './collect-client.ts';
import { timedList } from './timed-list.ts';

const common = {
  scope: 'repo',
  order: 'oldest_first',
  resource: 'api',
  priority: 4,
  everyMinutes: 30,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 100, most: 100 },
} as const;

const STATES: Readonly<Record<string, CollectedDeployment['state']>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'failure',
};

export const deployments: Stream<GitlabCollectClient> = {
  ...common,
  name: 'deployments',
  right: { needs: 'read_api, and at least the role Reporter', brings: 'deployments as releases' },
  async page(request) {
    const { items, page } = await timedList(request, {
      name: 'deployments',
      order: 'oldest_first',
      values: {},
      items: deploymentList,
    });
    const { client, signal } = request;
    const toDeployment = (item: (typeof items)[number]): CollectedDeployment => {
      const state = STATES[item.status] ?? 'pending';
      return {
        external_id: String(item.id),
        environment: item.environment?.name ?? '',
        sha: item.sha,
        ref: item.ref ?? null,
        state,
        created_at: needTime(item.created_at, 'a deployment'),
        finished_at: state === 'pending' ? null : readTime(item.deployable?.finished_at ?? item.updated_at),
        creator: client.accounts.user(item.user),
        url: item.environment?.external_url ?? null,
        updated_at: readTime(item.updated_at),
      };
    };
    return { ...page, collected: await client.withFlags(() => ({ deployments: items.map(toDeployment) }), signal) };
  },
};

/** A pipeline that was run again keeps its number, and ends later. */
export const pipelines: Stream<GitlabCollectClient> = {
  ...common,
  name: 'pipelines',
  right: { needs: 'read_api, and at least the role Reporter', brings: 'releases by successful pipelines' },
  async page(request) {
    const { items, page } = await timedList(request, {
      name: 'pipelines',
      order: 'oldest_first',
      values: { status: 'success' },
      items: pipelineList,
    });
    const runs = items.map(
      (item): CollectedRun => ({
        external_id: String(item.id),
        name: item.name ?? 'pipeline',
        path: null,
        branch: item.ref ?? null,
        sha: item.sha,
        event: item.source ?? null,
        state: 'success',
        attempt: 1,
        created_at: needTime(item.created_at, 'a pipeline'),
        started_at: null,
        finished_at: readTime(item.updated_at),
        actor: null,
        url: item.web_url ?? null,
      }),
    );
    return { ...page, collected: { runs } };
  },
};
